import LocationCore

extension TrackFormat {
    /// NMEA 0183, as a receiver would send it.
    public static let nmea = TrackFormat(
        "nmea", title: "NMEA", summary: "NMEA 0183, as a receiver would send it", form: .lines(start: "$"),
        keepsSatellites: true, writer: NMEAWriter.self)
}

/// NMEA 0183: the sentences of each point, as a receiver would send them.
struct NMEAWriter: TrackWriter {
    init(_ options: TrackFormat.Options) {}

    mutating func header(to bytes: inout [UInt8]) {}

    /// Appends a void RMC, so that a reader loses the fix where the receiver did.
    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8]) {
        if let moment = gap.moment { bytes += NMEASentence.rmc(NMEAPosition(time: moment.wall)).bytes }
    }

    func trailer(to bytes: inout [UInt8]) {}

    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
        let position = NMEAPosition(point.location, used: point.used, hdop: point.dilution.horizontal)
        // gpsbabel treats a GGA as the start of a point, and gpsd an RMC as its end.
        bytes += NMEASentence.gga(position).bytes
        let used = NMEASentence.gsa(
            point.location.fix, satellites: point.satellites ?? [], dilution: point.dilution)
        for sentence in used { bytes += sentence.bytes }
        if let satellites = point.satellites {
            for sentence in NMEASentence.gsv(satellites) { bytes += sentence.bytes }
        }
        bytes += NMEASentence.vtg(position).bytes + NMEASentence.rmc(position).bytes
    }
}
