package import LocationCore
import LocwatchSupport

/// A queue of records in memory, which ends with the program.
///
/// When it is full, the oldest record is removed, so that the newest are always there.
package final class MemoryQueue: RecordStore, Sendable {
    private struct Content {
        var records = ReusedQueue<QueuedRecord>()
        var end: UInt64 = 1
        var dropped: UInt64 = 0
        var released: UInt64 = 0
    }

    private let capacity: Int
    private let content = Lock(Content())

    package init(capacity: Int) { self.capacity = max(1, capacity) }

    package var dropped: UInt64 { content.withLock { $0.dropped } }

    /// None: the records are in no file.
    package var unreadable: UInt64 { 0 }

    @discardableResult package func append(_ record: PublishRecord) -> UInt64 {
        content.withLock { content in
            if content.records.count >= capacity, let oldest = content.records.popFirst(),
                oldest.number >= content.released
            {
                content.dropped += 1
            }
            content.records.append(QueuedRecord(content.end, record))
            content.end += 1
            return content.end - 1
        }
    }

    package func append(_ records: [PublishRecord]) -> [Result<UInt64, PublishError>] {
        records.map { .success(append($0)) }
    }

    package func sync() {}

    /// Does nothing: the number of the records is limited, not their age.
    package func expire(at now: Timestamp) {}

    package func release(below number: UInt64) {
        content.withLock { content in
            content.released = max(content.released, number)
            while let oldest = content.records.first, oldest.number < number { _ = content.records.popFirst() }
        }
    }

    package func place(named name: String) -> any TargetPlace { Place(self, from: end) }

    package var end: UInt64 { content.withLock { $0.end } }
    private var start: UInt64 { content.withLock { $0.records.first?.number ?? $0.end } }

    private func records(from number: UInt64, limit: Int) -> [QueuedRecord] {
        content.withLock { content in
            guard let first = content.records.first else { return [] }
            let skipped = Int(clamping: max(number, first.number) - first.number)
            return Array(content.records.dropFirst(skipped).prefix(limit))
        }
    }

    private final class Place: TargetPlace {
        private let queue: MemoryQueue
        let stored: DeliveryMark

        init(_ queue: MemoryQueue, from low: UInt64) {
            self.queue = queue
            stored = DeliveryMark(low: low)
        }

        var survives: Bool { false }

        var start: UInt64 { queue.start }
        var end: UInt64 { queue.end }

        func records(from number: UInt64, limit: Int) -> [QueuedRecord]? {
            queue.records(from: number, limit: limit)
        }

        func store(_ mark: DeliveryMark) {}
    }
}
