import LocationCore
import LocwatchSupport

/// The rules that decide where a track is interrupted.
///
/// An overdue position may be that of a receiver with a long interval that is not known yet. The next report of that
/// receiver decides whether it was lost, because then the time between the reports is known. Every other loss is
/// certain at once.
struct TrackBreaks: Sendable {
    /// The known state of a receiver.
    private struct Receiver {
        var interval: ReportInterval
        /// The last report.
        var last: (time: Timestamp?, elapsed: Duration)?
    }

    /// An interruption that the next report confirms or rejects.
    private struct Doubt {
        var gap: TrackGap
        var device: String?
    }

    /// The intervals between reports, as far as the source and the options tell them.
    struct Intervals: Hashable, Sendable {
        /// The longest time between two reports without an interruption; if `nil`, see `LocationTracker.init(staleAfter:)`.
        var staleAfter: Duration?
        /// Whether the receivers are devices of a fleet, whose reports may be far apart.
        var isFleet = false

        /// The interval of a receiver that is not known yet.
        var unknown: ReportInterval { isFleet ? .remote : ReportInterval() }

        /// Notes the time that the source names, unless one was given.
        mutating func note(_ notice: Notice) {
            if staleAfter == nil, case .staleAfter(let time) = notice { staleAfter = time }
        }
    }

    var intervals: Intervals
    private var receivers = PerDevice<Receiver>()
    private var doubt: Doubt?

    init(_ intervals: Intervals) { self.intervals = intervals }

    /// Notes the cycle that the daemon reports for a receiver.
    mutating func note(_ status: DeviceStatus) {
        guard let cycle = status.cycle else { return }
        receivers[status.path, default: Receiver(interval: intervals.unknown)].interval.cycle =
            cycle
    }

    /// Notes a report without a position, or that a receiver was absent.
    mutating func note(_ reason: SearchReason, of device: String?, at elapsed: Duration) {
        let place = receivers.place(of: device, default: Receiver(interval: intervals.unknown))
        if case .noFix = reason {
            receivers[place: place].interval.note(at: elapsed)
        } else {
            receivers[place: place].interval.interrupt()
        }
    }

    /// Processes a change of state; returns an interruption if it is certain.
    mutating func process(_ transition: StateChange) -> TrackGap? {
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
        // This change confirms that an overdue position was lost.
        return transition.isOverdue ? nil : confirm()
    }

    /// Notes that positions were dropped; the next report shows whether any are missing.
    mutating func noteMissing(after device: String?) {
        doubt = doubt ?? Doubt(gap: .missing, device: device)
    }

    /// Processes a report of a position, which decides a doubt; returns the interruption before it, if any.
    mutating func process(_ location: Location, at elapsed: Duration) -> TrackGap? {
        guard !location.isLate else { return nil }
        let place = receivers.place(
            of: location.device, default: Receiver(interval: intervals.unknown))
        let last = receivers[place: place].last
        receivers[place: place].interval.note(at: elapsed)
        receivers[place: place].last = (location.timestamp, elapsed)
        guard let doubt else { return nil }
        guard doubt.device == location.device else { return confirm() }
        self.doubt = nil
        guard let last else { return doubt.gap }
        // The receiver's clock shows the true interval even if reports were delayed.
        var distance = elapsed - last.elapsed
        if let time = location.timestamp, let before = last.time, time > before { distance = time.since(before) }
        return distance > intervals.staleAfter ?? receivers[place: place].interval.staleAfter ? doubt.gap : nil
    }

    private mutating func confirm() -> TrackGap? {
        defer { doubt = nil }
        return doubt?.gap
    }
}

extension StateChange {
    /// Whether the position is only overdue.
    fileprivate var isOverdue: Bool {
        guard case .searching(let reason) = to else { return false }
        return reason.isSilence
    }
}
