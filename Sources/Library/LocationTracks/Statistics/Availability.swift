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
    private(set) var isInDoubt = false

    /// Returns the time with a position until a time of the session.
    func foundTime(until now: Duration) -> Duration {
        foundBefore + (isFound ? max(.zero, now - foundSince) : .zero)
    }

    /// Processes a change of state.
    ///
    /// - Parameter isCertain: Whether a loss is certain, and does not depend on the next report.
    mutating func process(_ transition: StateChange, isCertain: Bool) {
        if case .found = transition.to {
            guard !isFound else { return }
            timeToFirstFix = timeToFirstFix ?? transition.beginning.elapsed
            if let last = losses.indices.last {
                losses[last].length = losses[last].start.duration(to: transition.beginning)
            }
            isFound = true
            foundSince = transition.beginning.elapsed
        } else if isFound {
            isFound = false
            foundBefore += transition.moment.elapsed - foundSince
            losses.append(.init(start: transition.moment, length: .zero, reason: transition.reason.code))
            isInDoubt = !isCertain
        } else if isCertain {
            isInDoubt = false
        }
    }

    /// Decides the last loss; if it was not a real one, its time counts as time with a position.
    mutating func resolve(isLoss: Bool) {
        guard isInDoubt else { return }
        isInDoubt = false
        if !isLoss, isFound, let loss = losses.popLast() { foundBefore += loss.length }
    }

    /// Extends a current loss to a moment.
    mutating func pass(_ moment: Moment) {
        if !isFound, let last = losses.indices.last { losses[last].length = losses[last].start.duration(to: moment) }
    }
}
