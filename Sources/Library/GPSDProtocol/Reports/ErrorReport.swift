/// An error message of the daemon about a command (`ERROR`).
package struct ErrorReport: Hashable, Sendable {
    package var message: String?
}

extension ErrorReport: KeyedObject {
    enum Key: String, CaseIterable { case message }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .message: message = try scanner.string()
        }
    }
}
