package import LocationCore
import LocwatchSupport

/// The records that are to be published, in files that survive the program and the machine.
///
/// Records are appended to segments. A record has a number, which increases by one with each record, and is read by any
/// number of readers, one for each target. `append` does not wait for the disk: a killed program loses nothing, and a power
/// cut loses what was appended since the last `sync()`. When the queue is full, the oldest segments are removed.
///
/// One program at a time uses a queue; the storage ensures that.
package final class PublishQueue: Sendable {
    /// The space besides the reserve with which a disk is not measured for each record.
    private static let plenty = 64 << 20
    private static let measuredAtOnce = 1 << 16

    let storage: any QueueStorage
    let limits: QueueLimits
    private let content: Lock<QueueContent>

    /// Opens a queue, and cuts off a record at its end that a power cut has torn.
    package init(_ storage: any QueueStorage, limits: QueueLimits = QueueLimits()) throws(QueueError) {
        self.storage = storage
        self.limits = limits
        content = Lock(try QueueContent(opening: storage))
    }

    /// The number that the next record will get.
    package var end: UInt64 { content.withLock { $0.end } }

    /// The number of the oldest record that the queue still has.
    package var start: UInt64 { content.withLock { $0.segments.first?.first ?? $0.end } }

    /// The number of records that were removed because the queue was full, or because they were too old.
    package var dropped: UInt64 { content.withLock { $0.dropped } }

    /// Appends a record and returns its number.
    ///
    /// If it fails, the queue is as before, and a later record can be appended.
    @discardableResult package func append(_ record: PublishRecord) throws(QueueError) -> UInt64 {
        let bytes = record.bytes
        return try content.withLock { (content) throws(QueueError) in
            let frame = QueueSegment.frame(bytes, number: content.end)
            try makeRoom(for: frame.count, &content)
            return try content.append(frame, record, storage, limits)
        }
    }

    /// Waits until every record is on the disk; after a failure a later call tries again.
    package func sync() throws(QueueError) {
        // Records can be appended meanwhile.
        var files = content.withLock { content in
            defer { content.unsynced = [] }
            return content.unsynced
        }
        do throws(QueueError) {
            while let file = files.first {
                try file.sync()
                files.removeFirst()
            }
        } catch {
            content.withLock { $0.unsynced = files + $0.unsynced }
            throw error
        }
    }

    /// Removes the segments of which every record was taken.
    ///
    /// - Parameter number: The number below which every target has taken the records.
    package func release(below number: UInt64) throws(QueueError) {
        try content.withLock { (content) throws(QueueError) in
            content.released = max(content.released, number)
            while content.segments.count > 1, content.segments[1].first <= content.released {
                try content.removeOldest(storage)
            }
        }
    }

    /// Removes the segments whose records are all older than the limit on the age.
    ///
    /// Both the time of the fix and the time at which a record was made must be too long ago, so that a clock that was
    /// wrong for a while loses nothing. A segment covers at most a sixteenth of the limit, so that a record lives at most that
    /// much longer.
    ///
    /// - Parameter now: The current time.
    package func expire(at now: Timestamp) throws(QueueError) {
        guard let age = limits.age else { return }
        let oldest = now.advanced(by: .zero - age)
        try content.withLock { (content) throws(QueueError) in
            while let segment = content.segments.first, segment.size > 0 {
                let newest = try content.newestTime(ofFirstIn: storage)
                // A segment without a readable record is useless, unless it is the one that grows.
                guard newest.map({ $0 < oldest }) ?? (content.segments.count > 1) else { return }
                // The name of the last segment is what remembers the numbers.
                if content.segments.count == 1 { try content.begin(storage) }
                try content.removeOldest(storage)
            }
        }
    }

    /// Returns the number of the first record of the segment that contains a number, or of the next one.
    func segment(of number: UInt64) -> UInt64? {
        content.withLock { content in
            let later = content.segments.firstIndex { $0.first > number } ?? content.segments.count
            return content.segments.isEmpty ? nil : content.segments[max(0, later - 1)].first
        }
    }

    /// Returns the number of the first record of the segment after another one, if there is one.
    func segment(after first: UInt64) -> UInt64? {
        content.withLock { content in content.segments.first { $0.first > first }?.first }
    }

    /// Lets the next record begin another segment, because a record of this one cannot be read.
    func close(segment first: UInt64) {
        content.withLock { content in if content.segments.last?.first == first { content.file = nil } }
    }

    /// Makes room for a record by removing the oldest segments.
    private func makeRoom(for size: Int, _ content: inout QueueContent) throws(QueueError) {
        while content.segments.count > 1, content.segments.reduce(size, { $0 + $1.size }) > limits.size {
            try content.removeOldest(storage)
        }
        guard try !hasSpace(for: size, &content) else { return }
        // At most one segment is removed for each record: some file systems report the space of a removed file late, and
        // removing until there is space would then empty the queue.
        if content.segments.count > 1 { try content.removeOldest(storage) }
        guard try storage.freeSpace() >= limits.reserve + size else {
            throw QueueError(.noSpace(reserve: limits.reserve))
        }
    }

    /// Returns whether the disk has space for a record besides the reserve.
    ///
    /// Measuring costs a third of an append, so that a disk with plenty of space is measured for every 64 KiB only.
    private func hasSpace(for size: Int, _ content: inout QueueContent) throws(QueueError) -> Bool {
        content.measuredSpace -= size
        if content.measuredSpace >= 0 { return true }
        let free = try storage.freeSpace() - limits.reserve
        if free >= Self.plenty { content.measuredSpace = Self.measuredAtOnce }
        return free >= size
    }
}
