/// The release and the protocol of a gpsd (`VERSION`).
package struct VersionReport: Hashable, Sendable {
    /// The release, such as `3.22`, for display.
    package var release: String?
    /// The revision that the daemon was built from.
    package var rev: String?
    /// The major version of the protocol, which was 3, 0, 3, 16 across releases.
    package var proto_major: Int?
    /// The minor version of the protocol.
    package var proto_minor: Int?
    /// The daemon that this one relays, if any.
    package var remote: String?

    /// Creates an empty report.
    package init() {}
}

extension VersionReport: KeyedObject {
    enum Key: String, CaseIterable { case release, rev, proto_major, proto_minor, remote }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .release: release = try scanner.string()
        case .rev: rev = try scanner.string()
        case .proto_major: proto_major = try scanner.integer()
        case .proto_minor: proto_minor = try scanner.integer()
        case .remote: remote = try scanner.string()
        }
    }
}
