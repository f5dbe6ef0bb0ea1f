package import LocationCore

/// The statistics of one receiver of a session.
package struct ReceiverStatistics: Sendable {
    package let device: String?
    package private(set) var epochs = 0
    /// The number of positions that were older than an earlier one.
    package private(set) var late = 0
    package var fixes: [FixKind: Int] { fixCounts.all }
    package private(set) var horizontalAccuracy: Distribution
    /// The time with a current position.
    package private(set) var foundTime = Duration.zero
    /// The share of the session with a current position; `nil` if the session has no duration or the receiver's states
    /// are unknown.
    package private(set) var availability: Double?
    private var fixCounts = RunCounts<FixKind>()
    private var presence = Availability()
    private var hasStates = false

    init(_ device: String?, exactLimit: Int) {
        self.device = device
        horizontalAccuracy = Distribution(exactLimit: exactLimit)
    }

    /// The time from the beginning of the session to its first position, if any.
    package var timeToFirstFix: Duration? { presence.timeToFirstFix }
    /// The times without a current position after the first one; the last may be still in progress.
    package var gaps: [TrackStatistics.Gap] { presence.losses.filter { $0.length > .zero } }
    /// The current report interval: the median of the last five, or `nil` before the second report.
    package private(set) var reportInterval: Duration?

    /// Processes a position, and the interval of the receiver's reports, if it is known.
    mutating func process(_ location: Location, at moment: Moment, _ interval: ReportInterval.Estimate?) {
        epochs += 1
        fixCounts.count(location.fix)
        if location.isLate {
            late += 1
            return
        }
        horizontalAccuracy.process(location.horizontalAccuracy)
        reportInterval = interval?.median
        presence.process(location, at: moment.elapsed, staleAfter: interval?.staleAfter)
    }

    /// Processes a change of state at the moment of its beginning.
    mutating func process(_ transition: StateChange, at moment: Moment) {
        hasStates = true
        presence.process(transition, at: moment)
    }

    func at(_ moment: Moment?, of duration: Duration) -> ReceiverStatistics {
        var copy = self
        if let moment { copy.presence.pass(moment) }
        copy.foundTime = presence.foundTime(until: duration)
        copy.availability = duration > .zero && hasStates ? copy.foundTime / duration : nil
        return copy
    }
}
