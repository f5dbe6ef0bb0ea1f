import LocwatchSupport

/// The records that a session hands to the thread of a queue, in memory until that thread has stored them.
///
/// A queue waits for the disk, and a session must not: it hands a record over, which takes a lock for a moment. The thread takes all
/// that wait at once. If it is held up so long that there is no room, the next records are refused, which their owner counts as lost.
final class RecordHandover: Sendable {
    private struct Content {
        var waiting: [PublishRecord] = []
        /// The number of records that were handed over.
        var handed: UInt64 = 0
        var isClosed = false
    }

    private let capacity: Int
    private let content = Lock(Content())

    /// - Parameter capacity: The largest number of records that wait.
    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// The number of records that were handed over until now, of which the last one has this number.
    var handed: UInt64 { content.withLock { $0.handed } }

    var isEmpty: Bool { content.withLock { $0.waiting.isEmpty } }

    /// Hands a record over, and returns its number among those that were handed over.
    @discardableResult func put(_ record: PublishRecord) throws(PublishError) -> UInt64 {
        try content.withLock { (content) throws(PublishError) in
            guard !content.isClosed else { throw .ended }
            guard content.waiting.count < capacity else { throw .slowQueue(waiting: content.waiting.count) }
            content.waiting.append(record)
            content.handed += 1
            return content.handed
        }
    }

    /// Takes the records that wait, in their order.
    func take() -> [PublishRecord] { content.withLock { exchange(&$0.waiting, with: []) } }

    /// Puts records back that were taken last and could not be stored, before all that wait.
    func putBack(_ records: some Collection<PublishRecord>) {
        content.withLock { $0.waiting.insert(contentsOf: records, at: 0) }
    }

    /// Refuses all further records.
    func close() { content.withLock { $0.isClosed = true } }
}
