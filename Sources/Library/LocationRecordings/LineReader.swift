import Glibc

/// A reader that splits a stream of bytes into lines, whatever its chunks.
///
/// A line ends with a newline, optionally preceded by a carriage return. A line within one chunk is passed on without a
/// copy; only a line that is split between chunks is assembled in a buffer. A line longer than the limit is skipped and
/// reported when its end arrives, so memory stays within the limit.
package struct LineReader: Sendable {
    /// A line, or the report that one was too long.
    package enum Line {
        /// A line without its end; the bytes are valid only until the body returns.
        case line(UnsafeRawBufferPointer)
        /// A line of `bytes` bytes, longer than the limit, was skipped.
        case tooLong(bytes: Int)
    }

    /// The maximum length of a line in bytes, without its end.
    package let limit: Int
    /// The beginning of a line whose end has not arrived.
    private var torn: [UInt8] = []
    /// The bytes so far of a line that is too long and whose end has not arrived, or 0 if none is being skipped.
    private(set) var skipped = 0

    /// Creates a reader of lines of up to `limit` bytes.
    package init(limit: Int = 65_536) { self.limit = max(1, limit) }

    /// Passes the lines that a chunk completes to `body`; if it throws, the rest of the chunk is lost.
    package mutating func feed<Failure: Error>(
        _ chunk: UnsafeRawBufferPointer, _ body: (Line) throws(Failure) -> Void
    ) throws(Failure) {
        var first = 0
        while let newline = LineReader.newline(in: chunk, from: first) {
            let part = UnsafeRawBufferPointer(rebasing: chunk[first..<newline])
            first = newline + 1
            if torn.isEmpty, skipped == 0 {
                try hand(part, to: body)
            } else {
                gather(part)
                try finish(body)
            }
        }
        gather(UnsafeRawBufferPointer(rebasing: chunk[first...]))
    }

    /// Passes on the last line of a stream that ends without a newline, and resets the reader for another stream.
    package mutating func finish<Failure: Error>(_ body: (Line) throws(Failure) -> Void) throws(Failure) {
        if skipped > 0 {
            let bytes = skipped
            skipped = 0
            try body(.tooLong(bytes: bytes))
        } else if !torn.isEmpty {
            let line = torn
            torn = []
            defer {
                // Keep the buffer for the next split line.
                torn = line
                torn.removeAll(keepingCapacity: true)
            }
            try line.withUnsafeBufferPointer { (line) throws(Failure) in
                try hand(UnsafeRawBufferPointer(line), to: body)
            }
        }
    }

    /// Appends to a line whose end has not arrived.
    private mutating func gather(_ part: UnsafeRawBufferPointer) {
        if skipped > 0 {
            skipped += part.count
        } else if torn.count + part.count > limit + 1 {
            // The byte after the limit may be a carriage return, which does not count.
            skipped = torn.count + part.count
            torn.removeAll(keepingCapacity: true)
        } else {
            torn.append(contentsOf: part)
        }
    }

    private func hand<Failure: Error>(
        _ part: UnsafeRawBufferPointer, to body: (Line) throws(Failure) -> Void
    ) throws(Failure) {
        let hasReturn = part.last == UInt8(ascii: "\r")
        let line = hasReturn ? UnsafeRawBufferPointer(rebasing: part.dropLast()) : part
        try body(line.count > limit ? .tooLong(bytes: part.count) : .line(line))
    }

    /// Returns the index of the next newline, if any.
    static func newline(in chunk: UnsafeRawBufferPointer, from first: Int) -> Int? {
        guard first < chunk.count, let bytes = chunk.baseAddress,
            let found = memchr(bytes + first, Int32(UInt8(ascii: "\n")), chunk.count - first)
        else { return nil }
        return UnsafeRawPointer(found) - bytes
    }
}
