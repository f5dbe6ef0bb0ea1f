import Glibc
import LocwatchPlatform
import LocwatchSupport

/// The state that a publisher shares with the thread of its deliveries.
final class PublisherState: Sendable {
    struct Shared {
        var statuses: [TargetStatus]
        /// The end of the queue that `statuses` counts.
        var end: UInt64
        /// The fates at each target of the records that a task waits for, by their numbers.
        var fates: [UInt64: [RecordFate]] = [:]
        /// The number of changes that tasks are to know.
        var changes = 0
        var appendFailure: PublishError?
        /// The failure of the thread's last use of the queue, if it failed.
        var queueFailure: PublishError?
        /// The number of records that could not be stored.
        var lost: UInt64 = 0
        /// The time at which every delivery ends.
        var limit: Duration?
        var isRetryDue = false
        var isAbandoned = false
        var hasEnded = false
    }

    let store: any RecordStore
    let shared: Watched<Shared>
    private let wake: Event
    /// The event of a change that the owner of the publisher should know.
    let change: Event
    let end: Event
    private let clock: @Sendable () -> Duration

    init(
        _ store: any RecordStore, _ loop: DeliveryLoop, _ clock: @escaping @Sendable () -> Duration
    ) throws(SystemFailure) {
        self.store = store
        self.clock = clock
        let stored = store.end
        shared = Watched(Shared(statuses: loop.statuses(before: stored), end: stored))
        wake = try Event()
        change = try Event()
        end = try Event()
    }

    /// The state of the delivery to each target, which counts every record that was stored until now.
    var statuses: [TargetStatus] {
        let shared = shared.value
        let added = Int(clamping: store.end - shared.end)
        return shared.statuses.map { status in
            var status = status
            status.delivery.queued += added
            return status
        }
    }

    func publish(_ record: PublishRecord) {
        do throws(PublishError) {
            try store.append(record)
            note(nil)
        } catch {
            note(error)
        }
    }

    /// Stores a record, and returns its fate at each target when all of them are decided, the limit has passed, every delivery
    /// has ended, or the task is cancelled.
    func publish(_ record: PublishRecord, within limit: Duration) async throws(PublishError) -> [RecordFate] {
        let number: UInt64
        do throws(PublishError) {
            number = try shared.change { (shared) throws(PublishError) in
                // Stored within the lock, so that its fate cannot be decided before it is waited for.
                let number = try store.append(record)
                shared.fates[number] = shared.statuses.map { _ in .queued }
                return number
            }
            note(nil)
        } catch {
            note(error)
            throw error
        }
        _ = await shared.wait(within: limit, clock: ContinuousClock()) { shared in
            shared.hasEnded || shared.fates[number]?.contains(.queued) != true
        }
        return shared.change { $0.fates.removeValue(forKey: number) ?? [] }
    }

    private func note(_ failure: PublishError?) {
        let hasChanged = shared.change { shared in
            let hasChanged = shared.appendFailure != failure
            if failure != nil { shared.lost += 1 }
            if hasChanged { shared.changes += 1 }
            shared.appendFailure = failure
            return hasChanged
        }
        if hasChanged { change.happen() }
        if failure == nil { wake.happen() }
    }

    private func note(_ fate: RecordFate, of numbers: Range<UInt64>, at target: Int) {
        shared.change { shared in
            for number in shared.fates.keys where numbers.contains(number) {
                if shared.fates[number]?[target] == .queued { shared.fates[number]?[target] = fate }
            }
        }
    }

    func retryNow() {
        shared.change { $0.isRetryDue = true }
        wake.happen()
    }

    func finish(within limit: Duration) {
        let time = clock() + limit
        shared.change { $0.limit = min(time, $0.limit ?? time) }
        wake.happen()
    }

    /// Ends every delivery at once, without a goodbye to the targets.
    func abandon() {
        shared.change { $0.isAbandoned = true }
        wake.happen()
    }

    /// Ends every delivery after it has sent what is queued, at once if the task is cancelled, and waits for the end.
    func end(within limit: Duration) async {
        finish(within: limit)
        if await hasEnded() { return }
        finish(within: .zero)
        _ = await Task { await hasEnded() }.value
    }

    /// Waits until every delivery has ended; returns `false` if the task is cancelled before.
    private func hasEnded() async -> Bool {
        await shared.wait(within: nil, clock: ContinuousClock()) { $0.hasEnded } == .met
    }

    /// Steps the deliveries until all of them have ended.
    func run(_ loop: DeliveryLoop) {
        loop.onFate { [unowned self] in note($1, of: $2, at: $0) }
        while true {
            wake.clear()
            let now = clock()
            let (limit, isRetryDue, isAbandoned) = shared.change { shared in
                defer { shared.isRetryDue = false }
                return (shared.limit, shared.isRetryDue, shared.isAbandoned)
            }
            if let limit { loop.finish(by: limit) }
            if isRetryDue { loop.retry(at: now) }
            loop.step(at: now)
            if isAbandoned, !loop.hasEnded { loop.abandon(at: now) }
            report(loop)
            guard !loop.hasEnded else { break }
            wait(for: loop)
        }
        end.happen()
    }

    private func report(_ loop: DeliveryLoop) {
        let end = store.end
        let statuses = loop.statuses(before: end)
        let hasChanged = shared.change { shared in
            let hasChanged =
                shared.queueFailure != loop.failure || shared.hasEnded != loop.hasEnded
                || zip(shared.statuses, statuses).contains { $0.delivery.isNews($1.delivery) }
            shared.statuses = statuses
            shared.end = end
            if hasChanged { shared.changes += 1 }
            shared.queueFailure = loop.failure
            shared.hasEnded = loop.hasEnded
            return hasChanged
        }
        if hasChanged { change.happen() }
    }

    private func wait(for loop: DeliveryLoop) {
        var watched = PollSet()
        loop.addDescriptors(to: &watched)
        watched.add(wake.descriptor, POLLIN)
        let now = clock()
        watched.wait(within: loop.deadline(after: now).map { $0 - now })
    }
}

extension DeliveryStatus {
    /// Whether another status differs in more than the records that were queued and taken.
    fileprivate func isNews(_ other: DeliveryStatus) -> Bool {
        phase != other.phase || dropped != other.dropped || rejected != other.rejected
    }
}
