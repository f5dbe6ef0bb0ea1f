extension Location {
    /// A number of a location.
    ///
    /// The cases are the one list of the numbers, in the order of JSON, CSV and templates, and `row` has what is known of each.
    /// Reading gpsd's JSON, merging the reports of an epoch, equality, coding, `--json`, its schema, CSV, templates, their help, tracks,
    /// queues and descriptions are loops over them. A new number is a case and its row.
    @usableFromInline package enum Field: UInt8, CaseIterable, Sendable {
        case altitudeMSL, altitudeHAE
        // What follows the mode.
        case horizontalAccuracy, verticalAccuracy, speed, course, climb
        // What follows the device.
        case longitudeAccuracy, latitudeAccuracy, sphericalAccuracy, timeAccuracy, speedAccuracy, courseAccuracy
        case climbAccuracy, courseMagnetic, magneticVariation, geoidSeparation
        // What only some receivers report.
        case ecefX, ecefY, ecefZ, ecefVelocityX, ecefVelocityY, ecefVelocityZ
        case ecefPositionAccuracy, ecefVelocityAccuracy
        case velocityNorth, velocityEast, velocityDown, relativeNorth, relativeEast, relativeDown
        case baselineLength, baselineCourse
        case errorEllipseMajor, errorEllipseMinor, errorEllipseOrientation
        case dgpsAge, dgpsStation, leapSeconds
        // What follows the datum.
        case depth, temperature, waterTemperature
        case windAngleApparent, windAngleMagnetic, windAngleTrue, windSpeedApparent, windSpeedTrue
        case antennaStatus, jamming
        case heading, headingMagnetic, pitch, roll, rateOfTurn
        case meanCount, meanDuration, correlationTime
    }
}

/// The names, the range, the quantity and the meaning of a number.
@usableFromInline package struct FieldRow: Sendable {
    /// The name in `--json`, CSV and templates.
    @usableFromInline package let name: StaticString
    package let gpsdName: StaticString
    /// The plausible values.
    ///
    /// They are wide enough for a receiver in orbit, for the accuracy that u-blox receivers report before a fix
    /// (4,294,967 m) and for every value in recordings of real receivers.
    package let range: ClosedRange<Double>
    @usableFromInline let quantity: Quantity
    private let meaning: StaticString

    init(
        _ name: StaticString, gpsd: StaticString? = nil, _ range: ClosedRange<Double>, _ quantity: Quantity = .other,
        means meaning: StaticString
    ) {
        self.name = name
        gpsdName = gpsd ?? name
        self.range = range
        self.quantity = quantity
        self.meaning = meaning
    }

    /// Whether the number is a whole one, such as the number of a station.
    package var isCount: Bool { quantity == .count }

    /// The meaning with the unit, as in "Accuracy of the time, in seconds".
    package var explanation: String { quantity.unit.map { "\(meaning), in \($0)" } ?? meaning.description }
}

extension Location.Field {
    /// The rows of all numbers, at the places of their cases.
    @usableFromInline package static let rows: [FieldRow] = {
        precondition(allCases.count == FixNumbers.capacity, "the room for numbers is not that of their table")
        return allCases.map(\.row)
    }()

    /// The keys of all numbers in JSON, at the places of their cases.
    static let keys: [MemberKey] = rows.map { MemberKey($0.name) }

    /// The row of the number.
    package var row: FieldRow {
        switch self {
        case .altitudeMSL: FieldRow("altMSL", -20_000...1e8, .length, means: "Height above mean sea level")
        case .altitudeHAE: FieldRow("altHAE", -20_000...1e8, .length, means: "Height above the WGS 84 ellipsoid")
        case .horizontalAccuracy: FieldRow("eph", 0...1e8, .length, means: "Accuracy on the ground, as a radius")
        case .verticalAccuracy: FieldRow("epv", 0...1e8, .length, means: "Accuracy of the altitude")
        case .speed: FieldRow("speed", 0...1e5, .speed, means: "Speed over ground")
        case .course:
            FieldRow(
                "course", gpsd: "track", 0...360, .angle,
                means: "Direction of movement over ground from true north, not the heading")
        case .climb: FieldRow("climb", -1e5...1e5, .speed, means: "Speed upwards")
        case .longitudeAccuracy: FieldRow("epx", 0...1e8, .length, means: "Accuracy of the longitude")
        case .latitudeAccuracy: FieldRow("epy", 0...1e8, .length, means: "Accuracy of the latitude")
        case .sphericalAccuracy: FieldRow("sep", 0...1e8, .length, means: "Accuracy in three dimensions")
        case .timeAccuracy: FieldRow("ept", 0...1e8, .duration, means: "Accuracy of the time")
        case .speedAccuracy: FieldRow("eps", 0...1e8, .speed, means: "Accuracy of the speed")
        case .courseAccuracy: FieldRow("epd", 0...360, .angle, means: "Accuracy of the course")
        case .climbAccuracy: FieldRow("epc", 0...1e8, .speed, means: "Accuracy of the climb")
        case .courseMagnetic:
            FieldRow(
                "courseMagnetic", gpsd: "magtrack", 0...360, .angle,
                means: "Direction of movement over ground from magnetic north")
        case .magneticVariation:
            FieldRow("magvar", -180...180, .angle, means: "Angle of magnetic north east of true north")
        case .geoidSeparation:
            FieldRow("geoidSep", -1000...1000, .length, means: "Height of the geoid above the ellipsoid")
        case .ecefX: FieldRow("ecefx", -1e9...1e9, .metres, means: "Earth-centred, earth-fixed position along x")
        case .ecefY: FieldRow("ecefy", -1e9...1e9, .metres, means: "Earth-centred, earth-fixed position along y")
        case .ecefZ: FieldRow("ecefz", -1e9...1e9, .metres, means: "Earth-centred, earth-fixed position along z")
        case .ecefVelocityX:
            FieldRow("ecefvx", -1e5...1e5, .metresPerSecond, means: "Earth-centred, earth-fixed velocity along x")
        case .ecefVelocityY:
            FieldRow("ecefvy", -1e5...1e5, .metresPerSecond, means: "Earth-centred, earth-fixed velocity along y")
        case .ecefVelocityZ:
            FieldRow("ecefvz", -1e5...1e5, .metresPerSecond, means: "Earth-centred, earth-fixed velocity along z")
        case .ecefPositionAccuracy:
            FieldRow("ecefpAcc", 0...1e8, .metres, means: "Accuracy of the earth-centred position")
        case .ecefVelocityAccuracy:
            FieldRow("ecefvAcc", 0...1e8, .metresPerSecond, means: "Accuracy of the earth-centred velocity")
        case .velocityNorth: FieldRow("velN", -1e5...1e5, .speed, means: "Velocity north")
        case .velocityEast: FieldRow("velE", -1e5...1e5, .speed, means: "Velocity east")
        case .velocityDown: FieldRow("velD", -1e5...1e5, .speed, means: "Velocity down")
        case .relativeNorth: FieldRow("relN", -1e9...1e9, .length, means: "Position north of an RTK base")
        case .relativeEast: FieldRow("relE", -1e9...1e9, .length, means: "Position east of an RTK base")
        case .relativeDown: FieldRow("relD", -1e9...1e9, .length, means: "Position below an RTK base")
        case .baselineLength: FieldRow("baseL", 0...1e9, .length, means: "Distance from an RTK base")
        case .baselineCourse:
            FieldRow("baseC", 0...360, .angle, means: "Direction from an RTK base, from true north")
        case .errorEllipseMajor:
            FieldRow(
                "errEllMaj", 0...1e8, .length, means: "Accuracy along the major semi-axis of the error ellipse")
        case .errorEllipseMinor:
            FieldRow(
                "errEllMin", 0...1e8, .length, means: "Accuracy along the minor semi-axis of the error ellipse")
        case .errorEllipseOrientation:
            FieldRow(
                "errEllOr", -360...360, .angle,
                means: "Direction of the major axis of the error ellipse from true north")
        case .dgpsAge: FieldRow("dgpsAge", 0...1e8, .duration, means: "Age of the differential corrections")
        case .dgpsStation: FieldRow("dgpsSta", 0...1e6, .count, means: "Number of the differential station")
        case .leapSeconds: FieldRow("leapseconds", 0...1000, .count, means: "GPS time minus UTC, in seconds")
        case .depth: FieldRow("depth", -1000...100_000, .length, means: "Depth of the water")
        case .temperature: FieldRow("temp", -273.15...1000, .temperature, means: "Temperature of the receiver")
        case .waterTemperature: FieldRow("wtemp", -273.15...1000, .temperature, means: "Temperature of the water")
        case .windAngleApparent:
            FieldRow("wangler", -360...360, .angle, means: "Direction of the wind relative to the bow")
        case .windAngleMagnetic:
            FieldRow("wanglem", -360...360, .angle, means: "Direction of the wind from magnetic north")
        case .windAngleTrue:
            FieldRow("wanglet", -360...360, .angle, means: "Direction of the wind from true north")
        case .windSpeedApparent:
            FieldRow("wspeedr", 0...1e5, .speed, means: "Speed of the wind relative to the vessel")
        case .windSpeedTrue: FieldRow("wspeedt", 0...1e5, .speed, means: "Speed of the wind over ground")
        case .antennaStatus: FieldRow("ant", 0...255, .count, means: "State of the antenna, as gpsd numbers it")
        case .jamming: FieldRow("jam", 0...255, .count, means: "Level of interference, from 0 to 255")
        case .heading:
            FieldRow("heading", 0...360, .angle, means: "Direction to which the front points, from true north")
        case .headingMagnetic:
            FieldRow(
                "headingMagnetic", gpsd: "mheading", 0...360, .angle,
                means: "Direction to which the front points, from magnetic north")
        case .pitch:
            FieldRow("pitch", -90...90, .angle, means: "Angle by which the front points above the horizontal plane")
        case .roll:
            FieldRow("roll", -180...180, .angle, means: "Angle by which the right side is lower than the left one")
        case .rateOfTurn:
            FieldRow(
                "rateOfTurn", gpsd: "rot", -36_000...36_000, means: "Speed of a turn to the right, in degrees a minute")
        case .meanCount: FieldRow("count", 0...1e15, .count, means: "Number of positions of which this is the mean")
        case .meanDuration:
            FieldRow("seconds", 0...1e10, .duration, means: "Time of the positions of which this is the mean")
        case .correlationTime:
            FieldRow(
                "correlation", 0...1e10, .duration, means: "Time within which the errors of those positions are alike")
        }
    }

    /// The place in the table.
    @inlinable package var place: Int { Int(rawValue) }

    /// The number as a set of its own.
    @inlinable package var bit: UInt64 { 1 &<< UInt64(truncatingIfNeeded: rawValue) }

    /// Returns the set of the numbers before this one.
    @inlinable var before: UInt64 { bit &- 1 }

    /// All numbers.
    @usableFromInline package static let all: UInt64 = allCases.bits

    /// The direction and inclination of the receiver, which come in a report of their own.
    package static let attitude: UInt64 = [.heading, .headingMagnetic, .pitch, .roll, .rateOfTurn].bits

    /// The whole numbers.
    static let counts: UInt64 = allCases.filter(\.row.isCount).bits

    /// The accuracies, of which a negative one is an invalid one.
    static let accuracies: UInt64 = [
        .horizontalAccuracy, .verticalAccuracy, .longitudeAccuracy, .latitudeAccuracy, .sphericalAccuracy,
        .timeAccuracy, .speedAccuracy, .courseAccuracy, .climbAccuracy,
    ].bits

    /// Returns whether a finite number has a meaning here, plausible or not.
    func admits(_ number: Double) -> Bool {
        if Self.counts & bit != 0, number != number.rounded() { return false }
        return number >= 0 || Self.accuracies & bit == 0
    }

    /// Creates the number with a name, which is that of `--json` or gpsd's.
    package init?(name: String) {
        guard let field = Self.named[name] else { return nil }
        self = field
    }

    private static let named: [String: Location.Field] = {
        var named: [String: Location.Field] = [:]
        for field in allCases {
            named[field.row.name.description] = field
            named[field.row.gpsdName.description] = field
        }
        return named
    }()
}

extension Sequence<Location.Field> {
    /// The numbers as a set.
    package var bits: UInt64 { reduce(0) { $0 | $1.bit } }
}
