/// The place of one target in a queue, which remembers across runs of the program what the target has taken.
package final class QueueReader: RecordSource {
    private let queue: PublishQueue
    private var cursorFile: CursorFile
    /// The cursor at which the last run of the program ended.
    package let stored: DeliveryProgress.Cursor
    /// The number below which the target has taken every record.
    package private(set) var low: UInt64
    /// The last failure to read or to store, if any.
    package private(set) var failure: QueueError?
    private var old: Lane?
    private var new: Lane?

    /// A place in the queue; the backlog and the newest records have one each, so that neither searches its place again.
    private struct Lane {
        var segment: UInt64
        var cursor: SegmentCursor
        /// Whether neither the next record of the segment nor one after it can be read.
        var isDamaged = false
    }

    /// Creates the reader of a target.
    ///
    /// A target that is new to the queue begins with the next record, also if it cannot be reached before the program ends.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - name: A name for the target of letters and digits, which contains no secret.
    ///   - fromStart: Whether a target that is new to the queue gets the records that are already in it.
    package init(_ queue: PublishQueue, name: String, fromStart: Bool = false) throws(QueueError) {
        self.queue = queue
        let isNew = try !queue.storage.names().contains(CursorFile.fileName(name))
        cursorFile = try CursorFile(queue.storage, name: name)
        // A target with an unreadable cursor is not new, so it gets everything, which is better than a loss.
        let start = isNew && !fromStart ? queue.end : queue.start
        stored = cursorFile.cursor ?? DeliveryProgress.Cursor(low: start)
        low = stored.low
        if isNew { try cursorFile.store(stored) }
    }

    /// The number that the next record of the queue will get.
    package var end: UInt64 { queue.end }

    /// Stores the cursor at once, so that a killed program sends nothing again that was acknowledged.
    package func store(_ cursor: DeliveryProgress.Cursor) {
        low = cursor.low
        do throws(QueueError) { try cursorFile.store(cursor) } catch { failure = error }
    }

    /// Whether the last call of `records` could not read the queue.
    package private(set) var hasFailed = false

    /// Returns the first records from a number on, in order; after a failure those before it.
    package func records(from number: UInt64, limit: Int, isOld: Bool) -> [QueuedRecord] {
        var records: [QueuedRecord] = []
        hasFailed = false
        do throws(QueueError) {
            if isOld {
                try read(number, limit, &old, &records)
            } else {
                try read(number, limit, &new, &records)
            }
            if !records.isEmpty { failure = nil }
        } catch {
            failure = error
            // The records before the failure come first; the next call meets it again.
            hasFailed = records.isEmpty
        }
        return records
    }

    private func read(
        _ number: UInt64, _ limit: Int, _ lane: inout Lane?, _ records: inout [QueuedRecord]
    ) throws(QueueError) {
        guard number < queue.end else { return }
        try find(number, &lane)
        while records.count < limit, var current = lane {
            // A record that is being appended is not read before it is whole.
            guard current.cursor.number < queue.end else { break }
            if !current.isDamaged, let record = try current.cursor.nextRecord() {
                lane = current
                let next = current.cursor.number - 1
                if next >= number { records.append(QueuedRecord(next, record)) }
            } else if let segment = queue.segment(after: current.segment) {
                lane = try self.lane(of: segment)
            } else {
                // Nothing after the damage can be read in this segment, neither now nor later.
                current.isDamaged = true
                lane = current
                queue.close(segment: current.segment)
                break
            }
        }
    }

    /// Moves a lane to the segment that contains a number, unless the number is ahead of it in the same segment.
    private func find(_ number: UInt64, _ lane: inout Lane?) throws(QueueError) {
        guard let segment = queue.segment(of: number) else {
            lane = nil
            return
        }
        if let lane, lane.segment == segment, lane.cursor.number <= number { return }
        // The place after the last record of a segment is at the start of the next one.
        lane = try self.lane(of: segment)
    }

    private func lane(of segment: UInt64) throws(QueueError) -> Lane {
        let file = try queue.storage.open(QueueSegment.name(segment))
        return Lane(segment: segment, cursor: SegmentCursor(file, first: segment))
    }
}
