import LocationCore
import LocationPublishing
import LocwatchArguments

/// Turns the states of deliveries into reports of their changes, each of which is made once.
struct DeliveryReporter {
    private var memories: [DeliveryMemory]

    init(_ targets: [String]) { memories = targets.map(DeliveryMemory.init) }

    /// Returns the reports of what has changed since the last call; `now` is of `DeliveryClock`, and `wall` the time in the
    /// reports.
    mutating func reports(_ statuses: [DeliveryStatus], at now: Duration, wall: Timestamp) -> [DeliveryReport] {
        statuses.indices.flatMap { memories[$0].reports(statuses[$0], at: now, wall: wall) }
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

    private let target: String
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

    init(_ target: String) { self.target = target }

    mutating func reports(_ status: DeliveryStatus, at now: Duration, wall: Timestamp) -> [DeliveryReport] {
        changes(status, at: now).map { change in
            // A target has often taken records since the connection that is reported.
            let taken = change == .connected ? Int(clamping: status.done - min(status.done, before.done)) : 0
            return DeliveryReport(
                time: wall, target: target, change: change, queued: status.queued + taken, sent: status.taken)
        }
    }

    private mutating func changes(_ status: DeliveryStatus, at now: Duration) -> [DeliveryReport.Change] {
        var changes: [DeliveryReport.Change] = []
        let isClosed = status.phase == .closed
        if let count = dropped.news(status.lost, at: now, isLast: isClosed) { changes.append(.dropped(count)) }
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
