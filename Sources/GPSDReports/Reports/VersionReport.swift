/// Which gpsd this is (`VERSION`).
public struct VersionReport: Hashable, Sendable {
    /// The release, such as `3.22`; for people to read.
    public var release: String?
    /// The revision that it was built from.
    public var rev: String?
    /// The major number of the protocol; it went 3, 0, 3, 16 across releases.
    public var proto_major: Int?
    /// The minor number of the protocol.
    public var proto_minor: Int?
    /// The daemon that this one relays, where it does.
    public var remote: String?
    /// Values that have no place here, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// A report that says nothing.
    public init() {}
}

extension VersionReport: KeyedReport {
    enum Key: String, CaseIterable { case release, rev, proto_major, proto_minor, remote }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
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
