import LocationCore
import LocationPublishing
import LocwatchArguments

/// Turns the states of deliveries into reports of their changes, each of which is made once.
struct DeliveryReporter {
    private let targets: [String]
    private var memories: [DeliveryMemory]

    init(_ targets: [String]) {
        self.targets = targets
        memories = targets.map { _ in DeliveryMemory() }
    }

    /// Returns the reports of what has changed since the last call; `now` is of `DeliveryClock`, and `wall` the time in the
    /// reports.
    mutating func reports(
        _ statuses: [DeliveryStatus], at now: Duration, wall: Timestamp
    ) -> [DeliveryReport] {
        var reports: [DeliveryReport] = []
        for (index, status) in statuses.enumerated() {
            let changes = memories[index].changes(status, at: now)
            for change in changes {
                // A target has often taken records since the connection that is reported.
                let queued = change == .connected ? memories[index].queuedBefore(status) : status.queued
                reports.append(
                    DeliveryReport(
                        time: wall, target: targets[index], change: change, queued: queued, sent: status.taken))
            }
        }
        return reports
    }
}

/// The reports that were made about a target.
private struct DeliveryMemory {
    /// A number of records, the changes of which are reported at intervals.
    struct Counter {
        private static let interval = Duration.seconds(10)

        private var reported: UInt64 = 0
        private var last: Duration?

        mutating func news(_ count: UInt64, at now: Duration, isLast: Bool) -> Int? {
            guard count > reported, isLast || last.map({ now - $0 >= Self.interval }) ?? true else { return nil }
            defer { (reported, last) = (count, now) }
            return Int(clamping: count - reported)
        }
    }

    private var isConnected = false
    private var isEnded = false
    /// The obstacle that was reported last, until the next connection.
    private var obstacle: String?
    /// Whether records were queued when the connection was established.
    private var isBehind = false
    /// The state before the connection.
    private var before = DeliveryStatus()
    private var dropped = Counter()
    private var rejected = Counter()

    /// Returns the number of records that were queued when the connection was established.
    func queuedBefore(_ status: DeliveryStatus) -> Int {
        status.queued + Int(clamping: status.done - min(status.done, before.done))
    }

    mutating func changes(_ status: DeliveryStatus, at now: Duration) -> [DeliveryReport.Change] {
        var changes: [DeliveryReport.Change] = []
        let isClosed = status.phase == .closed
        if let count = dropped.news(status.dropped, at: now, isLast: isClosed) { changes.append(.dropped(count)) }
        if let count = rejected.news(status.rejected, at: now, isLast: isClosed) { changes.append(.rejected(count)) }
        switch status.phase {
        case .ready: isBehind = status.queued > 1
        case .connected:
            if !isConnected {
                isConnected = true
                obstacle = nil
                isBehind = isBehind || status.queued > 1
                changes.append(.connected)
            }
            guard isBehind, status.isComplete else { break }
            isBehind = false
            changes.append(.complete)
        case .waiting(let cause, let until), .held(let cause, let until):
            (isConnected, isBehind, before) = (false, false, status)
            guard cause != obstacle else { break }
            obstacle = cause
            let retry = max(.zero, until - now)
            changes.append(status.isHeld ? .held(cause: cause, retry: retry) : .waiting(cause: cause, retry: retry))
        case .closed where !isEnded:
            isEnded = true
            // A short delivery can be over before its connection was seen.
            if !isConnected, status.taken > before.taken {
                isBehind = isBehind || status.taken - before.taken > 1
                changes.append(.connected)
            }
            if isBehind, status.isComplete { changes.append(.complete) }
            changes.append(.ended)
        case .idle, .connecting: before = status
        case .closing, .closed: break
        }
        return changes
    }
}
