/// What only some receivers tell about a location.
public struct LocationDetails: Hashable, Sendable, Codable {
    /// Position in earth-centred, earth-fixed axes, metres.
    public var ecefPosition = Vector3.unknown
    /// Velocity in earth-centred, earth-fixed axes, metres a second.
    public var ecefVelocity = Vector3.unknown
    /// Accuracy of the earth-centred position.
    @Measured public var ecefPositionAccuracy: Double?
    /// Accuracy of the earth-centred velocity.
    @Measured public var ecefVelocityAccuracy: Double?
    /// Velocity north, east and down, metres a second.
    public var velocityNED = Vector3.unknown
    /// Position relative to an RTK base: north, east and down, metres.
    public var relativeNED = Vector3.unknown
    /// Semi-major axis of the error ellipse, metres.
    @Measured public var errorEllipseMajor: Double?
    /// Semi-minor axis of the error ellipse, metres.
    @Measured public var errorEllipseMinor: Double?
    /// Direction of the major axis, degrees from true north.
    @Measured public var errorEllipseOrientation: Double?
    /// Age of the differential corrections, seconds.
    @Measured public var dgpsAge: Double?
    /// The differential station.
    public var dgpsStation: Int?
    /// Difference between GPS time and UTC, seconds.
    public var leapSeconds: Int?
    /// The map datum, where it is said; almost always WGS 84.
    public var datum: String?
    /// Depth of the water, metres.
    @Measured public var depth: Double?
    /// Temperature of the receiver, °C.
    @Measured public var temperature: Double?
    /// Temperature of the water, °C.
    @Measured public var waterTemperature: Double?
    /// Direction of the wind relative to the bow, degrees.
    @Measured public var windAngleApparent: Double?
    /// Direction of the wind relative to magnetic north, degrees.
    @Measured public var windAngleMagnetic: Double?
    /// Direction of the wind relative to true north, degrees.
    @Measured public var windAngleTrue: Double?
    /// Speed of the wind relative to the vessel, metres a second.
    @Measured public var windSpeedApparent: Double?
    /// Speed of the wind over ground, metres a second.
    @Measured public var windSpeedTrue: Double?
    /// State of the antenna as gpsd numbers it.
    public var antennaStatus: Int?
    /// Level of interference, 0 … 255.
    public var jamming: Int?

    /// Details of which nothing is known yet.
    public init() {}
}
