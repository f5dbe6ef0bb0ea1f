import Glibc

/// A reader that splits a stream of bytes into lines, whatever its chunks.
///
/// A line ends with a newline, optionally preceded by a carriage return. A line within one chunk is returned without a
/// copy; only a line that is split between chunks is assembled in a buffer. A line longer than the limit is skipped and
/// reported when its end arrives, so memory stays within the limit.
///
/// ```swift
/// var place = 0
/// while let line = reader.next(in: chunk, from: &place) { … }
/// ```
package struct LineReader: ~Copyable {
    /// A line, or the report that one was too long.
    package enum Line {
        /// A line without its end; the bytes are valid only until the next call of the reader.
        case line(UnsafeRawBufferPointer)
        /// A line of `bytes` bytes, longer than the limit, was skipped.
        case tooLong(bytes: Int)
    }

    /// The maximum length of a line in bytes, without its end.
    package let limit: Int
    /// The memory for the beginning of a line whose end has not arrived, which is kept for the next one.
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// The length of that beginning.
    private var torn = 0
    /// The bytes so far of a line that is too long and whose end has not arrived, or 0 if none is being skipped.
    private(set) var skipped = 0

    /// Creates a reader of lines of up to `limit` bytes.
    package init(limit: Int = 65_536) { self.limit = max(1, limit) }

    deinit { memory.deallocate() }

    /// Returns the next line that a chunk completes, and moves `place` behind it; keeps the rest of the chunk and returns `nil` if it
    /// completes no more.
    package mutating func next(in chunk: UnsafeRawBufferPointer, from place: inout Int) -> Line? {
        let first = place
        guard let newline = LineReader.newline(in: chunk, from: first) else {
            place = chunk.count
            gather(UnsafeRawBufferPointer(rebasing: chunk[first...]))
            return nil
        }
        place = newline + 1
        let part = UnsafeRawBufferPointer(rebasing: chunk[first..<newline])
        if torn == 0, skipped == 0 { return line(part) }
        gather(part)
        return last()
    }

    /// Returns the last line of a stream that ends without a newline, if any, and resets the reader for another stream.
    package mutating func last() -> Line? {
        defer { (torn, skipped) = (0, 0) }
        if skipped > 0 { return .tooLong(bytes: skipped) }
        return torn > 0 ? line(UnsafeRawBufferPointer(rebasing: memory[..<torn])) : nil
    }

    /// Appends to a line whose end has not arrived.
    private mutating func gather(_ part: UnsafeRawBufferPointer) {
        if skipped > 0 {
            skipped += part.count
        } else if torn + part.count > limit + 1 {
            // The byte after the limit may be a carriage return, which does not count.
            (torn, skipped) = (0, torn + part.count)
        } else if !part.isEmpty {
            if torn + part.count > memory.count { grow(to: torn + part.count) }
            UnsafeMutableRawBufferPointer(rebasing: memory[torn...]).copyMemory(from: part)
            torn += part.count
        }
    }

    private mutating func grow(to count: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(limit + 1, max(count, 2 * memory.count)), alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<torn]))
        memory.deallocate()
        memory = larger
    }

    private func line(_ part: UnsafeRawBufferPointer) -> Line {
        let hasReturn = part.last == UInt8(ascii: "\r")
        let line = hasReturn ? UnsafeRawBufferPointer(rebasing: part.dropLast()) : part
        return line.count > limit ? .tooLong(bytes: part.count) : .line(line)
    }

    /// Returns the index of the next newline, if any.
    static func newline(in chunk: UnsafeRawBufferPointer, from first: Int) -> Int? {
        guard first < chunk.count, let bytes = chunk.baseAddress,
            let found = memchr(bytes + first, Int32(UInt8(ascii: "\n")), chunk.count - first)
        else { return nil }
        return UnsafeRawPointer(found) - bytes
    }
}
