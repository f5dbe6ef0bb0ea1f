import LocationCore

/// The segments of a queue, and the place at which it grows.
struct QueueContent {
    struct Segment {
        let first: UInt64
        var size = 0
        /// The newest time of its records, and the oldest, if they are known.
        var times: (oldest: Timestamp, newest: Timestamp)?

        mutating func note(_ time: Timestamp) {
            let times = times ?? (time, time)
            self.times = (min(times.oldest, time), max(times.newest, time))
        }
    }

    /// A segment begins at the latest when this part of the limit on the age has passed.
    private static let ageParts = 16

    private(set) var segments: [Segment] = []
    /// The segment that grows, unless the next record begins another one.
    var file: (any QueueFile)?
    /// The files with records that may not be on the disk.
    var unsynced: [any QueueFile] = []
    private(set) var end: UInt64 = 1
    private(set) var dropped: UInt64 = 0
    /// The number below which every target has taken the records.
    var released: UInt64 = 0
    /// The number of bytes for which the space of the disk need not be measured again.
    var measuredSpace = 0

    /// Reads the segments of a folder, and cuts off a torn record.
    ///
    /// All records of the last segment are decoded, and the first one of each of the others.
    init(opening storage: any QueueStorage) throws(QueueError) {
        let names = try storage.names()
        let firsts = names.compactMap(QueueSegment.first(of:)).sorted()
        for first in firsts {
            let file = try storage.open(QueueSegment.name(first))
            var segment = Segment(first: first, size: try file.size())
            var cursor = SegmentCursor(file, first: first)
            if first == firsts.last {
                while let record = try cursor.nextRecord() { segment.note(record.latestTime) }
                if cursor.offset < segment.size { try file.truncate(to: cursor.offset) }
                segment.size = cursor.offset
                end = cursor.number
                self.file = file
                unsynced = [file]
            } else {
                _ = try cursor.nextRecord()
            }
            segments.append(segment)
        }
        // After a power cut a cursor can be newer than the records. Their numbers are not used again, or the target would
        // be taken to have the new records.
        for name in names {
            guard let taken = try CursorFile.end(storage, name), taken > end else { continue }
            end = taken
            file = nil
        }
    }

    /// Appends a record to the last segment, or to a new one if that is full, old or unusable.
    mutating func append(
        _ frame: [UInt8], _ record: PublishRecord, _ storage: any QueueStorage, _ limits: QueueLimits
    ) throws(QueueError) -> UInt64 {
        if file == nil || isFull(for: frame.count, record.latestTime, limits) { try begin(storage) }
        guard let file else { return end }
        let last = segments.count - 1
        do throws(QueueError) {
            try file.write(frame, at: segments[last].size)
        } catch {
            // The written part of the record is cut off; if that fails too, the next record begins another segment.
            do throws(QueueError) { try file.truncate(to: segments[last].size) } catch { self.file = nil }
            throw error
        }
        if unsynced.last !== file { unsynced.append(file) }
        segments[last].size += frame.count
        segments[last].note(record.latestTime)
        end += 1
        return end - 1
    }

    /// Begins a segment for the next record.
    mutating func begin(_ storage: any QueueStorage) throws(QueueError) {
        let file = try storage.open(QueueSegment.name(end))
        // A file of that name holds no record that was reported as appended.
        try file.truncate(to: 0)
        if segments.last?.first == end { segments.removeLast() }
        segments.append(Segment(first: end))
        self.file = file
    }

    /// Removes the first segment, and counts its records that were not taken; it is not the last one.
    mutating func removeOldest(_ storage: any QueueStorage) throws(QueueError) {
        try storage.remove(QueueSegment.name(segments[0].first))
        let oldest = max(segments[0].first, released)
        dropped += max(oldest, segments[1].first) - oldest
        segments.removeFirst()
    }

    /// Returns the newest time of the records of the first segment; `nil` if none of them can be read.
    mutating func newestTime(ofFirstIn storage: any QueueStorage) throws(QueueError) -> Timestamp? {
        if let times = segments[0].times { return times.newest }
        var cursor = SegmentCursor(try storage.open(QueueSegment.name(segments[0].first)), first: segments[0].first)
        while let record = try cursor.nextRecord() { segments[0].note(record.latestTime) }
        return segments[0].times?.newest
    }

    private func isFull(for size: Int, _ time: Timestamp, _ limits: QueueLimits) -> Bool {
        guard let last = segments.last, last.size > 0 else { return false }
        if last.size + size > limits.segmentSize { return true }
        guard let age = limits.age, let times = last.times else { return false }
        return time > times.oldest.advanced(by: age / Self.ageParts)
    }
}

extension PublishRecord {
    /// The time of the fix or the time at which the record was made, whichever is later.
    fileprivate var latestTime: Timestamp { max(time, created) }
}
