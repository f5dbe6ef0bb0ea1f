/// A place in a segment, which reads its records one after the other with a buffer of a fixed size.
struct SegmentCursor {
    private let file: any QueueFile
    private let first: UInt64
    private var buffer: ArraySlice<UInt8> = []
    /// The offset of the file after the buffer.
    private var end = 0
    /// The number of the next record.
    private(set) var number: UInt64

    /// Creates a place before the first record.
    init(_ file: any QueueFile, first: UInt64) {
        self.file = file
        self.first = first
        number = first
    }

    /// The offset of the next record.
    var offset: Int { end - buffer.count }

    /// Returns the next record that is whole, or `nil` if there is none; a later call sees records written meanwhile.
    ///
    /// Damaged records are skipped. Their lengths lead to the record after them, so none is found after a wrong length. A record
    /// whose checksum is right and whose bytes are unknown was written by another version.
    mutating func nextRecord() throws(QueueError) -> PublishRecord? {
        guard let bytes = try next() else { return nil }
        guard let record = PublishRecord(bytes: bytes) else {
            throw QueueError(.unknownLayout(segment: QueueSegment.name(first)))
        }
        return record
    }

    private mutating func next() throws(QueueError) -> [UInt8]? {
        var isFresh = false
        while true {
            if let (record, size) = QueueSegment.read(buffer, number: number) {
                buffer = buffer.dropFirst(size)
                number += 1
                return record
            }
            if buffer.count < 2 * QueueSegment.largestFrame, try fill() { continue }
            if !isFresh, !buffer.isEmpty {
                // A failed write may have been taken back and followed by another one since the bytes were read.
                end = offset
                buffer = []
                isFresh = true
            } else if let damage = QueueSegment.damage(buffer, number: number) {
                buffer = buffer.dropFirst(damage.size)
                number += damage.count
            } else {
                return nil
            }
        }
    }

    /// Reads more of the file; returns false at its end.
    private mutating func fill() throws(QueueError) -> Bool {
        let read = try file.read(at: end, count: QueueSegment.piece)
        buffer += read
        end += read.count
        return !read.isEmpty
    }
}
