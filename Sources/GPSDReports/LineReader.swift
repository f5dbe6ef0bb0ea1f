/// Cuts a stream of bytes into lines, whatever chunks it comes in.
///
/// A line ends with a newline, and a carriage return before that belongs to the end. A line that lies within a chunk is
/// handed out where it lies; only one that is torn between chunks is put together in a buffer. A line longer than the
/// limit is skipped, announced when its end has come, and reading goes on with the next: memory stays within the limit.
public struct LineReader: Sendable {
    /// What comes out: a line, or the news that there was one too long.
    public enum Line {
        /// A line without its end; the bytes are valid only until the body that they are handed to returns.
        case line(UnsafeRawBufferPointer)
        /// A line longer than the limit, of so many bytes, was skipped.
        case tooLong(bytes: Int)
    }

    /// The most bytes that a line may have, its end not counted.
    public let limit: Int
    /// The beginning of a line whose end has not come.
    private var torn: [UInt8] = []
    /// The bytes so far of a line that is too long; 0 outside of one.
    private var skipped = 0

    /// The bytes so far of a line that is being skipped and whose end has not come.
    package var skippedBytes: Int { skipped }

    /// A reader of lines of up to `limit` bytes.
    public init(limit: Int = 65_536) { self.limit = max(1, limit) }

    /// Hands out the lines that a chunk completes; an error of the body loses the rest of the chunk.
    public mutating func feed<Failure: Error>(
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

    /// Hands out the last line of a stream that ends without a newline, and is then ready for another stream.
    public mutating func finish<Failure: Error>(_ body: (Line) throws(Failure) -> Void) throws(Failure) {
        if skipped > 0 {
            let bytes = skipped
            skipped = 0
            try body(.tooLong(bytes: bytes))
        } else if !torn.isEmpty {
            let line = torn
            torn = []
            defer {
                // The buffer serves the next torn line.
                torn = line
                torn.removeAll(keepingCapacity: true)
            }
            try line.withUnsafeBufferPointer { (line) throws(Failure) in
                try hand(UnsafeRawBufferPointer(line), to: body)
            }
        }
    }

    /// Adds to a line whose end has not come.
    private mutating func gather(_ part: UnsafeRawBufferPointer) {
        if skipped > 0 {
            skipped += part.count
        } else if torn.count + part.count > limit + 1 {
            // One more than the limit may yet be a carriage return.
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

    /// Where the next newline is.
    private static func newline(in chunk: UnsafeRawBufferPointer, from first: Int) -> Int? {
        guard let bytes = chunk.baseAddress else { return nil }
        var index = first
        // 64 bytes at a time; `index + 64 <= count` keeps the load within the chunk.
        let newlines = SIMD64<UInt8>(repeating: UInt8(ascii: "\n"))
        while index + 64 <= chunk.count {
            let equal = bytes.loadUnaligned(fromByteOffset: index, as: SIMD64<UInt8>.self) .== newlines
            let words = unsafeBitCast(equal, to: SIMD8<UInt64>.self)
            let pairs = words.lowHalf | words.highHalf
            let pair = pairs.lowHalf | pairs.highHalf
            if pair.x | pair.y != 0 { break }
            index += 64
        }
        while index < chunk.count {
            if bytes.load(fromByteOffset: index, as: UInt8.self) == UInt8(ascii: "\n") { return index }
            index += 1
        }
        return nil
    }
}
