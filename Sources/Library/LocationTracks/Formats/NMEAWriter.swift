import LocationCore

extension TrackFormat {
    /// NMEA 0183, as a receiver would send it.
    public static let nmea = TrackFormat(
        name: "nmea", title: "NMEA",
        summary: "NMEA 0183, as a receiver would send it; gpsd reads it from the second epoch on",
        receivers: .nowhere, keepsSatellites: true, choosesSentences: true, type: NMEAWriter.self)
}

/// NMEA 0183: the sentences of each point, as a receiver would send them.
struct NMEAWriter: TrackWriter {
    private let encoder: NMEAEncoder

    init(_ options: TrackFormat.Options) { encoder = NMEAEncoder(options.sentences) }

    var beginning: [UInt8] { [UInt8(ascii: "$")] }

    func endOfLastPoint(in ending: [UInt8]) -> Int? { ending.endOfLast("\n") ?? 0 }

    /// Appends void sentences after a loss, so that a reader loses the fix where the receiver did.
    ///
    /// They have no time: gpsd 3.22 takes the sentence before a new time for the end of every epoch, and would report each later
    /// epoch at its GGA too, without a fix if no satellites are known.
    mutating func gap(_ gap: TrackGap, into out: inout TextBuffer) {
        guard case .loss = gap else { return }
        for sentence in encoder.void() { out.put(sentence.bytes) }
    }

    mutating func append(_ point: TrackPoint, into out: inout TextBuffer) {
        let sentences = encoder.sentences(
            point.location, used: point.used, satellites: point.satellites, dilution: point.dilution)
        for sentence in sentences { out.put(sentence.bytes) }
    }
}
