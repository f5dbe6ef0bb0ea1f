package import LocationCore

/// Statistics of the pseudorange errors (`GST`), of which only the receiver and the time have a use here.
package struct GSTReport: Hashable, Sendable {
    /// The device that the report came from.
    package var device: String?
    /// The time of the corresponding fix.
    package var time: Timestamp?
}

extension GSTReport: KeyedObject {
    // A known key costs one comparison, also if its number is not kept.
    enum Key: String, CaseIterable { case device, time, rms, major, minor, orient, lat, lon, alt, ve, vn, vu }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .device: device = try cache.name(from: &scanner)
        case .time: time = try cache.time(from: &scanner)
        case .rms, .major, .minor, .orient, .lat, .lon, .alt, .ve, .vn, .vu: _ = try scanner.number()
        }
    }
}
