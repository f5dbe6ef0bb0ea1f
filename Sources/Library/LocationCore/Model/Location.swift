/// The position of a receiver at one epoch, with its accuracy.
///
/// Units are metres, metres per second and degrees; values that the receiver did not report are `nil`. Accuracies are
/// the receiver's or gpsd's estimates, nominally at 95 % confidence. An accuracy that is set to a negative number, which CoreLocation
/// calls invalid, is unknown.
///
/// A location is a reference to values that never change, so that passing it on costs nothing. Setting a property makes new ones.
///
/// A program can store a location, such as its last one: its coded form has a key for each known value, with the name of the property.
/// Times are RFC 3339 text.
public struct Location: Sendable {
    @usableFromInline final class Storage: Sendable {
        @usableFromInline let facts: Facts
        @usableFromInline let numbers: FixNumbers

        @usableFromInline init(_ facts: consuming Facts, _ numbers: consuming FixNumbers) {
            self.facts = facts
            self.numbers = numbers
        }
    }

    @usableFromInline var storage: Storage

    /// Creates a location from the usual values; all others are unknown until they are set.
    public init(
        coordinate: Coordinate, fix: FixKind = .threeD, timestamp: Timestamp? = nil, device: String? = nil,
        horizontalAccuracy: Double? = nil, altitudeMSL: Double? = nil, speed: Double? = nil, course: Double? = nil
    ) {
        var draft = LocationDraft(at: coordinate, fix: fix)
        draft.facts.timestamp = timestamp
        draft.facts.device = device
        draft[.horizontalAccuracy] = horizontalAccuracy
        draft[.altitudeMSL] = altitudeMSL
        draft[.speed] = speed
        draft[.course] = course
        self.init(draft)
    }

    /// Creates a location with the values of a draft.
    package init(_ draft: consuming LocationDraft) { self.init(draft.facts, draft.numbers) }

    /// Creates a location from its parts.
    package init(_ facts: consuming Facts, _ numbers: consuming FixNumbers) { storage = Storage(facts, numbers) }

    /// Makes several changes at once.
    package mutating func change(_ changes: (inout LocationDraft) -> Void) {
        var draft = LocationDraft(self)
        changes(&draft)
        self = Location(draft)
    }

    @inlinable package var facts: Facts { storage.facts }
    @inlinable package var numbers: FixNumbers { storage.numbers }
}

extension Location {
    /// The point on the WGS 84 ellipsoid.
    public var coordinate: Coordinate {
        @inlinable get { storage.facts.coordinate }
        set { change { $0.facts.coordinate = newValue } }
    }

    /// The dimensions of the fix.
    public var fix: FixKind {
        @inlinable get { storage.facts.fix }
        set { change { $0.facts.fix = newValue } }
    }

    /// The method by which the fix was obtained.
    public var quality: FixQuality {
        @inlinable get { storage.facts.quality }
        set { change { $0.facts.quality = newValue } }
    }

    /// The time of the epoch, by the receiver's clock.
    public var timestamp: Timestamp? {
        @inlinable get { storage.facts.timestamp }
        set { change { $0.facts.timestamp = newValue } }
    }

    /// The time at which the report arrived, by the session's clock.
    public var received: Timestamp? {
        @inlinable get { storage.facts.received }
        set { change { $0.facts.received = newValue } }
    }

    /// The receiver that reported the position.
    public var device: String? {
        @inlinable get { storage.facts.device }
        set { change { $0.facts.device = newValue } }
    }

    /// Whether the device had already reported a later epoch.
    ///
    /// Where a receiver's time goes back, as between two logs in one file, only the first position is late: the receiver begins anew
    /// with it, and the next ones are compared with it. A device of a fleet does not begin anew; each position that is older than
    /// its newest one is late.
    public var isLate: Bool {
        @inlinable get { storage.facts.isLate }
        set { change { $0.facts.isLate = newValue } }
    }

    /// Whether the position is that of a script, a simulated receiver, a recording or a track, and not of a receiver now.
    ///
    /// It follows from the provider, and takes no part in comparisons. A gpsd does not tell whether its receiver is simulated.
    public var isSimulated: Bool {
        @inlinable get { storage.facts.isSimulated }
        set { change { $0.facts.isSimulated = newValue } }
    }

    /// The map datum, if reported; almost always WGS 84.
    @usableFromInline package var datum: String? {
        @inlinable get { storage.facts.datum }
        set { change { $0.facts.datum = newValue } }
    }

    /// The age of the position when it arrived, if both times are known; never negative.
    public var ageWhenReceived: Duration? {
        guard let timestamp, let received else { return nil }
        return max(.zero, received.since(timestamp))
    }

    /// Returns the distance to another position in metres, along the surface of the WGS 84 ellipsoid.
    ///
    /// It is that of the coordinates, whatever their accuracy is.
    public func distance(to other: Location) -> Double { coordinate.distance(to: other.coordinate) }
}

extension Location: Hashable {
    /// Returns whether two locations have the same values; the mark of a simulation does not count.
    public static func == (left: Location, right: Location) -> Bool {
        left.storage === right.storage || left.facts == right.facts && left.storage.numbers == right.storage.numbers
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.facts)
        hasher.combine(storage.numbers)
    }
}

extension LocationEvent {
    /// The same event; a position is marked as simulated.
    package var simulated: LocationEvent {
        guard case .location(var location) = self, !location.isSimulated else { return self }
        location.isSimulated = true
        return .location(location)
    }
}
