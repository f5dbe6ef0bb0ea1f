import LocationCore

extension TrackPoint {
    /// The view of the satellites, or `nil` if nothing but its time is known.
    var sky: SkyView? {
        guard satellites != nil || seen != nil || used != nil || dilution != DilutionOfPrecision() else { return nil }
        var sky = SkyView(
            satellites: nil, seen: seen, used: used, dilution: dilution, timestamp: skyTime, device: location.device)
        // Set afterwards, so that unknown counts stay unknown.
        sky.satellites = satellites
        return sky
    }
}

extension SkyView {
    /// Appends the view as gpsd's report `SKY`, without its list of satellites if that equals the last one, as newer versions of
    /// gpsd do.
    ///
    /// - Parameter epoch: The time of the point, so that the report is not taken for that of the point before. A receiver
    ///   without the date reports a wrong time with its satellites.
    func append(at epoch: Timestamp?, after last: SkyView?, into out: inout TextBuffer) {
        out.report("SKY", of: device) { out in
            out.member("time", exact: epoch ?? timestamp)
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
        out.commonMembers(of: satellite)
        out.member("health", satellite.health?.rawValue)
        out.member("qual", satellite.quality)
    }
}
