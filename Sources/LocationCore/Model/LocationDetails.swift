/// The values of a location that only some receivers report.
public struct LocationDetails: Hashable, Sendable, Codable {
    /// The position in earth-centred, earth-fixed axes, in metres.
    public var ecefPosition = Vector3.unknown
    /// The velocity in earth-centred, earth-fixed axes, in metres per second.
    public var ecefVelocity = Vector3.unknown
    /// The accuracy of the earth-centred position.
    @Measured public var ecefPositionAccuracy: Double?
    /// The accuracy of the earth-centred velocity.
    @Measured public var ecefVelocityAccuracy: Double?
    /// The velocity north, east and down, in metres per second.
    public var velocityNED = Vector3.unknown
    /// The position relative to an RTK base, north, east and down, in metres.
    public var relativeNED = Vector3.unknown
    /// The semi-major axis of the error ellipse, in metres.
    @Measured public var errorEllipseMajor: Double?
    /// The semi-minor axis of the error ellipse, in metres.
    @Measured public var errorEllipseMinor: Double?
    /// The direction of the major axis, in degrees from true north.
    @Measured public var errorEllipseOrientation: Double?
    /// The age of the differential corrections, in seconds.
    @Measured public var dgpsAge: Double?
    /// The number of the differential station.
    public var dgpsStation: Int?
    /// The difference between GPS time and UTC, in seconds.
    public var leapSeconds: Int?
    /// The map datum, if reported; almost always WGS 84.
    public var datum: String?
    /// The depth of the water, in metres.
    @Measured public var depth: Double?
    /// The temperature of the receiver, in °C.
    @Measured public var temperature: Double?
    /// The temperature of the water, in °C.
    @Measured public var waterTemperature: Double?
    /// The direction of the wind relative to the bow, in degrees.
    @Measured public var windAngleApparent: Double?
    /// The direction of the wind relative to magnetic north, in degrees.
    @Measured public var windAngleMagnetic: Double?
    /// The direction of the wind relative to true north, in degrees.
    @Measured public var windAngleTrue: Double?
    /// The speed of the wind relative to the vessel, in metres per second.
    @Measured public var windSpeedApparent: Double?
    /// The speed of the wind over ground, in metres per second.
    @Measured public var windSpeedTrue: Double?
    /// The state of the antenna, as gpsd numbers it.
    public var antennaStatus: Int?
    /// The level of interference, 0 … 255.
    public var jamming: Int?

    /// Creates details without any known values.
    public init() {}
}
