import LocwatchSupport

/// An interruption of the positions of a session, or of one receiver.
package enum PositionBreak: Sendable {
    /// There was no current position for a while.
    case loss(StateChange)
    /// Positions were dropped before they arrived.
    case missing
}

/// The rules that decide where the positions of a session are interrupted, so that no way is known from one to the next.
///
/// An overdue position may be that of a receiver with a long interval that is not known yet. The next report of that
/// receiver decides whether it was lost, because then the session knows the time between the reports, which the update
/// carries. Every other loss is certain at once.
package struct PositionBreaks: Sendable {
    /// The time of a report, by the receiver's clock and by the session's.
    private struct Report {
        var time: Timestamp?
        var elapsed: Duration
    }

    /// An interruption that the next report confirms or rejects.
    private struct Doubt {
        var interruption: PositionBreak
        var device: String?
    }

    private var reports = PerDevice<Report?>()
    // On the heap, because there is rarely one, and each position asks.
    @HeapOptional private var doubt: Doubt?

    package init() {}

    /// Processes a change of state; returns an interruption if it is certain.
    package mutating func process(_ transition: StateChange) -> PositionBreak? {
        if case .found(let location) = transition.from {
            let loss = PositionBreak.loss(transition)
            guard transition.isOverdue else {
                doubt = nil
                return loss
            }
            doubt = Doubt(interruption: loss, device: location.device)
            return nil
        }
        if case .found = transition.to { return nil }
        // This change confirms that an overdue position was lost.
        return transition.isOverdue ? nil : confirm()
    }

    /// Notes that positions were dropped; the next report shows whether any are missing.
    package mutating func noteMissing(after device: String?) {
        doubt = doubt ?? Doubt(interruption: .missing, device: device)
    }

    /// Processes a report of a position, which decides a doubt; returns the interruption before it, if any.
    ///
    /// - Parameters:
    ///   - location: The position.
    ///   - elapsed: The time of its arrival.
    ///   - staleAfter: The longest time between two reports without an interruption, if it is known.
    package mutating func process(_ location: Location, at elapsed: Duration, staleAfter: Duration?) -> PositionBreak? {
        guard !location.isLate else { return nil }
        let place = reports.place(of: location.device, default: nil)
        let last = reports[place: place]
        reports[place: place] = Report(time: location.timestamp, elapsed: elapsed)
        guard !_doubt.isEmpty, let doubt else { return nil }
        guard doubt.device == location.device else { return confirm() }
        self.doubt = nil
        guard let last, let staleAfter else { return doubt.interruption }
        // The receiver's clock shows the true interval even if reports were delayed.
        var distance = elapsed - last.elapsed
        if let time = location.timestamp, let before = last.time, time > before { distance = time.since(before) }
        return distance > staleAfter ? doubt.interruption : nil
    }

    private mutating func confirm() -> PositionBreak? {
        defer { doubt = nil }
        return doubt?.interruption
    }
}

extension StateChange {
    fileprivate var isOverdue: Bool {
        guard case .searching(let reason) = to else { return false }
        return reason.isSilence
    }
}
