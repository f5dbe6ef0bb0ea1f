/// A splitter of a text into lines, whatever its pieces.
///
/// A line that is too long for any that is read is counted, but not passed on, so that memory is bounded.
struct TextLines {
    /// The longest line of a track that is read, in bytes.
    private static let limit = 4096

    private var line: [UInt8] = []
    private var isTooLong = false
    /// Whether lines end with a return before the line feed.
    private var hasReturns = false
    private(set) var number = 0

    /// Passes on the lines that a piece completes, without their ends; an empty piece ends the text.
    ///
    /// - Parameter body: Called with each line, which is `nil` if it is too long, and is cut if it is the last one and lacks
    ///   the return that those before it have.
    mutating func read(
        _ piece: UnsafeRawBufferPointer, _ body: (_ line: [UInt8]?, _ number: Int, _ isCut: Bool) -> Void
    ) {
        var rest = piece[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            rest = rest[(end + 1)...]
            finish(isLast: false, body)
        }
        append(rest)
        if piece.isEmpty, !line.isEmpty || isTooLong { finish(isLast: true, body) }
    }

    private mutating func append(_ part: Slice<UnsafeRawBufferPointer>) {
        isTooLong = isTooLong || line.count + part.count > Self.limit
        if !isTooLong { line.append(contentsOf: part) }
    }

    private mutating func finish(isLast: Bool, _ body: ([UInt8]?, Int, Bool) -> Void) {
        number += 1
        let hasReturn = line.last == UInt8(ascii: "\r")
        if hasReturn { line.removeLast() }
        body(isTooLong ? nil : line, number, isLast && hasReturns && !hasReturn)
        hasReturns = hasReturns || hasReturn
        line.removeAll(keepingCapacity: true)
        isTooLong = false
    }
}
