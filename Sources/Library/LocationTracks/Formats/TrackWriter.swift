package import LocationCore

/// A writer of one format, which appends to a buffer that the caller empties at any time.
///
/// A file is `header`, then points and gaps in their order, then `trailer`. A writer is a value, and the trailer does not end
/// it, so a file can be completed after every point and still be continued.
///
/// A new format needs one writer, a `TrackFormat` beside it, and an entry in `TrackFormat.allCases`. Only `init` and `append`
/// have no default. Three rules hold for every format:
///
/// - The text of a point shows that it is whole, for example by its line break or its closing element, because a file that
///   was torn is cut off after its last whole point; see `endOfLastPoint(in:)`.
/// - The trailer of a file that is resumed is that of a writer which has not written anything, so a trailer that depends on
///   the points cannot be recognized.
/// - A format whose files can have several tracks names the receiver of each; one that cannot has `ReceiverNaming.nowhere`,
///   and the track of one receiver per file.
package protocol TrackWriter: Sendable {
    /// Creates a writer that has not written anything yet.
    init(_ options: TrackFormat.Options)
    /// Appends the next point.
    mutating func append(_ point: TrackPoint, into out: inout TextBuffer)
    /// Appends an interruption; the next point begins a new segment.
    mutating func gap(_ gap: TrackGap, into out: inout TextBuffer)
    /// Appends the points that the writer still holds, so that nothing is missing in front of the trailer.
    ///
    /// Only a format that lists the parts of several points one after another holds any.
    mutating func flush(into out: inout TextBuffer)

    // The texts around the points; a file can have the tracks of several receivers. See `TracksWriter`.

    /// Appends the text before the first track.
    func beginFile(into out: inout TextBuffer)
    /// Appends the text before the points of a track.
    func beginTrack(into out: inout TextBuffer)
    /// Appends the rest and the end of the current segment.
    mutating func endSegment(into out: inout TextBuffer)
    /// Appends the text after the points of a track.
    func endTrack(into out: inout TextBuffer)
    /// Appends the text after the last track.
    func endFile(into out: inout TextBuffer)
    /// Whether a list that all tracks of a file share has an element, for formats with a separator.
    var hasFeatures: Bool { get set }

    // A file that is continued. See `TrackFile`.

    /// The bytes with which every file of the format begins.
    var beginning: [UInt8] { get }
    /// Returns the options for continuing a file that begins with the given bytes; throws if it cannot be continued.
    static func options(
        _ options: TrackFormat.Options, continuing start: [UInt8], of path: String
    ) throws(TrackFileError) -> TrackFormat.Options
    /// Returns the end of the last whole point in the last bytes of a file, or else of the text before the first point.
    ///
    /// By default that is the last line break, so a point is one or several whole lines.
    func endOfLastPoint(in ending: [UInt8]) -> Int?
    /// The text in the trailer that ends a document and does not occur elsewhere; empty in a format without a trailer.
    var closing: StaticString { get }
    /// Returns the time of the first point in the first bytes of a file, if there is one.
    ///
    /// By default that is the first time in the text as RFC 3339 writes it.
    func firstTime(in start: [UInt8]) -> Timestamp?
    /// Continues a file whose points end with the given bytes, in a new segment.
    mutating func resume(after ending: ArraySlice<UInt8>)
}

extension TrackWriter {
    package mutating func gap(_ gap: TrackGap, into out: inout TextBuffer) { endSegment(into: &out) }
    package mutating func flush(into out: inout TextBuffer) {}
    package func beginFile(into out: inout TextBuffer) {}
    package func beginTrack(into out: inout TextBuffer) {}
    package mutating func endSegment(into out: inout TextBuffer) {}
    package func endTrack(into out: inout TextBuffer) {}
    package func endFile(into out: inout TextBuffer) {}

    package var hasFeatures: Bool {
        get { false }
        set {}
    }

    package var beginning: [UInt8] {
        var out = TextBuffer()
        beginFile(into: &out)
        return out.bytes
    }

    package static func options(
        _ options: TrackFormat.Options, continuing start: [UInt8], of path: String
    ) throws(TrackFileError) -> TrackFormat.Options { options }

    package func endOfLastPoint(in ending: [UInt8]) -> Int? { ending.endOfLast("\n") }
    package var closing: StaticString { "" }

    package func firstTime(in start: [UInt8]) -> Timestamp? {
        // A date has ten bytes in front of the T.
        for place in start.indices.dropFirst(10) where start[place] == UInt8(ascii: "T") {
            let end = start[place...].prefix(Timestamp.room - 10).firstIndex(of: UInt8(ascii: "Z"))
            if let end, let time = start[(place - 10)...end].withUnsafeBufferPointer({ Timestamp(utf8: $0) }) {
                return time
            }
        }
        return nil
    }

    package mutating func resume(after ending: ArraySlice<UInt8>) {
        var out = TextBuffer()
        gap(.continued, into: &out)
    }

    /// The text before the first point of a file with one track.
    package var header: [UInt8] {
        var out = TextBuffer()
        beginFile(into: &out)
        beginTrack(into: &out)
        return out.bytes
    }

    /// The text after the last point of a file with one track.
    package var trailer: [UInt8] {
        var (writer, out) = (self, TextBuffer())
        writer.endSegment(into: &out)
        writer.endTrack(into: &out)
        writer.endFile(into: &out)
        return out.bytes
    }

    /// Returns whether the bytes after the last whole point can be a torn write, and not more of a document that is complete.
    ///
    /// A torn write that has the end of the document is as long as the trailer, which it did not overwrite to its end.
    func isTorn(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.count <= trailer.count || closing.utf8CodeUnitCount == 0 || rest.endOfLast(closing) == nil
    }
}

extension TextBuffer {
    /// Appends a text of an XML element between its tags.
    mutating func put(_ opening: StaticString, xml text: String, _ closing: StaticString) {
        put(opening)
        put(xml: text)
        put(closing)
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns the index after the last occurrence of a text.
    func endOfLast(_ text: StaticString) -> Int? {
        let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return indices.reversed().first { self[$0...].starts(with: text) }.map { $0 + text.count }
    }
}
