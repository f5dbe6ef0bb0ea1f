public import LocationCore

/// A point of a track: a location, and what was known of the satellites when it came.
public struct TrackPoint: Hashable, Sendable {
    /// Where, when, and how sure that is.
    public var location: Location
    /// How many satellites were seen.
    public var seen: Int?
    /// How many of them the fix was made of.
    public var used: Int?
    /// How the geometry of the satellites widened errors.
    public var dilution: DilutionOfPrecision
    /// The satellites one by one, for formats that list them; `nil` if they are not known or not kept.
    public var satellites: [Satellite]?
    /// The time of the report of the satellites, if it had one.
    package var skyTime: Timestamp?

    /// A point out of a location and the sky view that belongs to it.
    public init(_ location: Location, sky: SkyView? = nil) {
        self.location = location
        seen = sky?.seen
        used = sky?.used
        dilution = sky?.dilution ?? DilutionOfPrecision()
        satellites = sky?.satellites
        skyTime = sky?.timestamp
    }

    /// Creates a point out of a location and the figures of the sky that belongs to it.
    package init(_ location: Location, seen: Int?, used: Int?, dilution: DilutionOfPrecision) {
        self.location = location
        self.seen = seen
        self.used = used
        self.dilution = dilution
    }
}

/// Why a track was interrupted.
public enum TrackGap: Hashable, Sendable {
    /// There was no current position for a while.
    case loss(Transition)
    /// The next point is earlier than the one before.
    case timeWentBack
    /// The next point is a day or more later than the one before, and nothing was told in between: a recording that was gone on
    /// with another day, or a clock that was set.
    case timeJumped
    /// Another receiver goes on.
    case otherDevice
    /// The file was there before, and what follows is another session.
    case continued

    /// When the position was lost, where that is known.
    public var moment: Moment? {
        if case .loss(let transition) = self { transition.moment } else { nil }
    }
}

/// What a track is made of, in its order.
public enum TrackElement: Hashable, Sendable {
    /// The next point.
    case point(TrackPoint)
    /// The last point again, as a later report of the same instant changed it or added to it.
    case revision(TrackPoint)
    /// The track is interrupted; a new segment begins with the next point.
    case gap(TrackGap)
}
