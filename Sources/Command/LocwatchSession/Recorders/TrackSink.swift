import Glibc
package import LocationCore
package import LocationTracks
import LocwatchPlatform
package import LocwatchTerminal

/// An element of a track with its session time, to be written.
package struct TrackPiece: Sendable {
    /// The receiver, if each has a track of its own.
    package var receiver: String?
    package var element: TrackElement
    package var time: Timestamp
    /// Whether it is the first point of another trip; see `TripSplitter`.
    package var beginsTrip: Bool
}

extension TrackPiece {
    /// Creates a piece of the track of a receiver, or of the one track.
    ///
    /// An initializer that sets the properties copies the whole piece at its end, which took 375 instructions a point.
    package init(
        _ element: consuming TrackElement, of receiver: String?, at time: Timestamp, beginsTrip: Bool = false
    ) {
        self.init(receiver: receiver, element: element, time: time, beginsTrip: beginsTrip)
    }
}

/// A destination of a track; used by one thread at a time.
package protocol TrackSink: AnyObject {
    /// Processes the next pieces; a log is complete on the disk when this returns.
    func process(_ pieces: [TrackPiece]) throws(OutputFailure)
    /// Finishes the output; `time` is the last one of the session.
    func finish(at time: Timestamp) throws(OutputFailure)
    var points: Int { get }
    var paths: [String] { get }
}

/// A sink that writes the text of a track to a descriptor, or into a file that appears only when the whole track is written.
final class TrackOutput: TrackSink {
    private static let batch = 256 * 1024

    private var text: any TrackText
    private var out = TextBuffer()
    private var draft: FileReplacement?
    private let descriptor: Int32
    private let isOwned: Bool
    let paths: [String]
    /// Whether the text goes into a file that appears as a whole.
    private var isDocument: Bool { !paths.isEmpty }

    /// - Parameter isOwned: Whether the sink closes the descriptor.
    init(_ descriptor: Int32, _ text: any TrackText, isOwned: Bool) {
        (self.descriptor, self.text, self.isOwned, paths) = (descriptor, text, isOwned, [])
    }

    init(_ path: String, _ text: any TrackText) throws(OutputFailure) {
        (descriptor, self.text, isOwned, paths) = (-1, text, false, [path])
        do throws(TrackFileError) { draft = try FileReplacement(of: path) } catch { throw .track(error) }
    }

    deinit { if isOwned { close(descriptor) } }

    var points: Int { text.points }

    func process(_ pieces: [TrackPiece]) throws(OutputFailure) {
        try Self.append(pieces, as: &text, to: &out)
        if !isDocument || out.count >= Self.batch { try write(&out) }
    }

    /// Appends the text of pieces, with one access to each property.
    private static func append(
        _ pieces: [TrackPiece], as text: inout any TrackText, to out: inout TextBuffer
    ) throws(OutputFailure) {
        // An iterator would copy each piece.
        let pieces = pieces.span
        for index in pieces.indices { try text.process(pieces[index], into: &out) }
    }

    func finish(at time: Timestamp) throws(OutputFailure) {
        try text.finish(into: &out, write)
        guard let whole = draft.take() else { return }
        do throws(TrackFileError) { try whole.finish() } catch { throw .track(error) }
    }

    private func write(_ out: inout TextBuffer) throws(OutputFailure) {
        if isDocument {
            do throws(TrackFileError) { try draft?.write(out.bytes) } catch { throw .track(error) }
        } else if let code = out.written.withUnsafeBytes({ WholeWrite.write($0, to: descriptor) }) {
            throw OutputFailure(errno: code)
        }
        out.removeAll()
    }
}
