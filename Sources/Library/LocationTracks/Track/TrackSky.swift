import LocationCore

/// The sky view of a point, written as gpsd's report `SKY`.
struct TrackSky: Hashable, Sendable {
    private let time: Timestamp?
    private let dilution: DilutionOfPrecision
    private let seen: Int?
    private let used: Int?
    private let satellites: [Satellite]?

    init(_ point: TrackPoint) {
        time = point.skyTime
        dilution = point.dilution
        seen = point.seen
        used = point.used
        satellites = point.satellites
    }

    /// Whether anything but a time is known.
    var isKnown: Bool {
        satellites != nil || seen != nil || used != nil || dilution != DilutionOfPrecision()
    }

    /// Appends the report without its list of satellites if that equals the last one, as newer versions of gpsd do.
    ///
    /// - Parameter epoch: The time of the point, for a report without a time, so that it is not taken for that of the point
    ///   before.
    func append(_ device: String?, at epoch: Timestamp?, after last: TrackSky?, into out: inout TextBuffer) {
        out.report("SKY", of: device) { out in
            out.member("time", exact: time ?? epoch)
            out.members(of: dilution)
            out.member("nSat", seen)
            out.member("uSat", used)
            if let satellites, satellites != last?.satellites {
                out.list("satellites", satellites) { Self.append($1, into: &$0) }
            }
        }
    }

    private static func append(_ satellite: Satellite, into out: inout TextBuffer) {
        out.member("used", satellite.isUsed)
        out.member("PRN", satellite.prn)
        out.member("gnssid", satellite.constellation?.rawValue)
        out.member("svid", satellite.number)
        out.member("sigid", satellite.signalBand)
        out.member("freqid", satellite.frequencySlot)
        out.member("el", satellite.elevation)
        out.member("az", satellite.azimuth)
        out.member("ss", satellite.signal)
        out.member("prRes", satellite.residual)
        out.member("health", satellite.health?.rawValue)
        out.member("qual", satellite.quality)
    }
}
