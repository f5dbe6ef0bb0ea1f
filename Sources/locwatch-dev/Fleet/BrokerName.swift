/// The host and the port of a broker, as in `mqtt://HOST[:PORT]`.
struct BrokerName: Hashable, Sendable {
    var host: String
    var port: String

    /// Reads a word, or returns `nil` if it names no broker without encryption.
    init?(_ word: String) {
        guard word.hasPrefix("mqtt://") else { return nil }
        let parts = word.dropFirst("mqtt://".count).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty else { return nil }
        self.host = String(host)
        port = parts.count > 1 ? String(parts[1]) : "1883"
        guard let number = UInt16(port), number > 0 else { return nil }
    }
}

extension BrokerName: CustomStringConvertible {
    var description: String { "\(host):\(port)" }
}
