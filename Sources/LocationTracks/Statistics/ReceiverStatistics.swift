public import LocationCore

/// One receiver of a session in figures.
public struct ReceiverStatistics: Sendable {
    /// The receiver's name, if it has one.
    public let device: String?
    /// The number of positions that it reported, several of an instant included.
    public private(set) var reports = 0
    /// The number of instants that had a position.
    public private(set) var instants = 0
    /// The number of positions that were older than one before.
    public private(set) var late = 0
    /// The number of instants by the kind of their fix, as first reported.
    public private(set) var fixes: [FixKind: Int] = [:]
    /// Horizontal accuracy as first reported of each instant, metres.
    public private(set) var horizontalAccuracy = Distribution()
    /// The time during which it had a current position.
    public private(set) var foundTime = Duration.zero
    /// The share of the session with a current position; `nil` of a session without any time, and if no change of the
    /// receiver's state was taken in.
    public private(set) var availability: Double?
    private var presence = Availability()
    private var hasStates = false
    private var interval = ReportInterval()
    private var breaks: TrackBreaks

    init(_ device: String?, staleAfter: Duration?) {
        self.device = device
        breaks = TrackBreaks(staleAfter: staleAfter)
    }

    /// The time from the beginning of the session to its first position; `nil` if there was none.
    public var timeToFirstFix: Duration? { presence.timeToFirstFix }
    /// The times without a current position after the first; the last may still last.
    public var gaps: [TrackStatistics.Gap] { presence.losses.filter { $0.length > .zero } }
    /// The interval at which it reported last: the median of the last five; `nil` before the second report.
    public var reportInterval: Duration? { interval.median }

    mutating func process(_ location: Location, at moment: Moment) {
        reports += 1
        guard location.revision == 0 else { return }
        instants += 1
        fixes[location.fix, default: 0] += 1
        horizontalAccuracy.process(location.horizontalAccuracy)
        if location.isLate {
            late += 1
            return
        }
        interval.note(at: moment.elapsed)
        let gap = breaks.process(location, at: moment.elapsed)
        presence.resolve(isLoss: gap != nil)
    }

    mutating func process(_ transition: Transition) {
        hasStates = true
        presence.process(transition, isCertain: breaks.process(transition) != nil)
    }

    mutating func note(_ status: DeviceStatus) { breaks.note(status) }

    mutating func note(_ reason: SearchReason, at moment: Moment) {
        breaks.note(reason, of: device, at: moment.elapsed)
    }

    /// The same figures as they stand at a moment.
    func at(_ moment: Moment?, of duration: Duration) -> ReceiverStatistics {
        var copy = self
        if let moment { copy.presence.pass(moment) }
        copy.foundTime = presence.foundTime(until: duration)
        copy.availability = duration > .zero && hasStates ? copy.foundTime / duration : nil
        return copy
    }
}
