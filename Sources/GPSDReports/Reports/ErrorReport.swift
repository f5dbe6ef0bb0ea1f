/// An error message of the daemon about a command (`ERROR`).
public struct ErrorReport: Hashable, Sendable {
    /// The daemon's message.
    public var message: String?
    /// Values of unknown keys and values of unexpected types, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// Creates an empty report.
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
