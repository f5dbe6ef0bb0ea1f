/// A writer of one format, which appends to a buffer that the caller empties at any time.
///
/// A file is `header`, then points and gaps in their order, then `trailer`. A writer is a value, and writing the
/// trailer does not end it, so a file can be completed after every point and still be continued.
///
/// A new format needs one writer, a `TrackFormat` beside it, and an entry in `TrackFormat.allCases`.
package protocol TrackWriter: Sendable {
    /// Creates a writer that has not written anything yet.
    init(_ options: TrackFormat.Options)
    /// Appends the text before the first point.
    mutating func header(to bytes: inout [UInt8])
    /// Appends the next point.
    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8])
    /// Appends an interruption; the next point begins a new segment.
    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8])
    /// Appends the text after the last point.
    func trailer(to bytes: inout [UInt8])

    /// Returns the options for continuing a file that begins with the given bytes; throws if it cannot be continued.
    static func options(
        _ options: TrackFormat.Options, continuing start: [UInt8], of path: String
    ) throws(TrackFileError) -> TrackFormat.Options
    /// Continues a file that ends with the given bytes, in a new segment.
    mutating func resume(after ending: [UInt8])
    /// Appends the end of the current feature, if any; returns `false` if it cannot end yet.
    ///
    /// Only a format whose trailer contains points needs it: GeoJSON and KML.
    mutating func endFeature(to bytes: inout [UInt8]) -> Bool

    // The parts of a file with the tracks of several receivers; see `TracksWriter`.

    /// Appends the text before the first track.
    func fileOpening(to bytes: inout [UInt8])
    /// Appends the text before the points of a track.
    func trackOpening(to bytes: inout [UInt8])
    /// Appends the text after the points of a track.
    func trackClosing(to bytes: inout [UInt8])
    /// Appends the text after the last track.
    func fileClosing(to bytes: inout [UInt8])
    /// Appends the part of the track that the writer still holds.
    mutating func endTrack(to bytes: inout [UInt8])
    /// Whether the list of features holds an element, for `FileForm.features`.
    var hasFeatures: Bool { get set }
}

extension TrackWriter {
    package static func options(
        _ options: TrackFormat.Options, continuing start: [UInt8], of path: String
    ) throws(TrackFileError) -> TrackFormat.Options { options }

    package mutating func resume(after ending: [UInt8]) {
        var bytes: [UInt8] = []
        gap(.continued, to: &bytes)
    }

    package mutating func endFeature(to bytes: inout [UInt8]) -> Bool { true }

    package func fileOpening(to bytes: inout [UInt8]) {
        var copy = self
        copy.header(to: &bytes)
    }

    package func trackOpening(to bytes: inout [UInt8]) {}

    package func trackClosing(to bytes: inout [UInt8]) {}

    package func fileClosing(to bytes: inout [UInt8]) { trailer(to: &bytes) }

    package mutating func endTrack(to bytes: inout [UInt8]) {}

    package var hasFeatures: Bool {
        get { false }
        set {}
    }
}
