import LocationCore
import LocationTracks
import LocwatchTerminal

/// The text of a file of tracks, in the order in which it is written.
protocol TrackText {
    var points: Int { get }
    /// Processes a piece and appends the finished text.
    mutating func process(_ piece: TrackPiece, into out: inout TextBuffer) throws(OutputFailure)
    /// Appends the rest in pieces; `write` empties the buffer.
    mutating func finish(
        into out: inout TextBuffer, _ write: (inout TextBuffer) throws(OutputFailure) -> Void
    ) throws(OutputFailure)
}

extension TrackStream: TrackText {
    mutating func process(_ piece: TrackPiece, into out: inout TextBuffer) { process(piece.element, into: &out) }

    mutating func finish(
        into out: inout TextBuffer, _ write: (inout TextBuffer) throws(OutputFailure) -> Void
    ) throws(OutputFailure) {
        finish(into: &out)
        try write(&out)
    }
}

/// The text of a file with a track for each receiver.
///
/// If the text of a track is contiguous, as in GPX and KML, it waits in a `TextSpool` until the end; other formats are
/// written at once.
struct ReceiverTrackText: TrackText {
    private var writer: TracksWriter
    private let spool: TextSpool?
    private var hasBegun = false

    /// - Parameter folder: The folder for the text that waits until the end.
    init(_ format: TrackFormat, _ options: TrackFormat.Options, folder: String) throws(OutputFailure) {
        writer = TracksWriter(format, options)
        spool = writer.keepsTracksApart ? try TextSpool(in: folder) : nil
    }

    var points: Int { writer.points }

    mutating func process(_ piece: TrackPiece, into out: inout TextBuffer) throws(OutputFailure) {
        begin(&out)
        guard let spool else {
            writer.process(piece.element, of: piece.receiver, into: &out)
            return
        }
        var text = TextBuffer()
        let track = writer.process(piece.element, of: piece.receiver, into: &text)
        try spool.append(text.bytes, to: track)
    }

    mutating func finish(
        into out: inout TextBuffer, _ write: (inout TextBuffer) throws(OutputFailure) -> Void
    ) throws(OutputFailure) {
        begin(&out)
        for track in 0..<writer.count {
            writer.begin(track, into: &out)
            if let spool {
                try spool.read(track) { (piece) throws(OutputFailure) in
                    out.put(piece)
                    try write(&out)
                }
            }
            writer.end(track, into: &out)
            try write(&out)
        }
        writer.trailer(into: &out)
        try write(&out)
    }

    private mutating func begin(_ out: inout TextBuffer) {
        guard !hasBegun else { return }
        hasBegun = true
        writer.header(into: &out)
    }
}
