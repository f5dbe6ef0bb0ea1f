/// A decoder that turns lines of gpsd's JSON into reports, directly from the bytes.
///
/// Any input gives a report, or an error that names the offending byte, in time linear in its length. Ambiguous JSON is
/// decoded as by Python's `json`: the last of several equal keys counts. `null` counts as a missing key. A value of an
/// unexpected type counts as missing, too, and one under an unknown key is skipped. A number beyond the range of `Double` is
/// unknown. Invalid UTF-8 and unpaired surrogates in a string become U+FFFD, because the encoding of a name must not
/// cost a position.
///
/// A decoder keeps buffers and the last device name, date and list of satellites, so that a typical line allocates
/// nothing: use one for all lines of a session, and release each report before decoding the next line.
package struct ReportDecoder: Sendable {
    /// A copy of the line, followed by the zeros that `JSONScanner` relies on.
    private var line: [UInt8] = []
    private var memory = DecoderCache()

    private static let padding = 64
    /// The maximum size of the buffer that is kept after a longer line.
    private static let keptCapacity = 1 << 20

    /// Creates a decoder without memory of earlier lines.
    package init() {}

    /// Decodes a line, ignoring white space around the object, such as the line's end.
    package mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(ReportError) -> GPSDReport {
        try decode(UnsafeRawBufferPointer(bytes))
    }

    /// Decodes a line, ignoring white space around the object, such as the line's end.
    package mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> GPSDReport {
        let length = bytes.count + ReportDecoder.padding
        if line.count < length || line.count > max(length, ReportDecoder.keptCapacity) {
            line = [UInt8](repeating: 0, count: length + length / 2)
        }
        line.withUnsafeMutableBytes { buffer in
            // The buffer holds at least `length` bytes: the line and the padding.
            buffer.copyMemory(from: bytes)
            for index in bytes.count..<length { buffer[index] = 0 }
        }
        return try line.withUnsafeBufferPointer { (buffer) throws(ReportError) in
            guard let start = buffer.baseAddress else { throw ReportError(.empty, offset: 0) }
            return try JSONScanner.report(at: start, count: bytes.count, with: &memory)
        }
    }

    /// Decodes a line from an array of bytes.
    package mutating func decode(_ bytes: [UInt8]) throws(ReportError) -> GPSDReport {
        try bytes.withUnsafeBufferPointer { (bytes) throws(ReportError) in try decode(bytes) }
    }

    /// Decodes a line from text.
    package mutating func decode(_ text: String) throws(ReportError) -> GPSDReport {
        try decode(Array(text.utf8))
    }
}
