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
    func append(_ device: String?, at epoch: Timestamp?, after last: TrackSky?, to bytes: inout [UInt8]) {
        bytes.append("{\"class\":\"SKY\"")
        if let device {
            bytes.append(",\"device\":")
            bytes.append(json: device)
        }
        if let time = time ?? epoch {
            bytes.append(",\"time\":\"")
            bytes.append(time: time)
            bytes.append(UInt8(ascii: "\""))
        }
        JSONMember.append(dilution, to: &bytes)
        JSONMember.append("nSat", seen.map(Double.init), to: &bytes)
        JSONMember.append("uSat", used.map(Double.init), to: &bytes)
        if let satellites, satellites != last?.satellites {
            bytes.append(",\"satellites\":[")
            for (index, satellite) in satellites.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(satellite, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
        bytes.append("}\n")
    }

    private static func append(_ satellite: Satellite, to bytes: inout [UInt8]) {
        bytes.append(satellite.isUsed ? "{\"used\":true" : "{\"used\":false")
        func whole(_ name: StaticString, _ value: Int?) {
            guard let value else { return }
            bytes.append(",\"")
            bytes.append(name)
            bytes.append("\":")
            DecimalText.append(value, to: &bytes)
        }
        whole("PRN", satellite.prn)
        whole("gnssid", satellite.constellation?.rawValue)
        whole("svid", satellite.number)
        whole("sigid", satellite.signalBand)
        whole("freqid", satellite.frequencySlot)
        JSONMember.append("el", satellite.elevation, to: &bytes)
        JSONMember.append("az", satellite.azimuth, to: &bytes)
        JSONMember.append("ss", satellite.signal, to: &bytes)
        JSONMember.append("prRes", satellite.residual, to: &bytes)
        whole("health", satellite.health?.rawValue)
        whole("qual", satellite.quality)
        bytes.append(UInt8(ascii: "}"))
    }
}
