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
    package var speed: Double?
    /// The course, in degrees from true north.
    package var course: Double?
    /// The angle of magnetic north east of true north, in degrees.
    package var magneticVariation: Double?
    /// The direction to which the front points, in degrees from true and from magnetic north.
    package var heading: Double?
    package var headingMagnetic: Double?
    /// The speed of a turn to the right, in degrees a minute.
    package var rateOfTurn: Double?
    package var used: Int?
    package var hdop: Double?
    /// The age of the differential corrections in seconds.
    package var dgpsAge: Double?
    package var dgpsStation: Int?
    package var errors = Errors()

    /// The estimated errors, as standard deviations in metres.
    package struct Errors: Hashable, Sendable {
        /// The error of the distances to the satellites.
        package var range: Double?
        package var north: Double?
        package var east: Double?
        package var up: Double?
        /// The axes of the error ellipse, and the direction of the larger one in degrees from true north.
        package var major: Double?
        package var minor: Double?
        package var orientation: Double?

        package init() {}

        var isEmpty: Bool { self == Errors() }

        init(_ location: Location) {
            // An accuracy is nominally at 95 % confidence, which is 1.96 standard deviations along one axis.
            let deviation = { (accuracy: Double?) in accuracy.flatMap { $0 >= 0 ? $0 / 1.96 : nil } }
            north = deviation(location.latitudeAccuracy)
            east = deviation(location.longitudeAccuracy)
            up = location.fix == .threeD ? deviation(location.verticalAccuracy) : nil
            // gpsd passes the ellipse on as the receiver reports it, in standard deviations.
            major = location[.errorEllipseMajor]
            minor = location[.errorEllipseMinor]
            orientation = location[.errorEllipseOrientation]
        }
    }

    package init(time: Timestamp? = nil) { self.time = time }

    package init(_ location: Location, used: Int?, hdop: Double?) {
        time = location.timestamp
        coordinate = location.coordinate
        quality = location.quality
        // Readers take an altitude as a sign of a 3D fix.
        altitude = location.fix == .threeD ? location.altitudeMSL : nil
        geoidSeparation = location.geoidSeparation
        speed = location.speed.flatMap { $0 >= 0 ? $0 : nil }
        course = location.course.flatMap { 0...360 ~= $0 ? $0 : nil }
        magneticVariation = location.magneticVariation
        self.used = used
        self.hdop = hdop
        errors = Errors(location)
        if let attitude = location.attitude { set(attitude) }
        dgpsAge = location[.dgpsAge]
        dgpsStation = location[count: .dgpsStation]
    }

    /// Sets the values of an attitude; one that cannot be is unknown.
    package mutating func set(_ attitude: Attitude) {
        heading = attitude.heading.flatMap { 0...360 ~= $0 ? $0 : nil }
        headingMagnetic = attitude.headingMagnetic.flatMap { 0...360 ~= $0 ? $0 : nil }
        rateOfTurn = attitude.rateOfTurn.flatMap { abs($0) <= Self.fastestTurn ? $0 : nil }
    }

    /// The fastest turn in degrees a minute, a hundred turns.
    private static let fastestTurn = 36_000.0
}

extension NMEASentence {
    /// Returns a GGA sentence: position, quality and altitude.
    package static func gga(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        let removals: [(inout NMEAPosition) -> Void] = [
            { $0.dgpsStation = nil }, { $0.dgpsAge = nil }, { $0.geoidSeparation = nil }, { $0.altitude = nil },
        ]
        return fitting(position, without: removals) { position, decimals in
            NMEASentence(talker, "GGA") { fields in
                fields.append(timeOf: position.time)
                fields.append(position.coordinate, decimals: decimals.minutes)
                fields.append(position.coordinate == nil ? 0 : position.quality.inGGA)
                fields.append(position.used.map { min(99, max(0, $0)) }, digits: 2)
                fields.append(dilution: position.hdop, decimals: decimals.dilution)
                fields.append(position.altitude, decimals: decimals.altitude, unit: "M")
                fields.append(position.geoidSeparation, decimals: decimals.separation, unit: "M")
                // The lowest level has no room for a tenth of ten seconds and more.
                let isShort = decimals.dilution == 1 && (position.dgpsAge ?? 0) >= 9.95
                fields.append(position.dgpsAge, decimals: isShort ? 0 : 1)
                fields.append(position.dgpsStation.flatMap { 0...9999 ~= $0 ? $0 : nil }, digits: 4)
            }
        }
    }

    /// Returns an RMC sentence: position, date, speed and course.
    ///
    /// The sentence is marked void if there is no fix.
    package static func rmc(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        let removals: [(inout NMEAPosition) -> Void] = [
            { $0.magneticVariation = nil }, { $0.course = nil }, { $0.speed = nil },
        ]
        return fitting(position, without: removals) { position, decimals in
            NMEASentence(talker, "RMC") { fields in
                fields.append(timeOf: position.time)
                fields.append(position.coordinate == nil ? "V" : "A")
                fields.append(position.coordinate, decimals: decimals.minutes)
                fields.append(position.knots, decimals: decimals.speed)
                fields.append(position.course, decimals: decimals.course)
                fields.append(dateOf: position.time)
                fields.append(position.magneticVariation.map(abs), decimals: 1)
                fields.append(position.magneticVariation.map { $0 < 0 ? "W" : "E" } ?? "")
                fields.append(position.mode)
            }
        }
    }

    /// Returns a GLL sentence: position and time of day.
    package static func gll(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        NMEASentence(talker, "GLL") { fields in
            fields.append(position.coordinate, decimals: NMEADecimals().minutes)
            fields.append(timeOf: position.time)
            fields.append(position.coordinate == nil ? "V" : "A")
            fields.append(position.mode)
        }
    }

    /// Returns a VTG sentence: course and speed over ground.
    package static func vtg(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        fitting(position, without: [{ $0.speed = nil }]) { position, decimals in
            NMEASentence(talker, "VTG") { fields in
                fields.append(position.course, decimals: decimals.course, unit: "T")
                fields.append(position.magneticCourse, decimals: decimals.course, unit: "M")
                fields.append(position.knots, decimals: decimals.speed, unit: "N")
                fields.append(position.speed.map { $0 * 3.6 }, decimals: decimals.speed, unit: "K")
                fields.append(position.mode)
            }
        }
    }

    /// Returns a GST sentence: the estimated errors.
    package static func gst(_ position: NMEAPosition, from talker: NMEATalker = .gps) -> NMEASentence {
        fitting(position, without: [{ $0.errors = NMEAPosition.Errors() }]) { position, decimals in
            NMEASentence(talker, "GST") { fields in
                fields.append(timeOf: position.time)
                fields.append(position.errors.range, decimals: decimals.error)
                fields.append(position.errors.major, decimals: decimals.error)
                fields.append(position.errors.minor, decimals: decimals.error)
                fields.append(position.errors.orientation, decimals: 1)
                fields.append(position.errors.north, decimals: decimals.error)
                fields.append(position.errors.east, decimals: decimals.error)
                fields.append(position.errors.up, decimals: decimals.error)
            }
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

    fileprivate var magneticCourse: Double? {
        guard let course, let magneticVariation else { return nil }
        let magnetic = (course - magneticVariation).truncatingRemainder(dividingBy: 360)
        return magnetic < 0 ? magnetic + 360 : magnetic
    }

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
