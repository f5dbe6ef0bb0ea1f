import LocationCore

/// A writer of a complete track to a buffer, for pipes and for files that are written once.
///
/// The last point is held back until the next epoch, so that a later report of its epoch replaces it.
public struct TrackStream: Sendable {
    private let format: TrackFormat
    private let options: TrackFormat.Options
    private var writer: any TrackWriter
    private var held: TrackPoint?
    private var hasBegun = false
    /// The number of points written.
    public private(set) var points = 0

    /// Creates a stream in a format.
    public init(_ format: TrackFormat, _ options: TrackFormat.Options = .init()) {
        self.format = format
        self.options = options
        writer = format.writer(options)
    }

    /// Processes an element and appends the finished text.
    public mutating func process(_ element: TrackElement, to bytes: inout [UInt8]) {
        begin(with: element, &bytes)
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

    /// Appends the rest and the end of the file; a track without a point is a valid file too.
    public mutating func finish(to bytes: inout [UInt8]) {
        begin(with: nil, &bytes)
        release(&bytes)
        bytes += writer.trailer
    }

    private mutating func begin(with element: TrackElement?, _ bytes: inout [UInt8]) {
        guard !hasBegun else { return }
        hasBegun = true
        if case .point(let point) = element {
            writer = format.writer(options.starting(at: point.location.timestamp))
        }
        bytes += writer.header
    }

    private mutating func release(_ bytes: inout [UInt8]) {
        guard let point = held else { return }
        held = nil
        points += 1
        writer.append(point, to: &bytes)
    }
}
