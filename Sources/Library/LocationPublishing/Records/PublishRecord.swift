public import LocationCore

/// A position to publish, and the occasion for it.
///
/// A record is what a queue stores and what a target encodes. It never contains a secret.
public struct PublishRecord: Hashable, Sendable {
    /// An occasion for publishing.
    public enum Occasion: Hashable, Sendable {
        /// The position is the first one, or the distance, the interval or the change of course was reached.
        case moved
        /// Nothing moved for the time of a heartbeat.
        case heartbeat
        /// A person or a program asked for this one position.
        case manual
        /// Something happened at a fence.
        case fence(FenceEvent.Kind, name: String)
        /// A position was found after a search.
        case found
        /// The position was lost; the record has the last one, if there was one.
        case lost
    }

    /// Whether the record is published as the current position, unlike a loss or an event at a fence.
    package var isPosition: Bool {
        switch occasion {
        case .moved, .heartbeat, .manual, .found: location != nil
        case .fence, .lost: false
        }
    }

    /// The occasion.
    public var occasion: Occasion
    /// The time at which the record was made; the fix may be older.
    public var created: Timestamp
    /// The position; only a loss may be without one.
    public var location: Location?
    /// The satellites and the dilutions of precision at the position, as far as the receiver reported them.
    public var sky: SkyView?
    /// The judgement of the receiver when the record was made: whether the position is to be believed.
    public var verdict = IntegrityVerdict.nominal
    /// Whether the receiver stood still when the record was made.
    public var isStationary = false
    /// The distance in metres that the session had covered when the record was made, if it was measured.
    public var distance: Double?
    /// Whether the target may have got the record before, as each target is told after a connection or a program has ended.
    public var isRepeated = false

    /// Creates a record.
    public init(_ occasion: Occasion, created: Timestamp, location: Location?, sky: SkyView? = nil) {
        self.occasion = occasion
        self.created = created
        self.location = location
        self.sky = sky
    }

    /// Takes over the judgement of the receiver of the position from a session, and the satellites that belong to it.
    ///
    /// - Parameter needsSky: Whether a target needs the dilutions of precision and each satellite, and not only the counts.
    package mutating func note(_ view: SessionView, _ sky: SkyView?, needsSky: Bool) {
        guard let location, let receiver = view[location.device] else { return }
        verdict = receiver.verdict
        isStationary = receiver.isStationary
        distance = view.distance(at: location)
        // After a loss the last satellites are not those in use any more.
        if occasion != .lost { self.sky = needsSky ? sky : sky?.counts }
    }

    /// The number of satellites in use, if the receiver reported it.
    package var satellitesUsed: Int? { sky?.used }

    /// The time of the fix, or the time at which the record was made if the fix has none.
    package var time: Timestamp { location?.timestamp ?? created }
}

extension SkyView {
    /// The numbers of satellites without the satellites, if they are known.
    fileprivate var counts: SkyView? {
        seen == nil && used == nil ? nil : SkyView(satellites: nil, seen: seen, used: used)
    }
}
