/// The values of a location that only some receivers report; the rows of `fields` have their meanings and units.
@usableFromInline package struct LocationDetails: Hashable, Sendable, Codable {
    package var ecefPosition = Vector3.unknown
    package var ecefVelocity = Vector3.unknown
    @OptionalDouble package var ecefPositionAccuracy: Double?
    @OptionalDouble package var ecefVelocityAccuracy: Double?
    package var velocityNED = Vector3.unknown
    package var relativeNED = Vector3.unknown
    @OptionalDouble package var baselineLength: Double?
    @OptionalDouble package var baselineCourse: Double?
    @OptionalDouble package var errorEllipseMajor: Double?
    @OptionalDouble package var errorEllipseMinor: Double?
    @OptionalDouble package var errorEllipseOrientation: Double?
    @OptionalDouble package var dgpsAge: Double?
    package var dgpsStation: Int?
    package var leapSeconds: Int?
    /// The map datum, if reported; almost always WGS 84.
    @usableFromInline package var datum: String?
    @OptionalDouble package var depth: Double?
    @OptionalDouble package var temperature: Double?
    @OptionalDouble package var waterTemperature: Double?
    @OptionalDouble package var windAngleApparent: Double?
    @OptionalDouble package var windAngleMagnetic: Double?
    @OptionalDouble package var windAngleTrue: Double?
    @OptionalDouble package var windSpeedApparent: Double?
    @OptionalDouble package var windSpeedTrue: Double?
    @OptionalDouble package var heading: Double?
    @OptionalDouble package var headingMagnetic: Double?
    @OptionalDouble package var pitch: Double?
    @OptionalDouble package var roll: Double?
    /// In degrees a minute.
    @OptionalDouble package var rateOfTurn: Double?
    package var antennaStatus: Int?
    package var jamming: Int?
    package var meanCount: Int?
    @OptionalDouble package var meanDuration: Double?
    @OptionalDouble package var correlationTime: Double?

    /// Whether the position is a mean whose error its positions were too few to tell.
    @usableFromInline package var isTooShort: Bool { meanCount != nil && correlationTime == nil }

    package init() {}
}

extension LocationDetails {
    /// The numbers, in the order of `--json`, under gpsd's names.
    @usableFromInline package static let fields: [NumberField] = [
        NumberField(
            "ecefx", \Self.ecefPosition, axis: 0, -1e9...1e9, .metres,
            means: "Earth-centred, earth-fixed position along x"),
        NumberField(
            "ecefy", \Self.ecefPosition, axis: 1, -1e9...1e9, .metres,
            means: "Earth-centred, earth-fixed position along y"),
        NumberField(
            "ecefz", \Self.ecefPosition, axis: 2, -1e9...1e9, .metres,
            means: "Earth-centred, earth-fixed position along z"),
        NumberField(
            "ecefvx", \Self.ecefVelocity, axis: 0, -1e5...1e5, .metresPerSecond,
            means: "Earth-centred, earth-fixed velocity along x"),
        NumberField(
            "ecefvy", \Self.ecefVelocity, axis: 1, -1e5...1e5, .metresPerSecond,
            means: "Earth-centred, earth-fixed velocity along y"),
        NumberField(
            "ecefvz", \Self.ecefVelocity, axis: 2, -1e5...1e5, .metresPerSecond,
            means: "Earth-centred, earth-fixed velocity along z"),
        NumberField(
            "ecefpAcc", \Self._ecefPositionAccuracy, 0...1e8, .metres, means: "Accuracy of the earth-centred position"),
        NumberField(
            "ecefvAcc", \Self._ecefVelocityAccuracy, 0...1e8, .metresPerSecond,
            means: "Accuracy of the earth-centred velocity"),
        NumberField("velN", \Self.velocityNED, axis: 0, -1e5...1e5, .speed, means: "Velocity north"),
        NumberField("velE", \Self.velocityNED, axis: 1, -1e5...1e5, .speed, means: "Velocity east"),
        NumberField("velD", \Self.velocityNED, axis: 2, -1e5...1e5, .speed, means: "Velocity down"),
        NumberField("relN", \Self.relativeNED, axis: 0, -1e9...1e9, .length, means: "Position north of an RTK base"),
        NumberField("relE", \Self.relativeNED, axis: 1, -1e9...1e9, .length, means: "Position east of an RTK base"),
        NumberField("relD", \Self.relativeNED, axis: 2, -1e9...1e9, .length, means: "Position below an RTK base"),
        NumberField("baseL", \Self._baselineLength, 0...1e9, .length, means: "Distance from an RTK base"),
        NumberField(
            "baseC", \Self._baselineCourse, 0...360, .angle, means: "Direction from an RTK base, from true north"),
        NumberField(
            "errEllMaj", \Self._errorEllipseMajor, 0...1e8, .length,
            means: "Accuracy along the major semi-axis of the error ellipse"),
        NumberField(
            "errEllMin", \Self._errorEllipseMinor, 0...1e8, .length,
            means: "Accuracy along the minor semi-axis of the error ellipse"),
        NumberField(
            "errEllOr", \Self._errorEllipseOrientation, -360...360, .angle,
            means: "Direction of the major axis of the error ellipse from true north"),
        NumberField("dgpsAge", \Self._dgpsAge, 0...1e8, .duration, means: "Age of the differential corrections"),
        NumberField("dgpsSta", \Self.dgpsStation, 0...1e6, means: "Number of the differential station"),
        NumberField("leapseconds", \Self.leapSeconds, 0...1000, means: "GPS time minus UTC, in seconds"),
        NumberField("depth", \Self._depth, -1000...100_000, .length, means: "Depth of the water"),
        NumberField("temp", \Self._temperature, -273.15...1000, .temperature, means: "Temperature of the receiver"),
        NumberField("wtemp", \Self._waterTemperature, -273.15...1000, .temperature, means: "Temperature of the water"),
        NumberField(
            "wangler", \Self._windAngleApparent, -360...360, .angle,
            means: "Direction of the wind relative to the bow"),
        NumberField(
            "wanglem", \Self._windAngleMagnetic, -360...360, .angle,
            means: "Direction of the wind from magnetic north"),
        NumberField(
            "wanglet", \Self._windAngleTrue, -360...360, .angle, means: "Direction of the wind from true north"),
        NumberField(
            "wspeedr", \Self._windSpeedApparent, 0...1e5, .speed, means: "Speed of the wind relative to the vessel"),
        NumberField("wspeedt", \Self._windSpeedTrue, 0...1e5, .speed, means: "Speed of the wind over ground"),
        NumberField("ant", \Self.antennaStatus, 0...255, means: "State of the antenna, as gpsd numbers it"),
        NumberField("jam", \Self.jamming, 0...255, means: "Level of interference, from 0 to 255"),
        NumberField(
            "heading", \Self._heading, 0...360, .angle, means: "Direction to which the front points, from true north"),
        NumberField(
            "headingMagnetic", \Self._headingMagnetic, gpsd: "mheading", 0...360, .angle,
            means: "Direction to which the front points, from magnetic north"),
        NumberField(
            "pitch", \Self._pitch, -90...90, .angle,
            means: "Angle by which the front points above the horizontal plane"),
        NumberField(
            "roll", \Self._roll, -180...180, .angle,
            means: "Angle by which the right side is lower than the left one"),
        NumberField(
            "rateOfTurn", \Self._rateOfTurn, gpsd: "rot", -36_000...36_000,
            means: "Speed of a turn to the right, in degrees a minute"),
        NumberField("count", \Self.meanCount, 0...1e15, means: "Number of positions of which this is the mean"),
        NumberField(
            "seconds", \Self._meanDuration, 0...1e10, .duration,
            means: "Time of the positions of which this is the mean"
        ),
        NumberField(
            "correlation", \Self._correlationTime, 0...1e10, .duration,
            means: "Time within which the errors of those positions are alike"),
    ]

    /// The first field that `--json` has after the datum.
    @usableFromInline static let datumPlace = fields.place(of: "depth")

    /// Details without any known values.
    @usableFromInline static let unknown = LocationDetails()

    /// Visits the fields that only some receivers report.
    @inlinable package func visitFields(_ visitor: inout some LocationFieldVisitor) {
        withUnsafeBytes(of: self) { Self.fields[..<Self.datumPlace].visit($0, &visitor) }
        visitor.word("datum", datum)
        withUnsafeBytes(of: self) { Self.fields[Self.datumPlace...].visit($0, &visitor) }
        visitor.mark("tooShort", isTooShort)
    }
}
