/// A place in a segment, which reads its records one after the other with a buffer of a fixed size.
struct SegmentCursor {
    private let file: any QueueFile
    private var buffer: ArraySlice<UInt8> = []
    /// The offset of the file after the buffer.
    private var end = 0
    /// The number of the next record.
    private(set) var number: UInt64

    /// Creates a place before the first record.
    init(_ file: any QueueFile, first: UInt64) {
        self.file = file
        number = first
    }

    /// The offset of the next record.
    var offset: Int { end - buffer.count }

    /// Returns the next record, or `nil` if there is none that is whole; a later call sees records written meanwhile.
    mutating func next() throws(QueueError) -> [UInt8]? {
        var isFresh = false
        while true {
            if let (record, size) = QueueSegment.read(buffer, number: number) {
                buffer = buffer.dropFirst(size)
                number += 1
                return record
            }
            var hasMore = buffer.count < QueueSegment.largestFrame
            if hasMore { hasMore = try fill() }
            if !hasMore {
                guard !isFresh, !buffer.isEmpty else { return nil }
                // A failed write may have been taken back and followed by another one since the bytes were read.
                end = offset
                buffer = []
                isFresh = true
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
