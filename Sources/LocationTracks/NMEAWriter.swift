import LocationCore

/// NMEA 0183: a GGA and an RMC a point, as a receiver would send them.
struct NMEAWriter: TrackWriter {
    mutating func header(to bytes: inout [UInt8]) {}

    /// An RMC that declares itself void, so that a reader loses the fix where the receiver did.
    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8]) {
        guard let moment = gap.moment else { return }
        let start = begin("GPRMC", &bytes)
        bytes.append(nmeaTime: moment.wall)
        bytes.append(",V,,,,,,,")
        bytes.append(nmeaDate: moment.wall)
        bytes.append(",,,N")
        end(start, &bytes)
    }

    func trailer(to bytes: inout [UInt8]) {}

    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
        // gpsbabel takes a GGA as the beginning of a point.
        appendGGA(point, &bytes)
        appendRMC(point.location, &bytes)
    }

    private func appendGGA(_ point: TrackPoint, _ bytes: inout [UInt8]) {
        let location = point.location
        let start = begin("GPGGA", &bytes)
        if let time = location.timestamp { bytes.append(nmeaTime: time) }
        comma(&bytes)
        place(location.coordinate, &bytes)
        comma(&bytes)
        DecimalText.append(quality(location.quality), to: &bytes)
        comma(&bytes)
        if let used = point.used { DecimalText.append(min(99, max(0, used)), digits: 2, to: &bytes) }
        comma(&bytes)
        number(point.dilution.horizontal, decimals: 2, &bytes)
        comma(&bytes)
        // A reader takes an altitude for a fix in three dimensions.
        let altitude = location.fix == .threeD ? location.altitudeMSL : nil
        number(altitude, decimals: 3, &bytes)
        bytes.append(altitude == nil ? "," : ",M")
        comma(&bytes)
        number(location.geoidSeparation, decimals: 3, &bytes)
        bytes.append(location.geoidSeparation == nil ? "," : ",M")
        comma(&bytes)
        number(location.details?.dgpsAge, decimals: 1, &bytes)
        comma(&bytes)
        if let station = location.details?.dgpsStation, 0...9999 ~= station {
            DecimalText.append(station, digits: 4, to: &bytes)
        }
        end(start, &bytes)
    }

    private func appendRMC(_ location: Location, _ bytes: inout [UInt8]) {
        let start = begin("GPRMC", &bytes)
        if let time = location.timestamp { bytes.append(nmeaTime: time) }
        bytes.append(",A,")
        place(location.coordinate, &bytes)
        comma(&bytes)
        number(location.speed.map { $0 * 3600 / 1852 }, decimals: 3, &bytes)
        comma(&bytes)
        number(location.course, decimals: 2, &bytes)
        comma(&bytes)
        if let time = location.timestamp { bytes.append(nmeaDate: time) }
        comma(&bytes)
        number(location.magneticVariation.map(abs), decimals: 1, &bytes)
        comma(&bytes)
        if let variation = location.magneticVariation { bytes.append(variation < 0 ? "W" : "E") }
        comma(&bytes)
        bytes.append(mode(location.quality))
        end(start, &bytes)
    }

    private func begin(_ type: StaticString, _ bytes: inout [UInt8]) -> Int {
        bytes.append(UInt8(ascii: "$"))
        let start = bytes.count
        bytes.append(type)
        comma(&bytes)
        return start
    }

    private func end(_ start: Int, _ bytes: inout [UInt8]) {
        var sum: UInt8 = 0
        for index in start..<bytes.count { sum ^= bytes[index] }
        bytes.append(UInt8(ascii: "*"))
        bytes.append(hex: sum)
        bytes.append("\r\n")
    }

    private func comma(_ bytes: inout [UInt8]) { bytes.append(UInt8(ascii: ",")) }

    private func number(_ value: Double?, decimals: Int, _ bytes: inout [UInt8]) {
        if let value { DecimalText.append(value, decimals: decimals, to: &bytes) }
    }

    private func place(_ coordinate: Coordinate, _ bytes: inout [UInt8]) {
        DecimalText.append(degreesMinutes: coordinate.latitude, degreeDigits: 2, to: &bytes)
        bytes.append(coordinate.latitude < 0 ? ",S," : ",N,")
        DecimalText.append(degreesMinutes: coordinate.longitude, degreeDigits: 3, to: &bytes)
        bytes.append(coordinate.longitude < 0 ? ",W" : ",E")
    }

    /// The quality that GGA's sixth field tells.
    private func quality(_ quality: FixQuality) -> Int {
        switch quality {
        case .ordinary, .other, .surveyedTime: 1
        case .differential: 2
        case .precisionCode: 3
        case .rtkFixed: 4
        case .rtkFloat: 5
        case .deadReckoning, .satellitesAndDeadReckoning: 6
        case .simulated: 8
        }
    }

    /// The mode that RMC's last field tells.
    private func mode(_ quality: FixQuality) -> StaticString {
        switch quality {
        case .ordinary, .other, .surveyedTime: "A"
        case .differential: "D"
        case .precisionCode: "P"
        case .rtkFixed: "R"
        case .rtkFloat: "F"
        case .deadReckoning, .satellitesAndDeadReckoning: "E"
        case .simulated: "S"
        }
    }
}
