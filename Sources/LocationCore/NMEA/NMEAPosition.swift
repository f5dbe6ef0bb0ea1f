/// The content of the NMEA sentences about a position; unknown values are `nil`.
package struct NMEAPosition: Hashable, Sendable {
    /// The time in UTC, by the receiver's clock.
    package var time: Timestamp?
    /// The position, if there is a fix.
    package var coordinate: Coordinate?
    package var quality = FixQuality.ordinary
    /// The altitude above mean sea level, in metres.
    package var altitude: Double?
    /// The height of mean sea level above the ellipsoid, in metres.
    package var geoidSeparation: Double?
    /// The speed over ground, in metres per second.
    package var speed: Double?
    /// The course, in degrees from true north.
    package var course: Double?
    /// The angle of magnetic north east of true north, in degrees.
    package var magneticVariation: Double?
    /// The number of satellites in the solution.
    package var used: Int?
    /// The horizontal dilution of precision.
    package var hdop: Double?
    /// The age of the differential corrections in seconds.
    package var dgpsAge: Double?
    package var dgpsStation: Int?
    package var deviations: Deviations?

    /// Standard deviations in metres.
    package struct Deviations: Hashable, Sendable {
        package var north, east, up: Double

        package init(north: Double, east: Double, up: Double) {
            self.north = north
            self.east = east
            self.up = up
        }
    }

    /// Creates a position without a fix.
    package init(time: Timestamp? = nil) { self.time = time }

    /// Creates the position of a location.
    package init(_ location: Location, used: Int?, hdop: Double?) {
        time = location.timestamp
        coordinate = location.coordinate
        quality = location.quality
        // Readers take an altitude as a sign of a 3D fix.
        altitude = location.fix == .threeD ? location.altitudeMSL : nil
        geoidSeparation = location.geoidSeparation
        speed = location.speed
        course = location.course
        magneticVariation = location.magneticVariation
        self.used = used
        self.hdop = hdop
        dgpsAge = location.details?.dgpsAge
        dgpsStation = location.details?.dgpsStation
    }
}

extension NMEASentence {
    /// Returns a GGA sentence: position, quality and altitude.
    package static func gga(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        NMEASentence(talker, "GGA") { fields in
            fields.append(timeOf: position.time)
            fields.append(position.coordinate)
            fields.append(position.coordinate == nil ? 0 : position.quality.inGGA)
            fields.append(position.used.map { min(99, max(0, $0)) }, digits: 2)
            fields.append(position.hdop, decimals: 2)
            fields.append(position.altitude, decimals: 3, unit: "M")
            fields.append(position.geoidSeparation, decimals: 3, unit: "M")
            fields.append(position.dgpsAge, decimals: 1)
            fields.append(position.dgpsStation.flatMap { 0...9999 ~= $0 ? $0 : nil }, digits: 4)
        }
    }

    /// Returns an RMC sentence: position, date, speed and course.
    ///
    /// The sentence is marked void if there is no fix.
    package static func rmc(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        NMEASentence(talker, "RMC") { fields in
            fields.append(timeOf: position.time)
            fields.append(position.coordinate == nil ? "V" : "A")
            fields.append(position.coordinate)
            fields.append(position.knots, decimals: 3)
            fields.append(position.course, decimals: 2)
            fields.append(dateOf: position.time)
            fields.append(position.magneticVariation.map(abs), decimals: 1)
            fields.append(position.magneticVariation.map { $0 < 0 ? "W" : "E" } ?? "")
            fields.append(position.mode)
        }
    }

    /// Returns a GLL sentence: position and time of day.
    package static func gll(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        NMEASentence(talker, "GLL") { fields in
            fields.append(position.coordinate)
            fields.append(timeOf: position.time)
            fields.append(position.coordinate == nil ? "V" : "A")
            fields.append(position.mode)
        }
    }

    /// Returns a VTG sentence: course and speed over ground.
    package static func vtg(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        NMEASentence(talker, "VTG") { fields in
            fields.append(position.course, decimals: 2)
            fields.append("T")
            fields.append()
            fields.append("M")
            fields.append(position.knots, decimals: 3)
            fields.append("N")
            fields.append(position.speed.map { $0 * 3.6 }, decimals: 3)
            fields.append("K")
            fields.append(position.mode)
        }
    }

    /// Returns a GST sentence: the estimated errors.
    package static func gst(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        let errors = position.deviations
        let larger = errors.map { max($0.north, $0.east) }
        return NMEASentence(talker, "GST") { fields in
            fields.append(timeOf: position.time)
            fields.append(larger, decimals: 2)
            fields.append(larger, decimals: 2)
            fields.append(errors.map { min($0.north, $0.east) }, decimals: 2)
            fields.append(errors.map { $0.north >= $0.east ? 0 : 90 }, decimals: 1)
            fields.append(errors?.north, decimals: 2)
            fields.append(errors?.east, decimals: 2)
            fields.append(errors?.up, decimals: 2)
        }
    }

    /// Returns a ZDA sentence: time of day and full date.
    package static func zda(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        let civil = position.time?.civil
        return NMEASentence(talker, "ZDA") { fields in
            fields.append(timeOf: position.time)
            fields.append(civil?.day, digits: 2)
            fields.append(civil?.month, digits: 2)
            fields.append(civil?.year, digits: 4)
            fields.append("00")
            fields.append("00")
        }
    }
}

extension NMEAPosition {
    fileprivate var knots: Double? { speed.map { $0 * 3600 / 1852 } }

    /// The mode indicator of RMC, GLL and VTG.
    fileprivate var mode: String {
        guard coordinate != nil else { return "N" }
        return switch quality {
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

extension FixQuality {
    /// The quality field of GGA.
    fileprivate var inGGA: Int {
        switch self {
        case .ordinary, .other, .surveyedTime: 1
        case .differential: 2
        case .precisionCode: 3
        case .rtkFixed: 4
        case .rtkFloat: 5
        case .deadReckoning, .satellitesAndDeadReckoning: 6
        case .simulated: 8
        }
    }
}
