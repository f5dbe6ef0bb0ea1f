public import LocationCore

/// A point of a track: a location and the state of the satellites at its arrival.
public struct TrackPoint: Hashable, Sendable {
    /// The location with its time and accuracy.
    public var location: Location
    /// The number of satellites seen.
    public var seen: Int?
    /// The number of satellites used for the fix.
    public var used: Int?
    /// The dilution of precision.
    public var dilution: DilutionOfPrecision
    /// The satellites, for formats that list them; `nil` if they are unknown or not kept.
    public var satellites: [Satellite]?
    /// The time of the sky view, if it had one.
    package var skyTime: Timestamp?
    /// The track of a file to which the point belongs, if the file can have several.
    package var track: SourceTrack?
    /// The judgement of the receiver: whether the position is to be believed.
    @usableFromInline package var verdict = IntegrityVerdict.nominal
    /// Whether the receiver stands still, as the session has decided.
    @usableFromInline package var isStationary = false
    /// The time in seconds between the two epochs from which the point is interpolated, or `nil` for one that a receiver reported.
    public var interpolatedOver: Double?
    /// The distance in metres that the session has covered, if it is measured.
    @usableFromInline package var distance: Double?
    /// The error against a point whose place is known, if there is one.
    @usableFromInline package var error: ReferenceError?

    /// Creates a point from a location and the sky view that belongs to it.
    public init(_ location: Location, sky: SkyView? = nil) { self.init(location, sky: sky, keepsSatellites: true) }

    /// Creates a point from a location and the sky view that belongs to it, with or without the list of satellites.
    init(_ location: Location, sky: SkyView?, keepsSatellites: Bool) {
        self.location = location
        dilution = sky?.dilution ?? DilutionOfPrecision()
        guard let sky else { return }
        (seen, used, skyTime) = (sky.seen, sky.used, sky.timestamp)
        if keepsSatellites { satellites = sky.satellites }
    }

    /// Creates a point from a location and the figures of the sky view that belongs to it.
    package init(_ location: Location, seen: Int?, used: Int?, dilution: DilutionOfPrecision) {
        self.location = location
        self.seen = seen
        self.used = used
        self.dilution = dilution
    }
}

/// A track of a file that can have several, such as a `trk` of GPX.
package final class SourceTrack: Hashable, Sendable {
    /// Its place in the file, counted from 1.
    package let number: Int
    package let name: String?

    package init(number: Int, name: String? = nil) { (self.number, self.name) = (number, name) }

    package static func == (left: SourceTrack, right: SourceTrack) -> Bool {
        left.number == right.number && left.name == right.name
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The reason for an interruption of a track.
public enum TrackGap: Hashable, Sendable {
    /// There was no current position for a while.
    case loss(StateChange)
    /// The next point is earlier than the one before.
    case timeWentBack
    /// The next point is at least a day later than the one before, without an event in between: a recording that was
    /// continued on another day, or a clock that was set.
    case timeJumped
    /// Another receiver continues the track, for the reason of the handover.
    case handover(Handover)
    /// Positions were dropped before they arrived.
    case missing
    /// The file already existed, and another session follows.
    case continued
    /// Another track of the file that is read follows, which has a name or none. GPX and KML begin a track with it.
    case track(name: String?)

    /// The moment at which the position was lost or handed over, if known.
    package var moment: Moment? {
        switch self {
        case .loss(let transition): transition.moment
        case .handover(let handover): handover.moment
        case .timeWentBack, .timeJumped, .missing, .continued, .track: nil
        }
    }
}

/// An element of a track.
public enum TrackElement: Hashable, Sendable {
    /// The next point.
    case point(TrackPoint)
    /// The track is interrupted; a new segment begins with the next point.
    case gap(TrackGap)
}

extension TrackElement {
    /// The location, if the element is a point; without a copy of the point.
    package var location: Location? { if case .point(let point) = self { point.location } else { nil } }
}
