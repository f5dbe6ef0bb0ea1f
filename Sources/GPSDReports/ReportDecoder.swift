/// Turns lines of gpsd's JSON into reports, straight from the bytes.
///
/// Whatever bytes come, the answer is a report or an error that names the offending byte, in time linear in their number.
/// What JSON leaves open is settled as Python's `json` does it: the last of several equal keys counts. `null` is the same
/// as no key. A value of another kind than its key's, and one under an unknown key, is kept as text in `unknownKeys`.
/// A number beyond the range of `Double` is unknown. Bytes in a string that are no UTF-8, and halves of surrogate pairs,
/// become U+FFFD, because a name's encoding is no reason to lose a position.
///
/// A decoder keeps buffers and the last device's name, date and list of satellites, so that the usual line allocates
/// nothing: use one for the lines of a session, and let go of each report before the next line.
public struct ReportDecoder: Sendable {
    /// A copy of the line with the zeros after it that `JSONScanner` counts on.
    private var line: [UInt8] = []
    private var memory = DecoderMemory()

    private static let padding = 64
    /// A longer line's buffer is not kept.
    private static let keptCapacity = 1 << 20

    /// A decoder without memory of earlier lines.
    public init() {}

    /// Decodes a line; white space around the object, such as the line's end, does not matter.
    public mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(ReportError) -> GPSDReport {
        try decode(UnsafeRawBufferPointer(bytes))
    }

    /// Decodes a line; white space around the object, such as the line's end, does not matter.
    public mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> GPSDReport {
        let length = bytes.count + ReportDecoder.padding
        if line.count < length || line.count > max(length, ReportDecoder.keptCapacity) {
            line = [UInt8](repeating: 0, count: length + length / 2)
        }
        line.withUnsafeMutableBytes { buffer in
            // `length` bytes are there: the line's and the padding's.
            buffer.copyMemory(from: bytes)
            for index in bytes.count..<length { buffer[index] = 0 }
        }
        return try line.withUnsafeBufferPointer { (buffer) throws(ReportError) in
            guard let start = buffer.baseAddress else { throw ReportError(.empty, offset: 0) }
            return try JSONScanner.report(at: start, count: bytes.count, with: &memory)
        }
    }

    /// Decodes a line that is an array of bytes.
    public mutating func decode(_ bytes: [UInt8]) throws(ReportError) -> GPSDReport {
        try bytes.withUnsafeBufferPointer { (bytes) throws(ReportError) in try decode(bytes) }
    }

    /// Decodes a line that is text.
    public mutating func decode(_ text: String) throws(ReportError) -> GPSDReport {
        try decode(Array(text.utf8))
    }
}
