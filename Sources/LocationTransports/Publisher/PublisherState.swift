import Glibc
import LocationPublishing
import LocwatchPlatform
import LocwatchSupport

/// The state that a publisher shares with the thread of its deliveries.
final class PublisherState: Sendable {
    struct Shared {
        var statuses: [TargetStatus]
        /// The failure of the last `append`, if it failed.
        var appendFailure: QueueError?
        /// The failure of the thread's last use of the queue, if it failed.
        var queueFailure: QueueError?
        /// The number of records that could not be stored.
        var lost: UInt64 = 0
        /// The time at which every delivery ends.
        var limit: Duration?
        var isRetryDue = false
        var hasEnded = false
        /// The time of the thread's last step.
        var lastStep: Duration
    }

    let store: any RecordStore
    let shared: Lock<Shared>
    /// The event that wakes the thread.
    private let wake: Event
    /// The event of a change that the owner of the publisher should know.
    let change: Event
    /// The event of the end.
    let end: Event
    private let clock: @Sendable () -> Duration

    init(
        _ store: any RecordStore, statuses: [TargetStatus], _ clock: @escaping @Sendable () -> Duration
    ) throws(SystemFailure) {
        self.store = store
        self.clock = clock
        shared = Lock(Shared(statuses: statuses, lastStep: clock()))
        wake = try Event()
        change = try Event()
        end = try Event()
    }

    func publish(_ record: PublishRecord) {
        var failure: QueueError?
        do throws(QueueError) { try store.append(record) } catch { failure = error }
        let hasChanged = shared.withLock { shared in
            if failure != nil { shared.lost += 1 }
            defer { shared.appendFailure = failure }
            return shared.appendFailure != failure
        }
        if hasChanged { change.happen() }
        if failure == nil { wake.happen() }
    }

    func retryNow() {
        shared.withLock { $0.isRetryDue = true }
        wake.happen()
    }

    func finish(within limit: Duration) {
        let time = clock() + limit
        shared.withLock { $0.limit = min(time, $0.limit ?? time) }
        wake.happen()
    }

    /// Returns whether the thread has made a step within a time.
    func hasStepped(within limit: Duration) -> Bool {
        let now = clock()
        return shared.withLock { $0.hasEnded || now - $0.lastStep <= limit }
    }

    /// Steps the deliveries until all of them have ended.
    func run(_ loop: DeliveryLoop) {
        while true {
            wake.clear()
            let now = clock()
            let (limit, isRetryDue) = shared.withLock { shared in
                defer { shared.isRetryDue = false }
                shared.lastStep = now
                return (shared.limit, shared.isRetryDue)
            }
            if let limit { loop.finish(by: limit) }
            if isRetryDue { loop.retry(at: now) }
            loop.step(at: now)
            report(loop)
            guard !loop.hasEnded else { break }
            wait(for: loop)
        }
        end.happen()
    }

    private func report(_ loop: DeliveryLoop) {
        let statuses = loop.statuses
        let hasChanged = shared.withLock { shared in
            let hasChanged =
                shared.queueFailure != loop.failure || shared.hasEnded != loop.hasEnded
                || zip(shared.statuses, statuses).contains { $0.delivery.isNews($1.delivery) }
            shared.statuses = statuses
            shared.queueFailure = loop.failure
            shared.hasEnded = loop.hasEnded
            return hasChanged
        }
        if hasChanged { change.happen() }
    }

    private func wait(for loop: DeliveryLoop) {
        var watched = loop.watched
        watched.append(pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0))
        let now = clock()
        let limit = loop.deadline(after: now).map { ($0 - now).wholeMilliseconds } ?? -1
        poll(&watched, nfds_t(watched.count), limit)
    }
}

extension DeliveryStatus {
    /// Whether another status differs in more than the records that were queued and taken.
    fileprivate func isNews(_ other: DeliveryStatus) -> Bool {
        phase != other.phase || dropped != other.dropped || rejected != other.rejected
    }
}
