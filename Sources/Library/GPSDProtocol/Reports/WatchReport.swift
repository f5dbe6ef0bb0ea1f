/// The daemon's settings for this client (`WATCH`); a flag is `nil` if the daemon did not name it.
package struct WatchReport: Hashable, Sendable {
    /// Whether the daemon sends anything at all.
    package var enable: Bool?
    /// Whether reports come as JSON.
    package var json: Bool?
    /// Whether NMEA sentences are sent.
    package var nmea: Bool?
    /// The kind of raw data: 0 none, 1 as hexadecimal text, 2 as the receiver sent it.
    package var raw: Int?
    /// Whether scaling is applied to raw classes such as AIS.
    package var scaled: Bool?
    /// Whether the two halves of AIS type 24 are reported separately.
    package var split24: Bool?
    /// Whether `TOFF` and `PPS` are sent.
    package var pps: Bool?
    /// Whether `TPV` includes the daemon's own timing.
    package var timing: Bool?
    /// The watched device, or `nil` for all devices.
    package var device: String?
}

extension WatchReport: KeyedObject {
    enum Key: String, CaseIterable { case enable, json, nmea, raw, scaled, split24, pps, timing, device }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .enable: enable = scanner.bool()
        case .json: json = scanner.bool()
        case .nmea: nmea = scanner.bool()
        case .raw: raw = try scanner.integer()
        case .scaled: scaled = scanner.bool()
        case .split24: split24 = scanner.bool()
        case .pps: pps = scanner.bool()
        case .timing: timing = scanner.bool()
        case .device: device = try cache.name(from: &scanner)
        }
    }
}
