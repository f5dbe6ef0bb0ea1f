// The numbers of a location by name. Setting one makes new values; what sets several uses a `LocationDraft`.
extension Location {
    /// A number of the table, or `nil` if it is unknown.
    @usableFromInline package subscript(field: Field) -> Double? {
        @inlinable @inline(__always) get { storage.numbers[field] }
        set { change { $0[field] = newValue } }
    }

    /// A whole number of the table, or `nil` if it is unknown.
    package subscript(count field: Field) -> Int? {
        // All numbers would be copied for one that is mostly unknown.
        get { storage.numbers.known & field.bit == 0 ? nil : self[field].flatMap { Int(exactly: $0) } }
        set { change { $0.numbers[count: field] = newValue } }
    }

    /// The number with a name, which is that of `--json` or gpsd's, if it is known.
    ///
    /// It reads also what only some receivers report, such as `depth`, `temp`, `wspeedt` (the speed of the wind) or `baseL` (the distance from
    /// an RTK base); `man locwatch` lists the names.
    public subscript(name: String) -> Double? { Field(name: name).flatMap { self[$0] } }

    /// The altitude above mean sea level, or above the ellipsoid if only that is known.
    @inlinable package var altitude: Double? { altitudeMSL ?? altitudeHAE }

    /// The height above mean sea level.
    public var altitudeMSL: Double? {
        @inlinable get { storage.numbers[.altitudeMSL] }
        set { self[.altitudeMSL] = newValue }
    }

    /// The height above the WGS 84 ellipsoid.
    public var altitudeHAE: Double? {
        @inlinable get { storage.numbers[.altitudeHAE] }
        set { self[.altitudeHAE] = newValue }
    }

    /// The height of the geoid above the ellipsoid at this point.
    public var geoidSeparation: Double? {
        @inlinable get { storage.numbers[.geoidSeparation] }
        set { self[.geoidSeparation] = newValue }
    }

    /// The accuracy of the point on the ground, as a radius.
    public var horizontalAccuracy: Double? {
        @inlinable get { storage.numbers[.horizontalAccuracy] }
        set { self[.horizontalAccuracy] = newValue }
    }

    /// The accuracy along the east–west axis.
    public var longitudeAccuracy: Double? {
        @inlinable get { storage.numbers[.longitudeAccuracy] }
        set { self[.longitudeAccuracy] = newValue }
    }

    /// The accuracy along the north–south axis.
    public var latitudeAccuracy: Double? {
        @inlinable get { storage.numbers[.latitudeAccuracy] }
        set { self[.latitudeAccuracy] = newValue }
    }

    /// The accuracy of the altitude.
    public var verticalAccuracy: Double? {
        @inlinable get { storage.numbers[.verticalAccuracy] }
        set { self[.verticalAccuracy] = newValue }
    }

    /// The accuracy in all three dimensions together.
    public var sphericalAccuracy: Double? {
        @inlinable get { storage.numbers[.sphericalAccuracy] }
        set { self[.sphericalAccuracy] = newValue }
    }

    /// The accuracy of the timestamp, in seconds.
    public var timeAccuracy: Double? {
        @inlinable get { storage.numbers[.timeAccuracy] }
        set { self[.timeAccuracy] = newValue }
    }

    /// The speed over ground.
    public var speed: Double? {
        @inlinable get { storage.numbers[.speed] }
        set { self[.speed] = newValue }
    }

    /// The accuracy of the speed.
    public var speedAccuracy: Double? {
        @inlinable get { storage.numbers[.speedAccuracy] }
        set { self[.speedAccuracy] = newValue }
    }

    /// The direction of movement over ground, clockwise from true north.
    ///
    /// It is not the ``heading``, the direction to which the front points: wind, current and reverse gear make the two differ. At
    /// rest it is noise, or absent.
    public var course: Double? {
        @inlinable get { storage.numbers[.course] }
        set { self[.course] = newValue }
    }

    /// The accuracy of the course.
    public var courseAccuracy: Double? {
        @inlinable get { storage.numbers[.courseAccuracy] }
        set { self[.courseAccuracy] = newValue }
    }

    /// The direction of movement over ground, clockwise from magnetic north.
    public var courseMagnetic: Double? {
        @inlinable get { storage.numbers[.courseMagnetic] }
        set { self[.courseMagnetic] = newValue }
    }

    /// The angle of magnetic north east of true north.
    public var magneticVariation: Double? {
        @inlinable get { storage.numbers[.magneticVariation] }
        set { self[.magneticVariation] = newValue }
    }

    /// The upward speed.
    public var climb: Double? {
        @inlinable get { storage.numbers[.climb] }
        set { self[.climb] = newValue }
    }

    /// The accuracy of the climb.
    public var climbAccuracy: Double? {
        @inlinable get { storage.numbers[.climbAccuracy] }
        set { self[.climbAccuracy] = newValue }
    }

    /// The heading, the direction to which the front points, clockwise from true north.
    ///
    /// Only a compass or a receiver with two antennas measures it; ``course`` is the direction of the movement. A heading from magnetic
    /// north gives it too if the magnetic variation is known.
    public var heading: Double? {
        @inlinable get { storage.numbers[.heading] }
        set { self[.heading] = newValue }
    }

    /// The heading, clockwise from magnetic north.
    ///
    /// A heading from true north gives it too if the magnetic variation is known.
    public var headingMagnetic: Double? {
        @inlinable get { storage.numbers[.headingMagnetic] }
        set { self[.headingMagnetic] = newValue }
    }

    /// The angle in degrees by which the front points above the horizontal plane.
    public var pitch: Double? {
        @inlinable get { storage.numbers[.pitch] }
        set { self[.pitch] = newValue }
    }

    /// The angle in degrees by which the right side is lower than the left one.
    public var roll: Double? {
        @inlinable get { storage.numbers[.roll] }
        set { self[.roll] = newValue }
    }

    /// The speed of a turn to the right, in degrees a minute.
    public var rateOfTurn: Double? {
        @inlinable get { storage.numbers[.rateOfTurn] }
        set { self[.rateOfTurn] = newValue }
    }
}
