import LocationPublishing
import LocwatchPlatform

/// The deliveries after the end of a session, which go on as long as the targets take something.
struct RestOfDeliveries {
    /// The time for the targets to take what is queued after a signal.
    private static let hurry = Duration.seconds(5)
    /// The time for the last answers if a signal comes later.
    private static let haste = Duration.seconds(3)
    /// The time after these in which connections are ended.
    private static let goodbye = Duration.milliseconds(500)

    private let publisher: LocationPublisher
    private var watch: DeliveryProgressWatch
    /// The time after which the targets are given up although they take records, if there is such a time.
    private var limit: Duration?

    /// - Parameter isHurried: Whether a signal has ended the session.
    init(_ publisher: LocationPublisher, isHurried: Bool) {
        self.publisher = publisher
        publisher.startFinishing(within: .seconds(7 * 86_400))
        limit = isHurried ? Self.hurry : nil
        watch = DeliveryProgressWatch(publisher.deliveries, at: DeliveryClock.now, within: limit)
    }

    mutating func hurry() {
        guard limit == nil else { return }
        limit = Self.haste
        watch = DeliveryProgressWatch(publisher.deliveries, at: DeliveryClock.now, within: limit)
    }

    /// Ends the deliveries whose time is over.
    ///
    /// - Parameter say: Says once that targets are waited for, and for how long.
    mutating func step(say: (Duration?) -> Void) {
        guard !publisher.hasEnded else { return }
        let now = DeliveryClock.now
        if watch.isToBeSaid(at: now) { say(limit) }
        let left = watch.timeLeft(publisher.deliveries, at: now)
        if watch.isLastAttemptDue(left) { publisher.retryNow() }
        if left <= .zero { publisher.startFinishing(within: .zero) }
        if left <= .zero - Self.goodbye { publisher.abandon() }
    }
}

/// A watch over the deliveries at the end of a program, which ends the wait for targets that take nothing.
struct DeliveryProgressWatch {
    /// The time without an acknowledgement after which the targets are given up.
    static let limit = Duration.seconds(10)
    /// The time before the end at which a target that could not be reached is tried once more.
    private static let lastAttempt = Duration.seconds(1)
    /// The time without an acknowledgement after which a message says what is waited for.
    private static let patience = Duration.seconds(1)

    private var done: UInt64
    private var last: Duration
    private let end: Duration?
    private var hasBeenSaid = false
    private var hasTriedAgain = false

    /// - Parameter time: The time after which the targets are given up although they take records, if there is such a time.
    init(_ statuses: [DeliveryStatus], at now: Duration, within time: Duration? = nil) {
        done = statuses.reduce(0) { $0 + $1.done }
        last = now
        end = time.map { now + $0 }
    }

    /// Returns the time for which the targets are still waited for, which is zero if all that lack something have refused it.
    mutating func timeLeft(_ statuses: [DeliveryStatus], at now: Duration) -> Duration {
        let sum = statuses.reduce(0) { $0 + $1.done }
        if sum > done { (done, last) = (sum, now) }
        let left = min(Self.limit - (now - last), end.map { $0 - now } ?? Self.limit)
        // Another attempt soon does not change a refusal.
        return statuses.allSatisfy { $0.queued == 0 || $0.isHeld } ? min(left, .zero) : left
    }

    /// Returns whether it is time for a last attempt to reach the targets, which is true once after each acknowledgement.
    mutating func isLastAttemptDue(_ left: Duration) -> Bool {
        guard left <= Self.lastAttempt else {
            hasTriedAgain = false
            return false
        }
        defer { hasTriedAgain = true }
        return !hasTriedAgain
    }

    /// Returns whether it is time to say what is waited for, which is true once.
    mutating func isToBeSaid(at now: Duration) -> Bool {
        guard !hasBeenSaid, now - last >= Self.patience else { return false }
        hasBeenSaid = true
        return true
    }
}

enum DeliveryClock {
    /// The time since the machine started.
    static var now: Duration { .nanoseconds(HostClock.nanoseconds(.sinceBoot)) }
}

extension DeliveryStatus {
    /// The number of records that the target has taken, or needs no message for.
    var done: UInt64 { taken + omitted }

    /// Whether the target has refused a record or the connection.
    var isHeld: Bool { if case .held = phase { true } else { false } }

    /// The time of the next attempt at a target that could not be reached, or that has refused something.
    var nextAttempt: Duration? {
        switch phase {
        case .waiting(_, let until), .held(_, let until): until
        case .idle, .connecting, .ready, .connected, .closing, .closed: nil
        }
    }

    /// The reason for which records are still queued, for people.
    var delay: String { lastObstacle ?? "no answer yet" }
}

extension LocationPublisher {
    /// The state of the delivery to each target, in the order of the targets.
    var deliveries: [DeliveryStatus] { statuses.map(\.delivery) }
}
