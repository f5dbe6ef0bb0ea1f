import LocwatchSupport

/// The records that are to be published, in files that survive the program and the machine.
///
/// Records are appended to segments. A record has a number, which increases by one with each record, and is read by any
/// number of readers, one for each target. `append` does not wait for the disk: a killed program loses nothing, and a power
/// cut loses what was appended since the last `sync()`. When the queue is full, the oldest segments are removed.
///
/// One program at a time uses a queue; the storage ensures that.
public final class PublishQueue: Sendable {
    /// The limits of a queue.
    public struct Limits: Hashable, Sendable {
        /// The size of all segments in bytes.
        public var size = 64 << 20
        /// The size in bytes at which a new segment begins.
        public var segmentSize = 1 << 20

        /// Creates limits of 64 MiB in segments of 1 MiB.
        public init() {}
    }

    struct Segment {
        let first: UInt64
        var size: Int
    }

    private struct Content {
        var segments: [Segment] = []
        /// The segment that grows, unless none is open.
        var file: (any QueueFile)?
        var end: UInt64 = 1
        var dropped: UInt64 = 0
        /// The number below which every target has taken the records.
        var released: UInt64 = 0
    }

    let storage: any QueueStorage
    private let limits: Limits
    private let content: Lock<Content>

    /// Opens a queue, and cuts off a record at its end that a power cut has torn.
    public init(_ storage: any QueueStorage, limits: Limits = Limits()) throws(QueueError) {
        self.storage = storage
        self.limits = limits
        var opened = Content()
        let firsts = try storage.names().compactMap(QueueSegment.first(of:)).sorted()
        for first in firsts {
            let file = try storage.open(QueueSegment.name(first))
            opened.segments.append(Segment(first: first, size: try file.size()))
            guard first == firsts.last else { continue }
            var cursor = SegmentCursor(file, first: first)
            while try cursor.next() != nil {}
            if cursor.offset < opened.segments[opened.segments.count - 1].size { try file.truncate(to: cursor.offset) }
            opened.segments[opened.segments.count - 1].size = cursor.offset
            opened.end = cursor.number
            opened.file = file
        }
        content = Lock(opened)
    }

    /// The number that the next record will get.
    public var end: UInt64 { content.withLock { $0.end } }

    /// The number of the oldest record that the queue still has.
    public var start: UInt64 { content.withLock { $0.segments.first?.first ?? $0.end } }

    /// The number of records that were removed because the queue was full.
    public var dropped: UInt64 { content.withLock { $0.dropped } }

    /// Appends a record and returns its number.
    ///
    /// If it fails, the queue is as before, and a later record can be appended.
    @discardableResult public func append(_ record: PublishRecord) throws(QueueError) -> UInt64 {
        let bytes = record.bytes
        return try content.withLock { (content) throws(QueueError) in
            let number = content.end
            let frame = QueueSegment.frame(bytes, number: number)
            let file = try makeRoom(for: frame.count, &content)
            let last = content.segments.count - 1
            do throws(QueueError) {
                try file.write(frame, at: content.segments[last].size)
            } catch {
                // The written part of the record is cut off; if that fails too, the next record begins another segment.
                do throws(QueueError) {
                    try file.truncate(to: content.segments[last].size)
                } catch {
                    content.file = nil
                }
                throw error
            }
            content.segments[last].size += frame.count
            content.end = number + 1
            return number
        }
    }

    /// Waits until every record is on the disk.
    public func sync() throws(QueueError) {
        guard let file = content.withLock({ $0.file }) else { return }
        try file.sync()
    }

    /// Removes the segments of which every record was taken.
    ///
    /// - Parameter number: The number below which every target has taken the records.
    public func release(below number: UInt64) throws(QueueError) {
        try content.withLock { (content) throws(QueueError) in
            content.released = max(content.released, number)
            while content.segments.count > 1, content.segments[1].first <= content.released {
                try storage.remove(QueueSegment.name(content.segments[0].first))
                content.segments.removeFirst()
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

    /// Returns the segment for the next record, which is a new one if the last one is full.
    ///
    /// If the queue is full, the oldest segments are removed.
    private func makeRoom(for size: Int, _ content: inout Content) throws(QueueError) -> any QueueFile {
        while content.segments.count > 1, content.segments.reduce(size, { $0 + $1.size }) > limits.size {
            try storage.remove(QueueSegment.name(content.segments[0].first))
            let oldest = max(content.segments[0].first, content.released)
            content.dropped += max(oldest, content.segments[1].first) - oldest
            content.segments.removeFirst()
        }
        if let file = content.file, let last = content.segments.last,
            last.size == 0 || last.size + size <= limits.segmentSize
        {
            return file
        }
        if let file = content.file { try file.sync() }
        let file = try storage.open(QueueSegment.name(content.end))
        // A file of that name holds no record that was reported as appended.
        try file.truncate(to: 0)
        if content.segments.last?.first == content.end { content.segments.removeLast() }
        content.segments.append(Segment(first: content.end, size: 0))
        content.file = file
        return file
    }
}
