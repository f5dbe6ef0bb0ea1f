import LocationCore

/// When there was a current position, and when there was none.
struct Availability: Sendable {
    /// The time from the beginning of the session to the first position, if there was one.
    private(set) var timeToFirstFix: Duration?
    /// The losses in their order, also those of no length; the last may still last.
    private(set) var losses: [TrackStatistics.Gap] = []
    private var isFound = false
    private var foundSince = Duration.zero
    private var foundBefore = Duration.zero
    /// Whether the next report decides if the last loss was one.
    private(set) var isInDoubt = false

    /// How long there was a position until a time of the session.
    func foundTime(until now: Duration) -> Duration {
        foundBefore + (isFound ? max(.zero, now - foundSince) : .zero)
    }

    /// Processes a change of state.
    ///
    /// - Parameter isCertain: whether a loss is one already, and does not depend on the next report.
    mutating func process(_ transition: Transition, isCertain: Bool) {
        if case .found = transition.to {
            guard !isFound else { return }
            timeToFirstFix = timeToFirstFix ?? transition.moment.elapsed
            if let last = losses.indices.last {
                losses[last].length = losses[last].start.duration(to: transition.moment)
            }
            isFound = true
            foundSince = transition.moment.elapsed
        } else if isFound {
            isFound = false
            foundBefore += transition.moment.elapsed - foundSince
            losses.append(.init(start: transition.moment, length: .zero, reason: transition.reason.code))
            isInDoubt = !isCertain
        } else if isCertain {
            isInDoubt = false
        }
    }

    /// Decides about the last loss; if it was none, its time was one with a position.
    mutating func resolve(isLoss: Bool) {
        guard isInDoubt else { return }
        isInDoubt = false
        if !isLoss, isFound, let loss = losses.popLast() { foundBefore += loss.length }
    }

    /// Lets time pass, which a loss lasts.
    mutating func pass(_ moment: Moment) {
        if !isFound, let last = losses.indices.last { losses[last].length = losses[last].start.duration(to: moment) }
    }
}
