package import LocationCore

/// A writer of a complete track to a buffer, for pipes and for files that are written once.
public struct TrackStream: Sendable {
    private let format: TrackFormat
    private var options: TrackFormat.Options
    private var writer: any TrackWriter
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
        var out = TextBuffer()
        process(element, into: &out)
        bytes += out.written
    }

    /// Appends the rest and the end of the file; a track without a point is a valid file too.
    public mutating func finish(to bytes: inout [UInt8]) {
        var out = TextBuffer()
        finish(into: &out)
        bytes += out.written
    }

    /// Processes an element and appends the finished text.
    package mutating func process(_ element: TrackElement, into out: inout TextBuffer) {
        if !hasBegun, case .gap(.track(let name)) = element {
            options.trackName = name
            return
        }
        begin(with: element, &out)
        switch element {
        case .point(let point):
            points += 1
            writer.append(point, into: &out)
        case .gap(let gap): writer.gap(gap, into: &out)
        }
    }

    package mutating func finish(into out: inout TextBuffer) {
        begin(with: nil, &out)
        out.put(writer.trailer)
    }

    private mutating func begin(with element: TrackElement?, _ out: inout TextBuffer) {
        guard !hasBegun else { return }
        hasBegun = true
        if case .point(let point) = element {
            writer = format.writer(options.starting(at: point.location.timestamp))
        } else {
            writer = format.writer(options)
        }
        out.put(writer.header)
    }
}
