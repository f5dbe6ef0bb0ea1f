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

    /// RMC alone has a time with its date: `$GPRMC,085659.00,A,…` with the time in its first field, and the date in the ninth.
    func firstTime(in start: [UInt8]) -> Timestamp? {
        for line in start.split(separator: UInt8(ascii: "\n")) where line.dropFirst(3).starts(with: "RMC,".utf8) {
            let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard fields.count > 9, fields[1].count >= 6, fields[9].count == 6 else { continue }
            let (time, date) = (String(decoding: fields[1], as: UTF8.self), String(decoding: fields[9], as: UTF8.self))
            func pair(_ text: String, _ place: Int) -> Substring { text.dropFirst(place).prefix(2) }
            let day = "20\(pair(date, 4))-\(pair(date, 2))-\(pair(date, 0))"
            if let found = Timestamp("\(day)T\(pair(time, 0)):\(pair(time, 2)):\(time.dropFirst(4))Z") { return found }
        }
        return nil
    }

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
