/// The place of one target in a queue, which remembers across runs of the program what the target has taken.
public final class QueueReader: RecordSource {
    private let queue: PublishQueue
    private var cursorFile: CursorFile
    /// The cursor at which the last run of the program ended.
    public let stored: DeliveryProgress.Cursor
    /// The number below which the target has taken every record.
    public private(set) var low: UInt64
    /// The last failure to read or to store, if any.
    public private(set) var failure: QueueError?
    private var old: Lane?
    private var new: Lane?

    /// A place in the queue; the backlog and the newest records have one each, so that neither searches its place again.
    private struct Lane {
        var segment: UInt64
        var cursor: SegmentCursor
    }

    /// Creates the reader of a target.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - name: A name for the target of letters and digits, which contains no secret.
    public init(_ queue: PublishQueue, name: String) throws(QueueError) {
        self.queue = queue
        cursorFile = try CursorFile(queue.storage, name: name)
        stored = cursorFile.cursor ?? DeliveryProgress.Cursor(low: queue.start)
        low = stored.low
    }

    /// The number that the next record of the queue will get.
    public var end: UInt64 { queue.end }

    /// Stores the cursor at once, so that a killed program sends nothing again that was acknowledged.
    public func store(_ cursor: DeliveryProgress.Cursor) {
        low = cursor.low
        do throws(QueueError) { try cursorFile.store(cursor) } catch { failure = error }
    }

    /// Returns the first records from a number on, in order; after a failure none.
    public func records(from number: UInt64, limit: Int, isOld: Bool) -> [QueuedRecord] {
        do throws(QueueError) {
            return isOld ? try read(number, limit, &old) : try read(number, limit, &new)
        } catch {
            failure = error
            return []
        }
    }

    private func read(_ number: UInt64, _ limit: Int, _ lane: inout Lane?) throws(QueueError) -> [QueuedRecord] {
        if lane?.cursor.number != number { lane = try self.lane(at: number) }
        var records: [QueuedRecord] = []
        while records.count < limit, var current = lane {
            let next = current.cursor.number
            // A record that is being appended is not read before it is whole.
            guard next < queue.end else { break }
            if let bytes = try current.cursor.next() {
                lane = current
                if next >= number, let record = PublishRecord(bytes: bytes) {
                    records.append(QueuedRecord(next, record))
                }
            } else if let segment = queue.segment(after: current.segment) {
                lane = try self.lane(of: segment)
            } else {
                lane = nil
            }
        }
        return records
    }

    private func lane(at number: UInt64) throws(QueueError) -> Lane? {
        guard let segment = queue.segment(of: number) else { return nil }
        return try lane(of: segment)
    }

    private func lane(of segment: UInt64) throws(QueueError) -> Lane {
        let file = try queue.storage.open(QueueSegment.name(segment))
        return Lane(segment: segment, cursor: SegmentCursor(file, first: segment))
    }
}
