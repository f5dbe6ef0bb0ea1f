import LocationCore

/// Decides where a track is interrupted.
///
/// A position that is only overdue may be that of a receiver that reports seldom, whose interval is not known yet. Whether it
/// was lost is decided when the next report of that receiver has arrived and the distance in time is known. Every other
/// loss is one at once.
struct TrackBreaks: Sendable {
    /// What is known of a receiver.
    private struct Receiver {
        var interval = ReportInterval()
        /// The last report.
        var last: (time: Timestamp?, elapsed: Duration)?
    }

    /// An interruption that the next report confirms or not.
    private struct Doubt {
        var gap: TrackGap
        var device: String?
    }

    private let staleAfter: Duration?
    private var receivers = PerDevice<Receiver>()
    private var doubt: Doubt?

    /// - Parameter staleAfter: the distance in time of two reports without an interruption; if `nil`, see `LocationTracker.init(staleAfter:)`.
    init(staleAfter: Duration? = nil) {
        self.staleAfter = staleAfter
    }

    /// Learns the cycle that a daemon names.
    mutating func note(_ status: DeviceStatus) {
        guard let cycle = status.cycle else { return }
        receivers[status.path, default: Receiver()].interval.cycle = cycle
    }

    /// Learns from a report without a position, or from the news that a receiver was away.
    mutating func note(_ reason: SearchReason, of device: String?, at elapsed: Duration) {
        let place = receivers.place(of: device, default: Receiver())
        if reason.kind == .noFix {
            receivers[place: place].interval.note(at: elapsed)
        } else {
            receivers[place: place].interval.interrupt()
        }
    }

    /// Processes a change of state; returns an interruption that is certain.
    mutating func process(_ transition: Transition) -> TrackGap? {
        if case .found(let location) = transition.from {
            let gap = TrackGap.loss(transition)
            guard transition.isOverdue else {
                doubt = nil
                return gap
            }
            doubt = Doubt(gap: gap, device: location.device)
            return nil
        }
        if case .found = transition.to { return nil }
        // An overdue position turns out to be lost.
        return transition.isOverdue ? nil : confirm()
    }

    /// Notes that positions were dropped on their way; the next report shows whether some are missing.
    mutating func noteMissing(after device: String?) {
        doubt = doubt ?? Doubt(gap: .missing, device: device)
    }

    /// Processes a report of a position, which decides a doubt; returns the interruption before it, if there is one.
    mutating func process(_ location: Location, at elapsed: Duration) -> TrackGap? {
        guard location.revision == 0, !location.isLate else { return nil }
        let place = receivers.place(of: location.device, default: Receiver())
        let last = receivers[place: place].last
        receivers[place: place].interval.note(at: elapsed)
        receivers[place: place].last = (location.timestamp, elapsed)
        guard let doubt else { return nil }
        guard doubt.device == location.device else { return confirm() }
        self.doubt = nil
        guard let last else { return doubt.gap }
        // The receiver's clock shows what is missing, whatever delayed its reports on their way.
        var distance = elapsed - last.elapsed
        if let time = location.timestamp, let before = last.time, time > before { distance = time.since(before) }
        return distance > staleAfter ?? receivers[place: place].interval.staleAfter ? doubt.gap : nil
    }

    private mutating func confirm() -> TrackGap? {
        defer { doubt = nil }
        return doubt?.gap
    }
}

extension Transition {
    /// Whether the position was only not renewed in time.
    fileprivate var isOverdue: Bool {
        guard case .searching(let reason) = to else { return false }
        return reason.kind == .silent || reason.kind == .deviceSilent
    }
}
