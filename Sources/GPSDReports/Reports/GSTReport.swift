public import LocationCore

/// Statistics of the pseudorange errors (`GST`), in metres and degrees.
public struct GSTReport: Hashable, Sendable {
    /// The device that the report came from.
    public var device: String?
    /// The time of the corresponding fix.
    public var time: Timestamp?
    /// Whether the report has a time that cannot be parsed.
    public var timeIsUnreadable = false
    /// Standard deviation of the range inputs.
    @Measured public var rms: Double?
    /// Standard deviation along the major axis of the error ellipse.
    @Measured public var major: Double?
    /// Standard deviation along the minor axis of the error ellipse.
    @Measured public var minor: Double?
    /// Orientation of the major axis, degrees from true north.
    @Measured public var orient: Double?
    /// Standard deviation of the latitude.
    @Measured public var lat: Double?
    /// Standard deviation of the longitude.
    @Measured public var lon: Double?
    /// Standard deviation of the altitude.
    @Measured public var alt: Double?
    /// Standard deviation of the velocity east.
    @Measured public var ve: Double?
    /// Standard deviation of the velocity north.
    @Measured public var vn: Double?
    /// Standard deviation of the velocity up.
    @Measured public var vu: Double?
    /// Values of unknown keys and values of unexpected types, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// Creates an empty report.
    public init() {}
}

extension GSTReport: KeyedReport {
    enum Key: String, CaseIterable { case device, time, rms, major, minor, orient, lat, lon, alt, ve, vn, vu }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError) {
        switch key {
        case .device: device = try memory.name(from: &scanner)
        case .time: time = try memory.time(from: &scanner, unreadable: &timeIsUnreadable)
        case .rms: rms = try scanner.number()
        case .major: major = try scanner.number()
        case .minor: minor = try scanner.number()
        case .orient: orient = try scanner.number()
        case .lat: lat = try scanner.number()
        case .lon: lon = try scanner.number()
        case .alt: alt = try scanner.number()
        case .ve: ve = try scanner.number()
        case .vn: vn = try scanner.number()
        case .vu: vu = try scanner.number()
        }
    }
}
