/// A writer of one format, which appends to a buffer that the caller empties at any time.
///
/// A file is `header`, then points and gaps in their order, then `trailer`. A writer is a value, and the trailer does not end
/// it, so a file can be completed after every point and still be continued.
///
/// A new format needs one writer, a `TrackFormat` beside it, and an entry in `TrackFormat.allCases`. Only `init` and `append`
/// have no default.
package protocol TrackWriter: Sendable {
    /// Creates a writer that has not written anything yet.
    init(_ options: TrackFormat.Options)
    /// Appends the next point.
    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8])
    /// Appends an interruption; the next point begins a new segment.
    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8])
    /// Appends the points that the writer still holds, so that nothing is missing in front of the trailer.
    ///
    /// Only a format that lists the parts of several points one after another holds any.
    mutating func flush(to bytes: inout [UInt8])

    // The texts around the points; a file can have the tracks of several receivers. See `TracksWriter`.

    /// Appends the text before the first track.
    func beginFile(to bytes: inout [UInt8])
    /// Appends the text before the points of a track.
    func beginTrack(to bytes: inout [UInt8])
    /// Appends the rest and the end of the current segment.
    mutating func endSegment(to bytes: inout [UInt8])
    /// Appends the text after the points of a track.
    func endTrack(to bytes: inout [UInt8])
    /// Appends the text after the last track.
    func endFile(to bytes: inout [UInt8])
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
    func endOfLastPoint(in ending: [UInt8]) -> Int?
    /// The text in the trailer that ends a document and does not occur elsewhere; empty in a format without a trailer.
    var closing: StaticString { get }
    /// Continues a file whose points end with the given bytes, in a new segment.
    mutating func resume(after ending: ArraySlice<UInt8>)
}

extension TrackWriter {
    package mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8]) { endSegment(to: &bytes) }
    package mutating func flush(to bytes: inout [UInt8]) {}
    package func beginFile(to bytes: inout [UInt8]) {}
    package func beginTrack(to bytes: inout [UInt8]) {}
    package mutating func endSegment(to bytes: inout [UInt8]) {}
    package func endTrack(to bytes: inout [UInt8]) {}
    package func endFile(to bytes: inout [UInt8]) {}

    package var hasFeatures: Bool {
        get { false }
        set {}
    }

    package var beginning: [UInt8] {
        var bytes: [UInt8] = []
        beginFile(to: &bytes)
        return bytes
    }

    package static func options(
        _ options: TrackFormat.Options, continuing start: [UInt8], of path: String
    ) throws(TrackFileError) -> TrackFormat.Options { options }

    package func endOfLastPoint(in ending: [UInt8]) -> Int? { ending.endOfLast("\n") }
    package var closing: StaticString { "" }

    package mutating func resume(after ending: ArraySlice<UInt8>) {
        var bytes: [UInt8] = []
        gap(.continued, to: &bytes)
    }

    /// The text before the first point of a file with one track.
    package var header: [UInt8] {
        var bytes = [UInt8]()
        beginFile(to: &bytes)
        beginTrack(to: &bytes)
        return bytes
    }

    /// The text after the last point of a file with one track.
    package var trailer: [UInt8] {
        var (writer, bytes) = (self, [UInt8]())
        writer.endSegment(to: &bytes)
        writer.endTrack(to: &bytes)
        writer.endFile(to: &bytes)
        return bytes
    }

    /// Returns whether the bytes after the last whole point can be a torn write, and not more of a document that is complete.
    ///
    /// A torn write that has the end of the document is as long as the trailer, which it did not overwrite to its end.
    func isTorn(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.count <= trailer.count || closing.utf8CodeUnitCount == 0 || rest.endOfLast(closing) == nil
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns the index after the last occurrence of a text.
    func endOfLast(_ text: StaticString) -> Int? {
        let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return indices.reversed().first { self[$0...].starts(with: text) }.map { $0 + text.count }
    }
}
