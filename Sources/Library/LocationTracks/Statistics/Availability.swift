import LocationCore

/// The times with and without a current position.
struct Availability: Sendable {
    /// The time from the beginning of the session to the first position, if any.
    private(set) var timeToFirstFix: Duration?
    /// The losses in order, including those without a length; the last one may be still in progress.
    private(set) var losses: [TrackStatistics.Gap] = []
    private var isFound = false
    private var foundSince = Duration.zero
    private var foundBefore = Duration.zero
    /// Whether the next report decides if the last loss was real.
    private var isInDoubt = false
    private var breaks = PositionBreaks()

    /// Returns the time with a position until a time of the session.
    func foundTime(until now: Duration) -> Duration {
        foundBefore + (isFound ? max(.zero, now - foundSince) : .zero)
    }

    /// Processes a change of state at the moment of its beginning; returns whether it interrupts the track for certain, without the
    /// next report.
    @discardableResult
    mutating func process(_ transition: StateChange, at moment: Moment) -> Bool {
        let isCertain = breaks.process(transition) != nil
        if case .found = transition.to {
            guard !isFound else { return isCertain }
            timeToFirstFix = timeToFirstFix ?? moment.elapsed
            if let last = losses.indices.last {
                losses[last].length = losses[last].start.duration(to: moment)
            }
            isFound = true
            foundSince = moment.elapsed
        } else if isFound {
            isFound = false
            foundBefore += moment.elapsed - foundSince
            losses.append(.init(start: moment, length: .zero, reason: transition.reason.code))
            isInDoubt = !isCertain
        } else if isCertain {
            isInDoubt = false
        }
        return isCertain
    }

    /// Processes a position, which decides the last loss; returns whether the track is interrupted before it.
    ///
    /// If the loss was not a real one, its time counts as time with a position.
    @discardableResult
    mutating func process(_ location: Location, at elapsed: Duration, staleAfter: Duration?) -> Bool {
        let isLoss = breaks.process(location, at: elapsed, staleAfter: staleAfter) != nil
        if isInDoubt, !isLoss, isFound, let loss = losses.popLast() { foundBefore += loss.length }
        isInDoubt = false
        return isLoss
    }

    /// Extends a current loss to a moment.
    mutating func pass(_ moment: Moment) {
        if !isFound, let last = losses.indices.last { losses[last].length = losses[last].start.duration(to: moment) }
    }
}
