import LocationCore
import LocwatchPlatform

/// The deliveries of one queue, stepped on one thread.
///
/// A step never waits for a target, so that no target delays another one.
final class DeliveryLoop {
    struct Member {
        let word: TargetWord
        let delivery: TargetDelivery
    }

    /// The interval at which the queue is written to the disk.
    static let syncInterval = Duration.seconds(5)
    /// The time after the limit of `finish` in which a connection can still be ended properly.
    private static let goodbye = Duration.seconds(3)

    private let members: [Member]
    let store: any RecordStore
    private let syncInterval: Duration
    private let wallClock: () -> Timestamp
    /// The time at which the queue is written to the disk, or `nil` until the step after that was done, which can take seconds: the
    /// interval begins when it is over, or a slow disk would leave the targets no time.
    private var nextSync: Duration? = .zero
    private var limit: Duration?
    /// The records that wait for the slowest target.
    private var waiting = MemoryTrimmer(least: 500)
    private(set) var hasEnded = false
    /// The last failure of the queue, if any.
    private(set) var failure: PublishError?

    init(
        _ members: [Member], _ store: any RecordStore, syncInterval: Duration = DeliveryLoop.syncInterval,
        wallClock: @escaping () -> Timestamp
    ) {
        self.members = members
        self.store = store
        self.syncInterval = syncInterval
        self.wallClock = wallClock
    }

    /// Returns the state of each delivery of a queue that ends at `end`, in the order of the targets.
    func statuses(before end: UInt64) -> [TargetStatus] {
        members.map { TargetStatus(word: $0.word, delivery: $0.delivery.status(before: end)) }
    }

    /// Sets a closure that is called with the index of a target and the numbers of the records whose fate there is decided.
    func onFate(_ action: @escaping (_ target: Int, RecordFate, Range<UInt64>) -> Void) {
        for (index, member) in members.enumerated() { member.delivery.onFate = { action(index, $0, $1) } }
    }

    func addDescriptors(to set: inout PollSet) {
        for (descriptor, events) in members.lazy.map(\.delivery).filter({ !$0.isClosed }).map(\.poll) {
            set.add(descriptor, Int32(events))
        }
    }

    /// The time of the next step if no descriptor is ready before.
    func deadline(after now: Duration) -> Duration? {
        var times = members.filter { !$0.delivery.isClosed }.compactMap { $0.delivery.deadline(after: now) }
        if !hasEnded { times.append(nextSync ?? now) }
        if let limit { times.append(limit + Self.goodbye) }
        return times.min()
    }

    /// Ends every delivery when it has sent everything, at the latest at `limit`.
    func finish(by limit: Duration) {
        self.limit = min(limit, self.limit ?? limit)
        for member in members { member.delivery.finish(by: limit) }
    }

    func abandon() {
        for member in members where !member.delivery.isClosed { member.delivery.abandon() }
        end()
    }

    func retry(at now: Duration) {
        for member in members { member.delivery.retry(at: now) }
    }

    func step(at now: Duration) {
        for member in members where !member.delivery.isClosed { member.delivery.step(at: now) }
        let due = nextSync ?? now + syncInterval
        nextSync = due
        if now >= due { maintain() }
        guard let limit, !hasEnded else { return }
        if now >= limit + Self.goodbye {
            abandon()
        } else if members.allSatisfy(\.delivery.isClosed) {
            end()
        }
    }

    private func end() {
        maintain()
        hasEnded = true
    }

    /// Writes the queue to the disk, and removes what every target has taken.
    private func maintain() {
        nextSync = nil
        // A record is removed after it is known that the target has taken it.
        for member in members { member.delivery.store() }
        failure = members.lazy.compactMap(\.delivery.place.failure).first
        attempt { () throws(PublishError) in try store.release(below: members.map(\.delivery.low).min() ?? 0) }
        attempt { () throws(PublishError) in try store.expire(at: wallClock()) }
        for member in members { member.delivery.noteLosses() }
        attempt { () throws(PublishError) in try store.sync() }
        waiting.note(members.map(\.delivery.status.queued).max() ?? 0)
    }

    private func attempt(_ work: () throws(PublishError) -> Void) {
        do throws(PublishError) { try work() } catch { failure = error }
    }
}
