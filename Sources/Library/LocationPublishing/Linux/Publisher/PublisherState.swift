import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// The state that a publisher shares with its thread, which alone uses the queue and the targets.
///
/// The thread can wait for the disk, for as long as that takes. So no other function does more than hand something over, or read what the
/// thread has reported.
final class PublisherState: Sendable {
    struct Shared {
        var statuses: [TargetStatus]
        /// The number of records that were handed over and that `statuses` counts, unless they were lost.
        var settled: UInt64 = 0
        /// The records that a task waits for, by their numbers among those that were handed over, with where they were stored.
        var awaited: [UInt64: Result<UInt64, PublishError>?] = [:]
        /// The fates at each target of the records that a task waits for, by their numbers in the queue.
        var fates: [UInt64: [RecordFate]] = [:]
        /// The number of changes that tasks are to know.
        var changes = 0
        var appendFailure: PublishError?
        /// The failure of the thread's last use of the queue, if it failed.
        var queueFailure: PublishError?
        /// Why the queue could not be opened at the last attempt, if it is not open.
        var openingFailure: PublishError?
        var isOpen = false
        /// The number of records that could not be stored.
        var lost: UInt64 = 0
        /// The number of records that the queue has removed before every target had taken them.
        var removed: UInt64 = 0
        /// The number of records of the queue that could not be read.
        var unreadable: UInt64 = 0
        /// The time at which every delivery ends.
        var limit: Duration?
        var isRetryDue = false
        var isAbandoned = false
        var hasEnded = false
    }

    /// The time between two attempts to open a queue, and after which records are stored that another program has held up.
    private static let pause = Duration.milliseconds(300)

    let shared: Watched<Shared>
    private let handover: RecordHandover
    private let wake: Event
    /// The event of an attempt to open the queue.
    private let attempt: Event
    /// The event of a change that the owner of the publisher should know.
    let change: Event
    let end: Event
    private let clock: @Sendable () -> Duration

    init(
        _ targets: [TargetWord], _ handover: RecordHandover, _ clock: @escaping @Sendable () -> Duration
    ) throws(SystemFailure) {
        self.clock = clock
        self.handover = handover
        shared = Watched(Shared(statuses: targets.map { TargetStatus(word: $0, delivery: DeliveryStatus()) }))
        wake = try Event()
        attempt = try Event()
        change = try Event()
        end = try Event()
    }

    /// Waits until the queue is open, or for a moment if that takes long; throws if it cannot be opened.
    ///
    /// - Parameter waits: Returns whether to wait for another program that writes the queue's database.
    func awaitOpening(atMost limit: Duration, _ waits: () -> Bool) throws(PublishError) {
        var limit = limit
        while attempt.happens(within: limit) {
            attempt.clear()
            let state = shared.value
            guard !state.isOpen, let failure = state.openingFailure else { return }
            guard failure.cause.isLocked, waits() else { throw failure }
            // It is the other program that is waited for, and not the disk.
            limit = .seconds(60)
        }
    }

    /// The state of the delivery to each target, which counts every record that was handed over until now.
    var statuses: [TargetStatus] {
        let shared = shared.value
        let added = Int(clamping: handover.handed - shared.settled)
        return shared.statuses.map { status in
            var status = status
            status.delivery.queued += added
            return status
        }
    }

    func publish(_ record: PublishRecord) {
        do throws(PublishError) {
            try handover.put(record)
            wake.happen()
        } catch {
            note(error, lost: 1)
        }
    }

    /// Stores a record, and returns its fate at each target when all of them are decided, the limit has passed, every delivery
    /// has ended, or the task is cancelled.
    func publish(_ record: PublishRecord, within limit: Duration) async throws(PublishError) -> [RecordFate] {
        let ticket: UInt64
        do throws(PublishError) {
            ticket = try shared.change { (shared) throws(PublishError) in
                // Within the lock, so that the record cannot be stored before that is waited for.
                let ticket = try handover.put(record)
                shared.awaited[ticket] = .some(nil)
                return ticket
            }
        } catch {
            note(error, lost: 1)
            throw error
        }
        wake.happen()
        _ = await shared.wait(within: limit, clock: ContinuousClock()) { $0.hasEnded || $0.isDecided(ticket) }
        return try shared.change { (shared) throws(PublishError) in
            guard let stored = shared.awaited.removeValue(forKey: ticket) ?? nil else {
                return shared.statuses.map { _ in .queued }
            }
            return shared.fates.removeValue(forKey: try stored.get()) ?? []
        }
    }

    private func note(_ failure: PublishError?, lost: Int) {
        let hasChanged = shared.change { shared in
            let hasChanged = shared.appendFailure != failure
            shared.lost += UInt64(lost)
            if hasChanged { shared.changes += 1 }
            shared.appendFailure = failure
            return hasChanged
        }
        if hasChanged { change.happen() }
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

    // MARK: The thread

    /// Opens the queue, and steps the deliveries until all of them have ended.
    func run(opening open: () throws(PublishError) -> DeliveryLoop) {
        if let loop = opened(open) {
            run(loop)
        } else {
            handover.close()
            let lost = handover.take().count
            shared.change { shared in
                shared.lost += UInt64(lost)
                shared.hasEnded = true
                shared.changes += 1
            }
            change.happen()
        }
        end.happen()
    }

    /// Returns the deliveries of the queue when it could be opened, or `nil` if they are to end before.
    private func opened(_ open: () throws(PublishError) -> DeliveryLoop) -> DeliveryLoop? {
        while true {
            wake.clear()
            do throws(PublishError) {
                let loop = try open()
                shared.change { ($0.isOpen, $0.openingFailure, $0.queueFailure) = (true, nil, nil) }
                attempt.happen()
                return loop
            } catch {
                shared.change { ($0.openingFailure, $0.queueFailure) = (error, error) }
                attempt.happen()
                change.happen()
            }
            let state = shared.value
            if state.isAbandoned || state.limit.map({ clock() >= $0 }) ?? false { return nil }
            _ = wake.happens(within: Self.pause)
        }
    }

    private func run(_ loop: DeliveryLoop) {
        loop.onFate { [unowned self] in note($1, of: $2, at: $0) }
        var settled: UInt64 = 0
        while true {
            wake.clear()
            let now = clock()
            let (limit, isRetryDue, isAbandoned) = shared.change { shared in
                defer { shared.isRetryDue = false }
                return (shared.limit, shared.isRetryDue, shared.isAbandoned)
            }
            if let limit { loop.finish(by: limit) }
            if isRetryDue { loop.retry(at: now) }
            settle(in: loop.store, &settled)
            loop.step(at: now)
            if isAbandoned, !loop.hasEnded { loop.abandon() }
            if loop.hasEnded {
                // Records that come from now on are refused, and those that have come are sent by the next run.
                handover.close()
                settle(in: loop.store, &settled)
                lose(handover.take().count, &settled)
            }
            report(loop, settled)
            guard !loop.hasEnded else { break }
            wait(for: loop)
        }
    }

    /// Stores the records that were handed over.
    private func settle(in store: any RecordStore, _ settled: inout UInt64) {
        let records = handover.take()
        guard !records.isEmpty else { return }
        let results = store.append(records)
        handover.putBack(records[results.count...])
        let first = settled + 1
        settled += UInt64(results.count)
        shared.change { shared in
            for ticket in shared.awaited.keys where ticket >= first && ticket <= settled {
                let result = results[Int(ticket - first)]
                shared.awaited[ticket] = result
                if case .success(let number) = result { shared.fates[number] = shared.statuses.map { _ in .queued } }
            }
        }
        let failures = results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        if case .success = results.last {
            note(nil, lost: failures.count)
        } else if let failure = failures.last {
            note(failure, lost: failures.count)
        }
    }

    /// Counts records as lost that another program has kept from being stored until the end.
    private func lose(_ count: Int, _ settled: inout UInt64) {
        guard count > 0 else { return }
        settled += UInt64(count)
        note(.slowQueue(waiting: count), lost: count)
    }

    private func report(_ loop: DeliveryLoop, _ settled: UInt64) {
        let store = loop.store
        let statuses = loop.statuses(before: store.end)
        let hasChanged = shared.change { shared in
            let hasChanged =
                shared.queueFailure != loop.failure || shared.hasEnded != loop.hasEnded
                || zip(shared.statuses, statuses).contains { $0.delivery.isNews($1.delivery) }
            shared.statuses = statuses
            shared.settled = settled
            (shared.removed, shared.unreadable) = (store.dropped, store.unreadable)
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
        var time = loop.deadline(after: now).map { $0 - now }
        if !handover.isEmpty { time = min(time ?? Self.pause, Self.pause) }
        watched.wait(within: time)
    }
}

extension PublisherState.Shared {
    /// Returns whether a record that a task waits for is lost, or its fate is decided at each target.
    fileprivate func isDecided(_ ticket: UInt64) -> Bool {
        switch awaited[ticket] ?? nil {
        case .success(let number): fates[number]?.contains(.queued) != true
        case .failure: true
        case nil: false
        }
    }
}

extension DeliveryStatus {
    /// Whether another status differs in more than the records that were queued and taken.
    fileprivate func isNews(_ other: DeliveryStatus) -> Bool {
        phase != other.phase || dropped != other.dropped || rejected != other.rejected
    }
}
