public import LocationPublishing
public import LocationTesting
import LocwatchSupport

/// The connections of a publisher in a test, which answer from a script and remember every record.
///
/// ```swift
/// let delivery = ScriptedDelivery([.lost("no route to host"), .taken])
/// let publisher = try LocationPublisher(targets, queue: .memory(), over: delivery)
/// publisher.publish(record)
/// try await delivery.untilTaken()
/// ```
///
/// The targets are those that the program prepares: their queue, their order and their retries are the real ones, and only the connection
/// is the script's.
public final class ScriptedDelivery: Sendable {
    /// The answer of a target to a record.
    public enum Answer: Hashable, Sendable {
        /// The target takes the record.
        case taken
        /// The target takes no records at present, for a reason; the publisher tries it again after five minutes.
        case refused(String)
        /// The target does not take this record, for a reason; the publisher sets it aside when that was the answer five times.
        case rejected(String)
        /// The target takes the record later, for a reason; the publisher tries it again.
        case later(String)
        /// The connection ends, for a reason; the publisher connects again, and sends the record again.
        case lost(String)
        /// The target does not answer.
        case never
    }

    /// A record that was sent, and the answer to it.
    public struct Attempt: Hashable, Sendable {
        /// The target, as the program names it, without a query.
        public let target: String
        /// The record.
        public let record: PublishRecord
        /// The answer of the target.
        public let answer: Answer
    }

    private let log = Watched<[Attempt]>([])
    /// The number of records that were sent.
    private let count = Lock(0)
    private let answer: @Sendable (PublishRecord, String, Int) -> Answer

    /// Creates connections whose answers depend on the record and its target.
    public init(answer: @escaping @Sendable (PublishRecord, _ target: String) -> Answer) {
        self.answer = { record, target, _ in answer(record, target) }
    }

    /// Creates connections that give the first record the first answer, and so on; the last one is repeated.
    ///
    /// Without any answer, every record is taken.
    public init(_ answers: [Answer] = []) {
        answer = { _, _, number in answers.isEmpty ? .taken : answers[min(number, answers.count - 1)] }
    }

    /// The records that were sent so far, in order, each as often as it was sent.
    public var attempts: [Attempt] { log.value }

    /// Waits until the targets have taken a number of records, for at most `limit`.
    public func untilTaken(
        _ count: Int = 1, within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line
    ) async throws(ExpectationFailure) {
        try await log.wait(
            for: "\(count) records that are taken", within: limit, at: CallSite(fileID: fileID, line: line),
            nothing: "no record was sent", until: { $0.count { $0.answer == .taken } >= count }
        ) { $0.map { "\($0.record.occasion) to \($0.target): \($0.answer)" } }
    }

    /// Returns the answer to a record, which is noted.
    fileprivate func note(_ record: PublishRecord, to target: String) -> Answer {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        // Without a lock, because the closure of a test can read the attempts.
        let answer = answer(record, target, number)
        log.change { $0.append(Attempt(target: target, record: record, answer: answer)) }
        return answer
    }
}

/// The connection of one target, which the script answers at once.
private final class ScriptedTransport: DeliveryTransport {
    private let script: ScriptedDelivery
    private let target: String
    private var isOpen = false
    private var events: [DeliveryEvent] = []

    init(_ script: ScriptedDelivery, _ target: String) {
        self.script = script
        self.target = target
    }

    // One record at a time, so that each answer is that to one record.
    var room: Int { isOpen && events.isEmpty ? 1 : 0 }

    var poll: (descriptor: Int32, events: Int16) { (-1, 0) }

    var deadline: Duration? { events.isEmpty ? nil : .zero }

    func open(at now: Duration) {
        isOpen = true
        events.append(.opened(isAccepted: true))
    }

    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        for record in records {
            switch script.note(record.record, to: target) {
            case .taken: events.append(.decided(.taken, numbers: [record.number]))
            case .refused(let cause): events.append(.decided(.refused(cause: cause), numbers: [record.number]))
            case .rejected(let cause): events.append(.decided(.rejected(cause: cause), numbers: [record.number]))
            case .later(let cause):
                events.append(.decided(.tryAgain(cause: cause, after: nil), numbers: [record.number]))
            case .lost(let cause):
                isOpen = false
                events.append(.failed(cause: cause, isRefusal: false))
            case .never: isOpen = false
            }
        }
    }

    func close(at now: Duration) {
        isOpen = false
        events.append(.closed)
    }

    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        while !events.isEmpty { emit(events.removeFirst()) }
    }
}

#if os(Linux)
    extension LocationPublisher {
        /// Opens the queue, and sends the records to a script instead of the addresses of the targets.
        ///
        /// - Parameters:
        ///   - targets: The targets.
        ///   - queue: The place where records wait.
        ///   - delivery: The script, which takes the place of every connection.
        ///   - clock: The time that has passed, which never decreases; by default that since the call.
        public convenience init(
            _ targets: [PreparedTarget], queue: QueuePlace = .memory(), over delivery: ScriptedDelivery,
            clock: (@Sendable () -> Duration)? = nil
        ) throws(PublishError) {
            let start = ContinuousClock.now
            try self.init(targets, queue: queue, clock: clock ?? { start.duration(to: .now) }) { target in
                ScriptedTransport(delivery, target.word.description)
            }
        }
    }
#endif
