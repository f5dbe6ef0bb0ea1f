import LocationTracks
import LocwatchTerminal

/// The text of a file of tracks, in the order in which it is written.
protocol TrackText {
    /// The number of points written.
    var points: Int { get }
    /// Processes a piece and appends the finished text.
    mutating func process(_ piece: TrackPiece, to bytes: inout [UInt8]) throws(OutputFailure)
    /// Appends the rest in pieces; `write` empties the buffer.
    mutating func finish(
        to bytes: inout [UInt8], _ write: (inout [UInt8]) throws(OutputFailure) -> Void
    ) throws(OutputFailure)
}

extension TrackStream: TrackText {
    mutating func process(_ piece: TrackPiece, to bytes: inout [UInt8]) { process(piece.element, to: &bytes) }

    mutating func finish(
        to bytes: inout [UInt8], _ write: (inout [UInt8]) throws(OutputFailure) -> Void
    ) throws(OutputFailure) {
        finish(to: &bytes)
        try write(&bytes)
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

    mutating func process(_ piece: TrackPiece, to bytes: inout [UInt8]) throws(OutputFailure) {
        begin(&bytes)
        guard let spool else {
            writer.process(piece.element, of: piece.receiver, to: &bytes)
            return
        }
        var text: [UInt8] = []
        let track = writer.process(piece.element, of: piece.receiver, to: &text)
        try spool.append(text, to: track)
    }

    mutating func finish(
        to bytes: inout [UInt8], _ write: (inout [UInt8]) throws(OutputFailure) -> Void
    ) throws(OutputFailure) {
        begin(&bytes)
        for track in 0..<writer.count {
            writer.begin(track, to: &bytes)
            if let spool {
                try spool.read(track) { (piece) throws(OutputFailure) in
                    bytes += piece
                    try write(&bytes)
                }
            }
            writer.end(track, to: &bytes)
            try write(&bytes)
        }
        writer.trailer(to: &bytes)
        try write(&bytes)
    }

    private mutating func begin(_ bytes: inout [UInt8]) {
        guard !hasBegun else { return }
        hasBegun = true
        writer.header(to: &bytes)
    }
}
