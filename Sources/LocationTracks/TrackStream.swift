/// Writes a track into a buffer of bytes from the beginning to the end, for pipes and for files that are written once.
///
/// The last point is held back until the next instant, so that a later report of its instant replaces it.
public struct TrackStream: Sendable {
    private var writer: any TrackWriter
    private var held: TrackPoint?
    private var hasBegun = false
    /// How many points were written.
    public private(set) var points = 0

    /// A stream in a format.
    public init(_ format: TrackFormat, _ options: TrackFormat.Options = .init()) {
        writer = format.writer(options)
    }

    /// Takes an element and appends what can be written by now.
    public mutating func take(_ element: TrackElement, to bytes: inout [UInt8]) {
        begin(&bytes)
        switch element {
        case .point(let point):
            release(&bytes)
            held = point
        case .revision(let point): held = point
        case .gap(let gap):
            release(&bytes)
            writer.gap(gap, to: &bytes)
        }
    }

    /// Appends what is left and the end of the file; a track without a point is a right file too.
    public mutating func finish(to bytes: inout [UInt8]) {
        begin(&bytes)
        release(&bytes)
        writer.trailer(to: &bytes)
    }

    private mutating func begin(_ bytes: inout [UInt8]) {
        guard !hasBegun else { return }
        hasBegun = true
        writer.header(to: &bytes)
    }

    private mutating func release(_ bytes: inout [UInt8]) {
        guard let point = held else { return }
        held = nil
        points += 1
        writer.append(point, to: &bytes)
    }
}
