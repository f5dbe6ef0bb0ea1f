public import LocationCore

/// Where and when, as the sentences about a position have it; what a receiver does not know is `nil`.
public struct NMEAPosition: Hashable, Sendable {
    /// UTC as the receiver believes it.
    public var time: Timestamp?
    /// The position, where there is a fix.
    public var coordinate: Coordinate?
    /// Metres above mean sea level.
    public var altitude: Double?
    /// Metres of mean sea level above the ellipsoid.
    public var geoidSeparation: Double?
    /// Metres per second over ground.
    public var speed: Double?
    /// Degrees from true north.
    public var course: Double?
    /// Satellites in the solution.
    public var used: Int
    /// Horizontal dilution of precision.
    public var hdop: Double?
    /// Standard deviations in metres: north, east, up.
    public var deviations: Deviations?

    /// Standard deviations of a position.
    public struct Deviations: Hashable, Sendable {
        /// Metres, in latitude.
        public var north: Double
        /// Metres, in longitude.
        public var east: Double
        /// Metres, in height.
        public var up: Double

        /// Standard deviations in metres.
        public init(north: Double, east: Double, up: Double) {
            self.north = north
            self.east = east
            self.up = up
        }
    }

    /// A position of which nothing is known unless given.
    public init(
        time: Timestamp? = nil, coordinate: Coordinate? = nil, altitude: Double? = nil, geoidSeparation: Double? = nil,
        speed: Double? = nil, course: Double? = nil, used: Int = 0, hdop: Double? = nil, deviations: Deviations? = nil
    ) {
        self.time = time
        self.coordinate = coordinate
        self.altitude = altitude
        self.geoidSeparation = geoidSeparation
        self.speed = speed
        self.course = course
        self.used = used
        self.hdop = hdop
        self.deviations = deviations
    }
}

extension NMEASentence {
    /// GGA: position, quality and altitude.
    public static func gga(_ position: NMEAPosition, from talker: NMEATalker = .combined) -> NMEASentence {
        NMEASentence(
            talker, "GGA",
            [clock(position.time)] + place(position.coordinate) + [
                position.coordinate == nil ? "0" : "1",
                DecimalText.padded(min(position.used, 12), to: 2),
                number(position.hdop, 2),
                number(position.altitude, 1), "M",
                number(position.altitude == nil ? nil : position.geoidSeparation, 1), "M", "", "",
            ])
    }

    /// RMC: the least that a navigator needs, and the date.
    public static func rmc(_ position: NMEAPosition, from talker: NMEATalker = .combined) -> NMEASentence {
        NMEASentence(
            talker, "RMC",
            [clock(position.time), position.coordinate == nil ? "V" : "A"] + place(position.coordinate) + [
                number(position.speed.map { $0 * knotsPerMetrePerSecond }, 3), number(position.course, 2),
                position.time.map { date($0) } ?? "", "", "", position.coordinate == nil ? "N" : "A", "V",
            ])
    }

    /// GLL: position and time of day.
    public static func gll(_ position: NMEAPosition, from talker: NMEATalker = .combined) -> NMEASentence {
        NMEASentence(
            talker, "GLL",
            place(position.coordinate) + [clock(position.time)]
                + (position.coordinate == nil ? ["V", "N"] : ["A", "A"]))
    }

    /// VTG: course and speed over ground.
    public static func vtg(_ position: NMEAPosition, from talker: NMEATalker = .combined) -> NMEASentence {
        NMEASentence(
            talker, "VTG",
            [
                number(position.course, 2), "T", "", "M",
                number(position.speed.map { $0 * knotsPerMetrePerSecond }, 3), "N",
                number(position.speed.map { $0 * 3.6 }, 3), "K", position.coordinate == nil ? "N" : "A",
            ])
    }

    /// GST: the errors that the receiver expects.
    public static func gst(_ position: NMEAPosition, from talker: NMEATalker = .combined) -> NMEASentence {
        let errors = position.deviations
        let larger = errors.map { max($0.north, $0.east) }
        let smaller = errors.map { min($0.north, $0.east) }
        let orientation = errors.map { $0.north >= $0.east ? 0.0 : 90.0 }
        return NMEASentence(
            talker, "GST",
            [
                clock(position.time), number(larger, 2), number(larger, 2), number(smaller, 2), number(orientation, 1),
                number(errors?.north, 2), number(errors?.east, 2), number(errors?.up, 2),
            ])
    }

    /// ZDA: date and time in full.
    public static func zda(_ position: NMEAPosition, from talker: NMEATalker = .combined) -> NMEASentence {
        let civil = position.time?.civil
        return NMEASentence(
            talker, "ZDA",
            [
                clock(position.time), civil.map { DecimalText.padded($0.day, to: 2) } ?? "",
                civil.map { DecimalText.padded($0.month, to: 2) } ?? "",
                civil.map { DecimalText.padded($0.year, to: 4) } ?? "",
                "00", "00",
            ])
    }

    private static let knotsPerMetrePerSecond = 3600.0 / 1852

    static func number(_ value: Double?, _ decimals: Int) -> String {
        value.map { DecimalText.fixed($0, decimals: decimals) } ?? ""
    }

    private static func clock(_ time: Timestamp?) -> String {
        guard let civil = time?.civil else { return "" }
        return DecimalText.padded(civil.hour, to: 2) + DecimalText.padded(civil.minute, to: 2)
            + DecimalText.padded(civil.second, to: 2) + "." + DecimalText.padded(civil.nanosecond / 10_000_000, to: 2)
    }

    private static func date(_ time: Timestamp) -> String {
        let civil = time.civil
        return DecimalText.padded(civil.day, to: 2) + DecimalText.padded(civil.month, to: 2)
            + DecimalText.padded(civil.year % 100, to: 2)
    }

    private static func place(_ coordinate: Coordinate?) -> [String] {
        guard let coordinate else { return ["", "", "", ""] }
        return [
            DecimalText.degreesMinutes(coordinate.latitude, degreeDigits: 2), coordinate.latitude < 0 ? "S" : "N",
            DecimalText.degreesMinutes(coordinate.longitude, degreeDigits: 3), coordinate.longitude < 0 ? "W" : "E",
        ]
    }
}
