import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A publisher that keeps records in a queue and sends them to targets, on a thread of its own.
///
/// Each target has its own place in the queue, so that none waits for another one. `publish` waits for no target and for no disk, unless
/// a time limit is given: it hands the record over to the thread, which stores it. While a disk stands still, 10,000 records wait for
/// it in memory. If a record cannot be stored, it is counted in ``dropped``, ``queueFailure`` says why, and the next record is
/// stored again if that has become possible. Releasing a publisher ends its connections, which takes three seconds at most, and writes
/// the queue to the disk.
///
/// ```swift
/// let publisher = try LocationPublisher(targets, queue: .folder("/var/lib/locwatch/queue"))
/// publisher.publish(record)
/// let statuses = await publisher.finish(within: .seconds(5))
/// ```
public final class LocationPublisher: Sendable {
    /// The place where records wait until every target has taken them.
    public enum QueuePlace: Hashable, Sendable {
        /// A folder, whose files survive the program and the machine.
        ///
        /// It must belong to this user or root, and no other user may have the right to change it.
        case folder(String, QueueLimits = QueueLimits())
        /// The memory of the program; if there are more records, the oldest are dropped.
        case memory(capacity: Int = 10_000)
    }

    private let state: PublisherState
    private let thread: NativeThread

    /// The longest time to wait for another program that writes the queue's database at the start.
    package static let longestWaitForQueue = Duration.seconds(10)

    /// The number of records that wait in memory until they are stored.
    private static let mostHandedOver = 10_000
    /// The longest time in which the queue is opened before the publisher is there; with a slow disk that goes on beside.
    private static let longestOpening = Duration.seconds(1)

    /// Opens the queue and starts to connect to the targets.
    ///
    /// If another program writes the queue's database, waits ten seconds at most until it has finished. If the disk is slow, returns after
    /// a second, and goes on to open the queue; meanwhile records can be published, and ``queueFailure`` says if it cannot be
    /// opened.
    ///
    /// - Parameters:
    ///   - targets: The targets.
    ///   - queue: The place where records wait.
    ///   - clock: The time, which never decreases; by default that since the machine started.
    public convenience init(
        _ targets: [PreparedTarget], queue: QueuePlace, clock: (@Sendable () -> Duration)? = nil
    ) throws(PublishError) {
        let start = ContinuousClock.now
        try self.init(targets, queue: queue, clock: clock) {
            start.duration(to: .now) < Self.longestWaitForQueue
        }
    }

    /// - Parameter waits: Returns whether to wait for another program that writes the queue's database; it is called twice a
    ///   second.
    package convenience init(
        _ targets: [PreparedTarget], queue: QueuePlace, clock: (@Sendable () -> Duration)? = nil, waits: () -> Bool
    ) throws(PublishError) {
        var factory = TransportFactory()
        let clock = clock ?? { .nanoseconds(HostClock.nanoseconds(.sinceBoot)) }
        let (capacity, open) = try Self.prepared(queue)
        try self.init(targets, capacity: capacity, opening: open, clock, waits: waits) {
            (target) throws(PublishError) in
            try factory.transport(for: target)
        }
    }

    /// Opens the queue, and delivers its records over other transports than those of the targets.
    package convenience init(
        _ targets: [PreparedTarget], queue: QueuePlace, clock: @escaping @Sendable () -> Duration,
        transport: (PreparedTarget) -> any DeliveryTransport
    ) throws(PublishError) {
        let (capacity, open) = try Self.prepared(queue)
        try self.init(targets, capacity: capacity, opening: open, clock, waits: { false }) {
            (target) throws(PublishError) in
            transport(target)
        }
    }

    /// - Parameters:
    ///   - capacity: The number of records that wait in memory until they are stored.
    ///   - open: Opens the queue, on the thread that uses it. If it fails, it is called again.
    ///   - limit: The longest time for which the caller waits for that.
    ///   - syncInterval: The interval at which the queue is written to the disk.
    init(
        _ targets: [PreparedTarget], capacity: Int = LocationPublisher.mostHandedOver,
        opening open: @escaping @Sendable () throws(PublishError) -> any RecordStore,
        atMost limit: Duration = LocationPublisher.longestOpening,
        syncInterval: Duration = DeliveryLoop.syncInterval, _ clock: @escaping @Sendable () -> Duration,
        waits: () -> Bool = { false },
        transport: (PreparedTarget) throws(PublishError) -> any DeliveryTransport
    ) throws(PublishError) {
        var found: [any DeliveryTransport] = []
        for target in targets { found.append(try transport(target)) }
        do throws(SystemFailure) {
            let state = try PublisherState(targets.map(\.word), RecordHandover(capacity: capacity), clock)
            self.state = state
            // The transports are used by the thread alone from here on.
            nonisolated(unsafe) let transports = found
            thread = try NativeThread {
                state.run { () throws(PublishError) in
                    try Self.loop(targets, transports, open(), syncInterval)
                }
            }
        } catch {
            throw .system(error)
        }
        try state.awaitOpening(atMost: limit, waits)
    }

    /// Returns the deliveries of a queue that was opened.
    private static func loop(
        _ targets: [PreparedTarget], _ transports: [any DeliveryTransport], _ store: any RecordStore,
        _ syncInterval: Duration
    ) throws(PublishError) -> DeliveryLoop {
        var members: [DeliveryLoop.Member] = []
        var servers: [String: ServerPause] = [:]
        for (target, transport) in zip(targets, transports) {
            let place = try store.place(named: target.word.fileName)
            var options = target.delivery
            // Machines with the same name must not return to a server at the same time either.
            options.seed ^= UInt64.random(in: .min ... .max)
            let server = target.encoder.broker.flatMap { servers[$0] } ?? ServerPause()
            if let broker = target.encoder.broker { servers[broker] = server }
            let delivery = TargetDelivery(transport, place, options: options, server: server)
            members.append(DeliveryLoop.Member(word: target.word, delivery: delivery))
        }
        // Records that every target has taken before are not lost when the queue is full.
        try store.release(below: members.map(\.delivery.low).min() ?? 0)
        return DeliveryLoop(members, store, syncInterval: syncInterval) { .now }
    }

    deinit {
        // Ends the thread, without sending what is queued.
        thread.join { state.finish(within: .zero) }
    }

    /// Hands a record over to be stored and sent to every target, and returns at once.
    public func publish(_ record: PublishRecord) { state.publish(record) }

    /// Stores a record, and waits until every target has decided on it.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - limit: The longest time to wait. The record stays in the queue after it, and is still sent.
    /// - Returns: The fate of the record at each target, in the order of the targets; `queued` where the time was over, the task
    ///   was cancelled or the delivery has ended before.
    /// - Throws: The reason for which the record cannot be stored.
    public func publish(_ record: PublishRecord, within limit: Duration) async throws(PublishError) -> [RecordFate] {
        try await state.publish(record, within: limit)
    }

    /// The state of the delivery to each target, in the order of the targets; it counts every record that was published.
    public var statuses: [TargetStatus] { state.statuses }

    /// The states of the deliveries now and after each change of a connection, a failure, or the number of dropped or refused
    /// records, until every delivery has ended.
    ///
    /// A slow consumer receives the newest states only. ``queueFailure`` and ``dropped`` are current when it does.
    public var changes: some AsyncSequence<[TargetStatus], Never> & Sendable { PublisherChanges(state: state) }

    /// The last failure to store or read records; `nil` after the queue could be used again.
    public var queueFailure: PublishError? {
        let shared = state.shared.value
        return shared.appendFailure ?? shared.queueFailure
    }

    /// The number of records that could not be stored.
    package var lost: UInt64 { state.shared.value.lost }

    /// The number of records that could not be stored, or that the queue removed because it was full.
    public var dropped: UInt64 {
        let shared = state.shared.value
        return shared.lost + shared.removed
    }

    /// The number of records that the queue has removed before every target had taken them, as its limits demand.
    package var removed: UInt64 { state.shared.value.removed }

    /// The number of records of the queue that could not be read, and were left out.
    package var unreadable: UInt64 { state.shared.value.unreadable }

    /// Whether the queue is open, as it is from the beginning unless the disk is slow.
    package var isOpen: Bool { state.shared.value.isOpen }

    /// Whether every delivery has ended after `finish` or `startFinishing`.
    package var hasEnded: Bool { state.shared.value.hasEnded }

    /// A descriptor that is readable when a connection, a failure, or the number of lost or refused records has changed, and
    /// when everything has ended; `acknowledgeChanges()` resets it.
    package var changesDescriptor: Int32 { state.change.descriptor }

    /// Makes `changesDescriptor` unreadable until the next change; call it before you read the state.
    package func acknowledgeChanges() { state.change.clear() }

    /// Tries every failed connection again at once, and sends what is queued.
    public func retryNow() { state.retryNow() }

    /// Ends every delivery after it has sent what is queued; what is left after `limit` stays in the queue.
    ///
    /// Returns when every delivery has ended, at the latest three seconds after the limit. If the task is cancelled, the limit
    /// has passed.
    ///
    /// - Parameter limit: The longest time for what is queued.
    /// - Returns: The state in which the delivery to each target has ended.
    @discardableResult public func finish(within limit: Duration) async -> [TargetStatus] {
        await state.end(within: limit)
        return statuses
    }

    /// Begins to end every delivery as `finish(within:)` does, and returns at once.
    package func startFinishing(within limit: Duration) { state.finish(within: limit) }

    /// Ends every delivery at once, without a goodbye to the targets, and returns before they have ended.
    package func abandon() { state.abandon() }

    /// Waits on the calling thread, which is not that of a task, until every delivery has ended.
    package func waitUntilEnded() { state.end.wait() }

    /// Claims the place of a queue, which waits for no disk, and returns how many records wait in memory, and what opens the queue.
    private static func prepared(
        _ place: QueuePlace
    ) throws(PublishError) -> (capacity: Int, open: @Sendable () throws(PublishError) -> any RecordStore) {
        switch place {
        case .memory(let capacity):
            return (max(capacity, mostHandedOver), { () throws(PublishError) in MemoryQueue(capacity: capacity) })
        case .folder(let path, let limits):
            let (library, folder) = (try SQLiteLibrary.load(), try QueueFolder(path))
            return (mostHandedOver, { () throws(PublishError) in try PublishQueue(library, folder, limits) })
        }
    }
}
