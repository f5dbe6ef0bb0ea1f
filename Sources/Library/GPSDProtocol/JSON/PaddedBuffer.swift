/// A copy of a text, followed by the zeros that `JSONScanner` relies on, in memory that is reused for the next one.
struct PaddedBuffer: Sendable {
    private static let padding = 64

    /// The maximum size that is kept after a longer text.
    private let keptCapacity: Int
    private var bytes: [UInt8] = []

    init(keptCapacity: Int) { self.keptCapacity = keptCapacity }

    /// Copies a text, and calls `body` with the beginning of the copy.
    @inline(__always)
    mutating func withCopy<Answer, Failure: Error>(
        of text: UnsafeRawBufferPointer, _ body: (JSONScanner.Cursor) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let length = text.count + Self.padding
        if bytes.count < length || bytes.count > max(length, keptCapacity) {
            bytes = [UInt8](repeating: 0, count: length + length / 2)
        }
        return try bytes.withUnsafeMutableBufferPointer { (buffer) throws(Failure) in
            // The buffer holds at least `length` bytes: the text and the padding.
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: text)
            for index in text.count..<length { buffer[index] = 0 }
            guard let start = buffer.baseAddress else { preconditionFailure("the padding is never empty") }
            return try body(JSONScanner.Cursor(start))
        }
    }
}
