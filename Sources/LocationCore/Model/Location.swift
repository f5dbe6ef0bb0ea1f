/// Where a receiver was at an instant, and how sure that is.
///
/// Metres, metres a second, degrees; what the receiver did not tell is `nil`. Accuracies are the receiver's or gpsd's
/// estimates, nominally of 95 % confidence.
public struct Location: Hashable, Sendable, Codable {
    /// The point on the WGS 84 ellipsoid.
    public var coordinate: Coordinate
    /// Whether it is a fix in two dimensions or in three.
    public var fix: FixKind
    /// What helped the fix.
    public var quality: FixQuality
    /// When the receiver was there, by the receiver's clock.
    public var timestamp: Timestamp?
    /// When the report arrived, by the clock of the session.
    public var received: Timestamp?
    /// The receiver that said so.
    public var device: String?
    /// 0 for the first report of an instant, then 1, 2, … as later reports of the same instant change or add something.
    public var revision: Int
    /// Whether the device had already reported a later instant.
    public var isLate: Bool

    /// Height above mean sea level.
    @Measured public var altitudeMSL: Double?
    /// Height above the WGS 84 ellipsoid.
    @Measured public var altitudeHAE: Double?
    /// How far the geoid lies above the ellipsoid here.
    @Measured public var geoidSeparation: Double?

    /// Accuracy of the point on the ground, as a radius.
    @Measured public var horizontalAccuracy: Double?
    /// Accuracy along the east–west axis.
    @Measured public var longitudeAccuracy: Double?
    /// Accuracy along the north–south axis.
    @Measured public var latitudeAccuracy: Double?
    /// Accuracy of the altitude.
    @Measured public var verticalAccuracy: Double?
    /// Accuracy in all three dimensions together.
    @Measured public var sphericalAccuracy: Double?
    /// Accuracy of the timestamp, in seconds.
    @Measured public var timeAccuracy: Double?

    /// Speed over ground.
    @Measured public var speed: Double?
    /// Accuracy of the speed.
    @Measured public var speedAccuracy: Double?
    /// Direction of movement, clockwise from true north.
    @Measured public var course: Double?
    /// Accuracy of the course.
    @Measured public var courseAccuracy: Double?
    /// Direction of movement, clockwise from magnetic north.
    @Measured public var courseMagnetic: Double?
    /// How far magnetic north lies east of true north.
    @Measured public var magneticVariation: Double?
    /// Speed upwards.
    @Measured public var climb: Double?
    /// Accuracy of the climb.
    @Measured public var climbAccuracy: Double?

    /// What only some receivers tell; `nil` where this one tells nothing of it.
    ///
    /// Kept apart, so that an ordinary location stays small.
    @Boxed public var details: LocationDetails?

    /// Whether there are any; asked for with each location, and large where there are.
    @usableFromInline package var hasDetails: Bool { !_details.isEmpty }

    /// A location with what is usually known; all else is unknown until it is set.
    public init(
        coordinate: Coordinate, fix: FixKind = .threeD, timestamp: Timestamp? = nil, device: String? = nil,
        horizontalAccuracy: Double? = nil, altitudeMSL: Double? = nil, speed: Double? = nil, course: Double? = nil
    ) {
        self.coordinate = coordinate
        self.fix = fix
        quality = .ordinary
        self.timestamp = timestamp
        self.device = device
        revision = 0
        isLate = false
        self.horizontalAccuracy = horizontalAccuracy
        self.altitudeMSL = altitudeMSL
        self.speed = speed
        self.course = course
    }

    /// How old the position was when it arrived, where both times are known; never negative.
    public var ageWhenReceived: Duration? {
        guard let timestamp, let received else { return nil }
        return max(.zero, received.since(timestamp))
    }
}
