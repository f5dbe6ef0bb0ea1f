/// The values of a location that only some receivers report.
@usableFromInline package struct LocationDetails: Hashable, Sendable, Codable {
    /// The position in earth-centred, earth-fixed axes, in metres.
    package var ecefPosition = Vector3.unknown
    /// The velocity in earth-centred, earth-fixed axes, in metres per second.
    package var ecefVelocity = Vector3.unknown
    /// The accuracy of the earth-centred position.
    @OptionalDouble package var ecefPositionAccuracy: Double?
    /// The accuracy of the earth-centred velocity.
    @OptionalDouble package var ecefVelocityAccuracy: Double?
    /// The velocity north, east and down, in metres per second.
    package var velocityNED = Vector3.unknown
    /// The position relative to an RTK base, north, east and down, in metres.
    package var relativeNED = Vector3.unknown
    /// The distance from an RTK base, in metres.
    @OptionalDouble package var baselineLength: Double?
    /// The direction from an RTK base, in degrees from true north.
    @OptionalDouble package var baselineCourse: Double?
    /// The semi-major axis of the error ellipse, in metres.
    @OptionalDouble package var errorEllipseMajor: Double?
    /// The semi-minor axis of the error ellipse, in metres.
    @OptionalDouble package var errorEllipseMinor: Double?
    /// The direction of the major axis, in degrees from true north.
    @OptionalDouble package var errorEllipseOrientation: Double?
    /// The age of the differential corrections, in seconds.
    @OptionalDouble package var dgpsAge: Double?
    package var dgpsStation: Int?
    /// The difference between GPS time and UTC, in seconds.
    package var leapSeconds: Int?
    /// The map datum, if reported; almost always WGS 84.
    @usableFromInline package var datum: String?
    /// The depth of the water, in metres.
    @OptionalDouble package var depth: Double?
    /// The temperature of the receiver, in °C.
    @OptionalDouble package var temperature: Double?
    /// The temperature of the water, in °C.
    @OptionalDouble package var waterTemperature: Double?
    /// The direction of the wind relative to the bow, in degrees.
    @OptionalDouble package var windAngleApparent: Double?
    /// The direction of the wind relative to magnetic north, in degrees.
    @OptionalDouble package var windAngleMagnetic: Double?
    /// The direction of the wind relative to true north, in degrees.
    @OptionalDouble package var windAngleTrue: Double?
    /// The speed of the wind relative to the vessel, in metres per second.
    @OptionalDouble package var windSpeedApparent: Double?
    /// The speed of the wind over ground, in metres per second.
    @OptionalDouble package var windSpeedTrue: Double?
    /// The state of the antenna, as gpsd numbers it.
    package var antennaStatus: Int?
    /// The level of interference, 0 … 255.
    package var jamming: Int?

    package init() {}
}

extension LocationDetails {
    /// The numbers, in the order of `--json`, under gpsd's names.
    @usableFromInline package static let fields: [NumberField] = [
        NumberField(
            "ecefx", \LocationDetails.ecefPosition, axis: 0, -1e9...1e9, .metres,
            means: "Earth-centred, earth-fixed position along x"),
        NumberField(
            "ecefy", \LocationDetails.ecefPosition, axis: 1, -1e9...1e9, .metres,
            means: "Earth-centred, earth-fixed position along y"),
        NumberField(
            "ecefz", \LocationDetails.ecefPosition, axis: 2, -1e9...1e9, .metres,
            means: "Earth-centred, earth-fixed position along z"),
        NumberField(
            "ecefvx", \LocationDetails.ecefVelocity, axis: 0, -1e5...1e5, .metresPerSecond,
            means: "Earth-centred, earth-fixed velocity along x"),
        NumberField(
            "ecefvy", \LocationDetails.ecefVelocity, axis: 1, -1e5...1e5, .metresPerSecond,
            means: "Earth-centred, earth-fixed velocity along y"),
        NumberField(
            "ecefvz", \LocationDetails.ecefVelocity, axis: 2, -1e5...1e5, .metresPerSecond,
            means: "Earth-centred, earth-fixed velocity along z"),
        NumberField(
            "ecefpAcc", \LocationDetails._ecefPositionAccuracy, 0...1e8, .metres,
            means: "Accuracy of the earth-centred position"),
        NumberField(
            "ecefvAcc", \LocationDetails._ecefVelocityAccuracy, 0...1e8, .metresPerSecond,
            means: "Accuracy of the earth-centred velocity"),
        NumberField("velN", \LocationDetails.velocityNED, axis: 0, -1e5...1e5, .speed, means: "Velocity north"),
        NumberField("velE", \LocationDetails.velocityNED, axis: 1, -1e5...1e5, .speed, means: "Velocity east"),
        NumberField("velD", \LocationDetails.velocityNED, axis: 2, -1e5...1e5, .speed, means: "Velocity down"),
        NumberField(
            "relN", \LocationDetails.relativeNED, axis: 0, -1e9...1e9, .length,
            means: "Position north of an RTK base"),
        NumberField(
            "relE", \LocationDetails.relativeNED, axis: 1, -1e9...1e9, .length,
            means: "Position east of an RTK base"),
        NumberField(
            "relD", \LocationDetails.relativeNED, axis: 2, -1e9...1e9, .length,
            means: "Position below an RTK base"),
        NumberField("baseL", \LocationDetails._baselineLength, 0...1e9, .length, means: "Distance from an RTK base"),
        NumberField(
            "baseC", \LocationDetails._baselineCourse, 0...360, .angle,
            means: "Direction from an RTK base, from true north"),
        NumberField(
            "errEllMaj", \LocationDetails._errorEllipseMajor, 0...1e8, .length,
            means: "Accuracy along the major semi-axis of the error ellipse"),
        NumberField(
            "errEllMin", \LocationDetails._errorEllipseMinor, 0...1e8, .length,
            means: "Accuracy along the minor semi-axis of the error ellipse"),
        NumberField(
            "errEllOr", \LocationDetails._errorEllipseOrientation, -360...360, .angle,
            means: "Direction of the major axis of the error ellipse from true north"),
        NumberField(
            "dgpsAge", \LocationDetails._dgpsAge, 0...1e8, .duration,
            means: "Age of the differential corrections"),
        NumberField("dgpsSta", \LocationDetails.dgpsStation, 0...1e6, means: "Number of the differential station"),
        NumberField("leapseconds", \LocationDetails.leapSeconds, 0...1000, means: "GPS time minus UTC, in seconds"),
        NumberField("depth", \LocationDetails._depth, -1000...100_000, .length, means: "Depth of the water"),
        NumberField(
            "temp", \LocationDetails._temperature, -273.15...1000, .temperature,
            means: "Temperature of the receiver"),
        NumberField(
            "wtemp", \LocationDetails._waterTemperature, -273.15...1000, .temperature,
            means: "Temperature of the water"),
        NumberField(
            "wangler", \LocationDetails._windAngleApparent, -360...360, .angle,
            means: "Direction of the wind relative to the bow"),
        NumberField(
            "wanglem", \LocationDetails._windAngleMagnetic, -360...360, .angle,
            means: "Direction of the wind from magnetic north"),
        NumberField(
            "wanglet", \LocationDetails._windAngleTrue, -360...360, .angle,
            means: "Direction of the wind from true north"),
        NumberField(
            "wspeedr", \LocationDetails._windSpeedApparent, 0...1e5, .speed,
            means: "Speed of the wind relative to the vessel"),
        NumberField(
            "wspeedt", \LocationDetails._windSpeedTrue, 0...1e5, .speed,
            means: "Speed of the wind over ground"),
        NumberField("ant", \LocationDetails.antennaStatus, 0...255, means: "State of the antenna, as gpsd numbers it"),
        NumberField("jam", \LocationDetails.jamming, 0...255, means: "Level of interference, from 0 to 255"),
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
    }
}
