public import LocationCore

/// A schedule that decides which positions of a session are published, and when.
///
/// A position is published if it reaches the distance, the interval or the change of course from the last published one;
/// any of them is sufficient, and without any of them each position is published. A heartbeat repeats the position while
/// nothing moves. The first position after a search, a loss, and what happens at a fence are published at once.
///
/// The schedule has no clock: callers pass the moments, and call `expire(at:)` at `deadline` if nothing arrives.
public struct PublishSchedule: Hashable, Sendable {
    /// The criteria of a schedule.
    public struct Options: Hashable, Sendable {
        /// The distance from the last published position in metres.
        public var distance: Double?
        /// The time since the last published position, by the receiver's clock.
        public var interval: Duration?
        /// The change of course since the last published position in degrees.
        public var angle: Double?
        /// The time without a published position after which the current one is published again.
        public var heartbeat: Duration?

        /// Creates the criteria that publish each position and no heartbeat.
        public init() {}
    }

    /// The speed in metres per second below which a course is noise.
    private static let leastSpeed = 1.0

    private let options: Options
    private var grid: IntervalGrid?
    private var published: Location?
    private var current: Location?
    private var isFound = false
    private var isAwaitingFirst = true
    private var nextHeartbeat: Moment?

    /// Creates a schedule.
    public init(_ options: Options) {
        self.options = options
        grid = options.interval.map { IntervalGrid($0) }
    }

    /// Returns the record for a position, or `nil` if it is not published.
    ///
    /// A position that arrived after a newer one is not published, because it would become the current one.
    public mutating func record(for location: Location, at moment: Moment) -> PublishRecord? {
        guard !location.isLate else { return nil }
        let time = IntervalGrid.Time(location.timestamp, arrival: moment.elapsed)
        grid?.note(time)
        current = location
        isFound = true
        guard isAwaitingFirst || isDue(location, time) else { return nil }
        let occasion: PublishRecord.Occasion = isAwaitingFirst ? .found : .moved
        isAwaitingFirst = false
        grid?.pass(time)
        return record(occasion, location, at: moment)
    }

    /// Returns the record for a change of state, or `nil` if it is not published.
    public mutating func record(for transition: StateChange) -> PublishRecord? {
        guard transition.to.location == nil else { return nil }
        let wasFound = isFound
        isFound = false
        isAwaitingFirst = true
        nextHeartbeat = nil
        return wasFound ? record(.lost, current, at: transition.moment) : nil
    }

    /// Replaces the current position after a handover, so that no heartbeat repeats that of the replaced receiver.
    ///
    /// - Parameter location: The last position of the new receiver, or `nil` if it is not to be published.
    package mutating func replaceCurrent(by location: Location?) {
        current = location
        if location == nil { nextHeartbeat = nil }
    }

    /// Returns the record for an event at a fence, or `nil` if nothing has happened there, as with `outside`.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - location: The position that caused it, which follows the event; if it is `nil`, the record has the last one.
    public mutating func record(for event: FenceEvent, causedBy location: Location? = nil) -> PublishRecord? {
        guard event.kind.isOfStay, let location = location ?? current else { return nil }
        return record(.fence(event.kind, name: event.fence), location, at: event.moment)
    }

    /// The moment of the next heartbeat, if there is one.
    public var deadline: Moment? { nextHeartbeat }

    /// Returns the record of the heartbeat that is due, if any.
    public mutating func expire(at moment: Moment) -> PublishRecord? {
        guard let due = nextHeartbeat, due <= moment, let current else { return nil }
        return record(.heartbeat, current, at: moment)
    }

    private func isDue(_ location: Location, _ time: IntervalGrid.Time) -> Bool {
        guard let published else { return true }
        if options.distance == nil, options.interval == nil, options.angle == nil { return true }
        if let distance = options.distance, published.coordinate.distance(to: location.coordinate) >= distance {
            return true
        }
        if let grid, grid.admits(time) { return true }
        guard let angle = options.angle, let before = published.course, let now = location.course,
            let speed = location.speed, speed >= Self.leastSpeed
        else { return false }
        let change = abs(now - before).truncatingRemainder(dividingBy: 360)
        return min(change, 360 - change) >= angle
    }

    private mutating func record(
        _ occasion: PublishRecord.Occasion, _ location: Location?, at moment: Moment
    ) -> PublishRecord {
        if let location, occasion != .lost {
            published = location
            nextHeartbeat = isFound ? options.heartbeat.map { moment.advanced(by: $0) } : nil
        }
        return PublishRecord(occasion, created: moment.wall, location: location)
    }
}
