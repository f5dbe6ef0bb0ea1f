/// A decoder that turns lines of gpsd's JSON into reports, directly from the bytes.
///
/// Any input gives a report, or an error that names the offending byte, in time linear in its length. Ambiguous JSON is
/// decoded as by Python's `json`: the last of several equal keys counts. `null` counts as a missing key. A value of an
/// unexpected type counts as missing, too, and one under an unknown key is skipped. A number beyond the range of `Double` is
/// unknown. Invalid UTF-8 and unpaired surrogates in a string become U+FFFD, because the encoding of a name must not
/// cost a position.
///
/// A decoder keeps buffers, the last device name and date, and the order of keys, so that a typical line allocates at most its
/// list of satellites: use one for all lines of a session.
package struct ReportDecoder: Sendable {
    private var line = PaddedBuffer(keptCapacity: 1 << 20)
    private var cache = DecoderCache()

    /// Creates a decoder without memory of earlier lines.
    package init() {}

    /// Decodes a line, ignoring white space around the object, such as the line's end.
    package mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(ReportError) -> GPSDReport {
        try line.withCopy(of: bytes) { (start) throws(ReportError) in
            try JSONScanner.report(at: start, count: bytes.count, with: &cache)
        }
    }

    /// Decodes a line from an array of bytes.
    package mutating func decode(_ bytes: [UInt8]) throws(ReportError) -> GPSDReport {
        try bytes.withUnsafeBufferPointer { (bytes) throws(ReportError) in
            try decode(UnsafeRawBufferPointer(bytes))
        }
    }

    package mutating func decode(_ text: String) throws(ReportError) -> GPSDReport {
        try decode(Array(text.utf8))
    }
}
