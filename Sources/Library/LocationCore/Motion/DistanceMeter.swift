/// A meter of the distance that a session covers, without the drift of a receiver that stands.
///
/// It follows the current receiver and measures as the statistics of `LocationTracks` do: a motion counts when it is certain that the
/// receiver has left its place, and then from its beginning, and the way over a gap is unknown. Its memory is constant, so that it can
/// run for months.
///
/// ```swift
/// var meter = DistanceMeter()
/// for try await update in provider.tracked() {
///     meter.process(update)
///     if let metres = meter.distance { print(metres) }
/// }
/// ```
public struct DistanceMeter: Sendable {
    /// The distance in metres, which never decreases, or `nil` in a fleet, whose machines have ways of their own.
    ///
    /// A stop can show that the last metres of a way were drift. They stay in the distance, and as many metres of the next way are not
    /// added.
    public var distance: Double? { covered.map { start + $0 } }

    private let start: Double
    /// The way so far in metres, or `nil` in a fleet.
    private var covered: Double? = 0
    private var clock = FigureClock()
    private var motion = Motion()
    private var breaks = PositionBreaks()
    /// The receiver whose position was current last, if any was.
    private var current: String??

    /// Creates a meter.
    ///
    /// - Parameter start: The distance in metres with which it begins, such as that of an odometer.
    public init(startingAt start: Double = 0) { self.start = start }

    /// Processes an update of a session.
    public mutating func process(_ update: TrackedUpdate) {
        switch update {
        case .transition(let transition):
            if let location = transition.to.location { current = .some(location.device) }
            if breaks.process(transition) != nil { interrupt() }
        case .handover(let handover):
            current = .some(handover.to)
            interrupt()
        case .update(let update, let standing):
            if update.subject != nil { covered = nil }
            guard let covered, let location = update.location, !location.isLate, counts(location, standing)
            else { return }
            process(location, update)
            self.covered = max(covered, motion.distance)
        case .deviceTransition, .integrity, .fence, .failureEnded: break
        }
    }

    private mutating func process(_ location: Location, _ update: LocationUpdate) {
        let arrival = update.moment.arrival(of: location).elapsed
        let staleAfter = update.reportInterval?.staleAfter
        if breaks.process(location, at: arrival, staleAfter: staleAfter) != nil { interrupt() }
        let elapsed = arrival.clampedNanoseconds
        clock.follow(location, at: elapsed)
        motion.process(location, isStationary: update.isStationary, at: clock.time(of: elapsed))
    }

    /// Notes that nothing is known of the motion until the next position.
    private mutating func interrupt() {
        clock.interrupt()
        motion.interrupt()
    }

    /// Returns whether a position is one of the current receiver, also if the request withholds it: an interval between the positions
    /// that are shown does not shorten the way.
    private mutating func counts(_ location: Location, _ standing: TrackedUpdate.Standing) -> Bool {
        switch standing {
        case .current:
            current = .some(location.device)
            return true
        case .withheld: return current == .some(location.device) && location.fix >= .twoD
        case .other, .late, .outdated, .repeated: return false
        }
    }
}
