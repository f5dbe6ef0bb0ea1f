/// The position of a receiver at one epoch, with its accuracy.
///
/// Units are metres, metres per second and degrees; values that the receiver did not report are `nil`. Accuracies are
/// the receiver's or gpsd's estimates, nominally at 95 % confidence. An accuracy that is set to a negative number, which CoreLocation
/// calls invalid, is unknown.
///
/// A program can store a location, such as its last one: its coded form has a key for each known value, with the name of the property.
/// Times are RFC 3339 text.
public struct Location: Hashable, Sendable, Codable {
    /// The point on the WGS 84 ellipsoid.
    public var coordinate: Coordinate
    /// The dimensions of the fix.
    public var fix: FixKind
    /// The method by which the fix was obtained.
    public var quality: FixQuality
    /// The time of the epoch, by the receiver's clock.
    public var timestamp: Timestamp?
    /// The time at which the report arrived, by the session's clock.
    public var received: Timestamp?
    /// The receiver that reported the position.
    public var device: String?
    /// Whether the device had already reported a later epoch.
    ///
    /// Where a receiver's time goes back, as between two logs in one file, only the first position is late: the receiver begins anew
    /// with it, and the next ones are compared with it. A device of a fleet does not begin anew; each position that is older than
    /// its newest one is late.
    public var isLate: Bool
    /// See `isSimulated`.
    package var simulation = SimulationMark()

    /// The height above mean sea level.
    @OptionalDouble public var altitudeMSL: Double?
    /// The height above the WGS 84 ellipsoid.
    @OptionalDouble public var altitudeHAE: Double?
    /// The height of the geoid above the ellipsoid at this point.
    @OptionalDouble public var geoidSeparation: Double?

    /// The accuracy of the point on the ground, as a radius.
    @OptionalDouble public var horizontalAccuracy: Double? {
        didSet { _horizontalAccuracy.dropNegative() }
    }
    /// The accuracy along the east–west axis.
    @OptionalDouble public var longitudeAccuracy: Double? {
        didSet { _longitudeAccuracy.dropNegative() }
    }
    /// The accuracy along the north–south axis.
    @OptionalDouble public var latitudeAccuracy: Double? {
        didSet { _latitudeAccuracy.dropNegative() }
    }
    /// The accuracy of the altitude.
    @OptionalDouble public var verticalAccuracy: Double? {
        didSet { _verticalAccuracy.dropNegative() }
    }
    /// The accuracy in all three dimensions together.
    @OptionalDouble public var sphericalAccuracy: Double? {
        didSet { _sphericalAccuracy.dropNegative() }
    }
    /// The accuracy of the timestamp, in seconds.
    @OptionalDouble public var timeAccuracy: Double? {
        didSet { _timeAccuracy.dropNegative() }
    }

    /// The speed over ground.
    @OptionalDouble public var speed: Double?
    /// The accuracy of the speed.
    @OptionalDouble public var speedAccuracy: Double? {
        didSet { _speedAccuracy.dropNegative() }
    }
    /// The direction of movement over ground, clockwise from true north.
    ///
    /// It is not the ``heading``, the direction to which the front points: wind, current and reverse gear make the two differ. At
    /// rest it is noise, or absent.
    @OptionalDouble public var course: Double?
    /// The accuracy of the course.
    @OptionalDouble public var courseAccuracy: Double? {
        didSet { _courseAccuracy.dropNegative() }
    }
    /// The direction of movement over ground, clockwise from magnetic north.
    @OptionalDouble public var courseMagnetic: Double?
    /// The angle of magnetic north east of true north.
    @OptionalDouble public var magneticVariation: Double?
    /// The upward speed.
    @OptionalDouble public var climb: Double?
    /// The accuracy of the climb.
    @OptionalDouble public var climbAccuracy: Double? {
        didSet { _climbAccuracy.dropNegative() }
    }

    /// The values that only some receivers report, if any.
    ///
    /// They are stored separately to keep an ordinary location small.
    @usableFromInline @Boxed package var details: LocationDetails?

    /// Whether there are details, determined for every location without copying them, because they are large.
    @usableFromInline package var hasDetails: Bool { !_details.isEmpty }

    /// Creates a location from the usual values; all others are unknown until they are set.
    public init(
        coordinate: Coordinate, fix: FixKind = .threeD, timestamp: Timestamp? = nil, device: String? = nil,
        horizontalAccuracy: Double? = nil, altitudeMSL: Double? = nil, speed: Double? = nil, course: Double? = nil
    ) {
        self.coordinate = coordinate
        self.fix = fix
        quality = .ordinary
        self.timestamp = timestamp
        self.device = device
        isLate = false
        self.horizontalAccuracy = horizontalAccuracy
        // An initializer calls no observer.
        _horizontalAccuracy.dropNegative()
        self.altitudeMSL = altitudeMSL
        self.speed = speed
        self.course = course
    }

    /// The age of the position when it arrived, if both times are known; never negative.
    public var ageWhenReceived: Duration? {
        guard let timestamp, let received else { return nil }
        return max(.zero, received.since(timestamp))
    }
}

extension Location {
    /// Returns the distance to another position in metres, along the surface of the WGS 84 ellipsoid.
    ///
    /// It is that of the coordinates, whatever their accuracy is.
    public func distance(to other: Location) -> Double { coordinate.distance(to: other.coordinate) }
}

extension Location {
    /// The numbers of a location without its details, in the order of `--json`.
    @usableFromInline package static let fields: [NumberField] = [
        NumberField("altMSL", \Self._altitudeMSL, -20_000...1e8, .length, means: "Height above mean sea level"),
        NumberField("altHAE", \Self._altitudeHAE, -20_000...1e8, .length, means: "Height above the WGS 84 ellipsoid"),
        NumberField("eph", \Self._horizontalAccuracy, 0...1e8, .length, means: "Accuracy on the ground, as a radius"),
        NumberField("epv", \Self._verticalAccuracy, 0...1e8, .length, means: "Accuracy of the altitude"),
        NumberField("speed", \Self._speed, 0...1e5, .speed, means: "Speed over ground"),
        NumberField(
            "course", \Self._course, gpsd: "track", 0...360, .angle,
            means: "Direction of movement over ground from true north, not the heading"),
        NumberField("climb", \Self._climb, -1e5...1e5, .speed, means: "Speed upwards"),
        NumberField("epx", \Self._longitudeAccuracy, 0...1e8, .length, means: "Accuracy of the longitude"),
        NumberField("epy", \Self._latitudeAccuracy, 0...1e8, .length, means: "Accuracy of the latitude"),
        NumberField("sep", \Self._sphericalAccuracy, 0...1e8, .length, means: "Accuracy in three dimensions"),
        NumberField("ept", \Self._timeAccuracy, 0...1e8, .duration, means: "Accuracy of the time"),
        NumberField("eps", \Self._speedAccuracy, 0...1e8, .speed, means: "Accuracy of the speed"),
        NumberField("epd", \Self._courseAccuracy, 0...360, .angle, means: "Accuracy of the course"),
        NumberField("epc", \Self._climbAccuracy, 0...1e8, .speed, means: "Accuracy of the climb"),
        NumberField(
            "courseMagnetic", \Self._courseMagnetic, gpsd: "magtrack", 0...360, .angle,
            means: "Direction of movement over ground from magnetic north"),
        NumberField(
            "magvar", \Self._magneticVariation, -180...180, .angle,
            means: "Angle of magnetic north east of true north"),
        NumberField(
            "geoidSep", \Self._geoidSeparation, -1000...1000, .length,
            means: "Height of the geoid above the ellipsoid"),
    ]
    /// The first fields that `--json` has after the mode, and after the receiver.
    @usableFromInline static let modePlace = fields.place(of: "eph")
    @usableFromInline static let devicePlace = fields.place(of: "epx")
}
