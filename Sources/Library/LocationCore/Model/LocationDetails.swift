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
    /// The number of the differential station.
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

    /// Creates details without any known values.
    package init() {}
}

extension LocationDetails {
    /// The numbers, in the order of `--json`, under gpsd's names.
    @usableFromInline package static let fields: [NumberField] = [
        NumberField("ecefx", \LocationDetails.ecefPosition, axis: 0, -1e9...1e9),
        NumberField("ecefy", \LocationDetails.ecefPosition, axis: 1, -1e9...1e9),
        NumberField("ecefz", \LocationDetails.ecefPosition, axis: 2, -1e9...1e9),
        NumberField("ecefvx", \LocationDetails.ecefVelocity, axis: 0, -1e5...1e5),
        NumberField("ecefvy", \LocationDetails.ecefVelocity, axis: 1, -1e5...1e5),
        NumberField("ecefvz", \LocationDetails.ecefVelocity, axis: 2, -1e5...1e5),
        NumberField("ecefpAcc", \LocationDetails._ecefPositionAccuracy, 0...1e8),
        NumberField("ecefvAcc", \LocationDetails._ecefVelocityAccuracy, 0...1e8),
        NumberField("velN", \LocationDetails.velocityNED, axis: 0, -1e5...1e5, .speed),
        NumberField("velE", \LocationDetails.velocityNED, axis: 1, -1e5...1e5, .speed),
        NumberField("velD", \LocationDetails.velocityNED, axis: 2, -1e5...1e5, .speed),
        NumberField("relN", \LocationDetails.relativeNED, axis: 0, -1e9...1e9, .length),
        NumberField("relE", \LocationDetails.relativeNED, axis: 1, -1e9...1e9, .length),
        NumberField("relD", \LocationDetails.relativeNED, axis: 2, -1e9...1e9, .length),
        NumberField("baseL", \LocationDetails._baselineLength, 0...1e9, .length),
        NumberField("baseC", \LocationDetails._baselineCourse, 0...360),
        NumberField("errEllMaj", \LocationDetails._errorEllipseMajor, 0...1e8, .length),
        NumberField("errEllMin", \LocationDetails._errorEllipseMinor, 0...1e8, .length),
        NumberField("errEllOr", \LocationDetails._errorEllipseOrientation, -360...360),
        NumberField("dgpsAge", \LocationDetails._dgpsAge, 0...1e8),
        NumberField("dgpsSta", \LocationDetails.dgpsStation, 0...1e6),
        NumberField("leapseconds", \LocationDetails.leapSeconds, 0...1000),
        NumberField("depth", \LocationDetails._depth, -1000...100_000, .length),
        NumberField("temp", \LocationDetails._temperature, -273.15...1000),
        NumberField("wtemp", \LocationDetails._waterTemperature, -273.15...1000),
        NumberField("wangler", \LocationDetails._windAngleApparent, -360...360),
        NumberField("wanglem", \LocationDetails._windAngleMagnetic, -360...360),
        NumberField("wanglet", \LocationDetails._windAngleTrue, -360...360),
        NumberField("wspeedr", \LocationDetails._windSpeedApparent, 0...1e5, .speed),
        NumberField("wspeedt", \LocationDetails._windSpeedTrue, 0...1e5, .speed),
        NumberField("ant", \LocationDetails.antennaStatus, 0...255),
        NumberField("jam", \LocationDetails.jamming, 0...255),
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
