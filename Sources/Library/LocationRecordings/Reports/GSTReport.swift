package import LocationCore

/// Statistics of the pseudorange errors (`GST`), in metres and degrees.
package struct GSTReport: Hashable, Sendable {
    /// The device that the report came from.
    package var device: String?
    /// The time of the corresponding fix.
    package var time: Timestamp?
    /// Standard deviation of the range inputs.
    @OptionalDouble package var rms: Double?
    /// Standard deviation along the major axis of the error ellipse.
    @OptionalDouble package var major: Double?
    /// Standard deviation along the minor axis of the error ellipse.
    @OptionalDouble package var minor: Double?
    /// Orientation of the major axis, degrees from true north.
    @OptionalDouble package var orient: Double?
    /// Standard deviation of the latitude.
    @OptionalDouble package var lat: Double?
    /// Standard deviation of the longitude.
    @OptionalDouble package var lon: Double?
    /// Standard deviation of the altitude.
    @OptionalDouble package var alt: Double?
    /// Standard deviation of the velocity east.
    @OptionalDouble package var ve: Double?
    /// Standard deviation of the velocity north.
    @OptionalDouble package var vn: Double?
    /// Standard deviation of the velocity up.
    @OptionalDouble package var vu: Double?
}

extension GSTReport: KeyedObject {
    enum Key: String, CaseIterable { case device, time, rms, major, minor, orient, lat, lon, alt, ve, vn, vu }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .device: device = try memory.name(from: &scanner)
        case .time: time = try memory.time(from: &scanner)
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
