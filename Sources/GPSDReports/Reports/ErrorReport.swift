/// A complaint of the daemon about a command (`ERROR`).
public struct ErrorReport: Hashable, Sendable {
    /// The complaint, in the daemon's words.
    public var message: String?
    /// Values that have no place here, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// A report that says nothing.
    public init() {}
}

extension ErrorReport: KeyedReport {
    enum Key: String, CaseIterable { case message }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError) {
        switch key {
        case .message: message = try scanner.string()
        }
    }
}
