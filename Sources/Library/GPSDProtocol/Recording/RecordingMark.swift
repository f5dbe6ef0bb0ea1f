package import LocationCore

/// A line that locwatch adds to its recordings between gpsd's own, with the arrival time of the lines that follow.
///
/// It looks like any other report, but other readers of gpsd's protocol do not know its class and ignore it.
package struct RecordingMark: Hashable, Sendable {
    package static let className = "LOCWATCH"

    /// The version of the format, in the first line of a recording.
    package var format: Int?
    /// The civil time at the start of the session, in the first line, and again after the host's clock was set.
    package var started: Timestamp?
    /// The seconds from the start of the session to the arrival of the lines that follow.
    @OptionalDouble package var at: Double?
    /// Whether the devices are machines, each with a position of its own, in the first line.
    package var fleet: Bool?
    /// The seconds for which a position stays current without a new one, in a session that was made of a track.
    @OptionalDouble package var staleAfter: Double?
}

extension RecordingMark: KeyedObject {
    enum Key: String, CaseIterable { case format, started, at, fleet, staleAfter }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .format: format = try scanner.integer()
        case .started: started = try cache.time(from: &scanner)
        case .at: at = try scanner.number()
        case .fleet: fleet = scanner.bool()
        case .staleAfter: staleAfter = try scanner.number()
        }
    }
}
