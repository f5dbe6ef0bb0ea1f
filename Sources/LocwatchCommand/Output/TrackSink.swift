import Glibc
import LocationCore
import LocationTracks
import LocwatchPlatform

/// A piece of a track on its way out, and the session's time of it.
struct TrackPiece: Sendable {
    var element: TrackElement
    var time: Timestamp
}

/// Where a track is written to; used by one thread at a time.
protocol TrackSink: AnyObject {
    /// Takes the next pieces; what must be whole on the disk after each point is so when this returns.
    func take(_ pieces: [TrackPiece]) throws(OutputFailure)
    /// Ends what is written; `time` is the session's last.
    func finish(at time: Timestamp) throws(OutputFailure)
    /// How many points were written.
    var points: Int { get }
    /// The files that were written, as far as there are any.
    var paths: [String] { get }
}

/// Standard output, or whatever else takes bytes one after another.
final class TrackPipe: TrackSink {
    private let descriptor: Int32
    private var stream: TrackStream
    private var bytes: [UInt8] = []
    let paths: [String] = []

    private let isOwned: Bool

    /// - Parameter isOwned: whether the descriptor is closed with the pipe.
    init(_ descriptor: Int32, _ format: TrackFormat, _ options: TrackFormat.Options, isOwned: Bool) {
        self.descriptor = descriptor
        self.isOwned = isOwned
        stream = TrackStream(format, options)
    }

    deinit { if isOwned { close(descriptor) } }

    var points: Int { stream.points }

    func take(_ pieces: [TrackPiece]) throws(OutputFailure) {
        for piece in pieces { stream.take(piece.element, to: &bytes) }
        try write()
    }

    func finish(at time: Timestamp) throws(OutputFailure) {
        stream.finish(to: &bytes)
        try write()
    }

    private func write() throws(OutputFailure) {
        if let code = bytes.withUnsafeBytes({ WholeWrite.write($0, to: descriptor) }) {
            throw OutputFailure(errno: code)
        }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// A file that is there when the whole track is, and not before.
final class TrackDocument: TrackSink {
    private static let batch = 256 * 1024

    private var draft: FileReplacement?
    private var stream: TrackStream
    private var bytes: [UInt8] = []
    let paths: [String]

    init(_ path: String, _ format: TrackFormat, _ options: TrackFormat.Options) throws(OutputFailure) {
        paths = [path]
        stream = TrackStream(format, options)
        do throws(TrackFileError) { draft = try FileReplacement(of: path) } catch { throw .track(error) }
    }

    var points: Int { stream.points }

    func take(_ pieces: [TrackPiece]) throws(OutputFailure) {
        for piece in pieces { stream.take(piece.element, to: &bytes) }
        if bytes.count >= Self.batch { try write() }
    }

    func finish(at time: Timestamp) throws(OutputFailure) {
        stream.finish(to: &bytes)
        try write()
        guard let whole = draft.take() else { return }
        do throws(TrackFileError) { try whole.finish() } catch { throw .track(error) }
    }

    private func write() throws(OutputFailure) {
        do throws(TrackFileError) { try draft?.write(bytes) } catch { throw .track(error) }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// A log that is whole after every point.
final class TrackJournal: TrackSink {
    private let log: TrackLog

    /// - Parameter now: begins the first file at once; without it the first point does.
    init(_ log: TrackLog, now: Timestamp?) throws(OutputFailure) {
        self.log = log
        if let now { do throws(TrackFileError) { try log.begin(at: now) } catch { throw .track(error) } }
    }

    var points: Int { log.points }
    var paths: [String] { log.paths }

    func take(_ pieces: [TrackPiece]) throws(OutputFailure) {
        do throws(TrackFileError) {
            for piece in pieces { try log.take(piece.element, now: piece.time) }
        } catch {
            throw .track(error)
        }
    }

    func finish(at time: Timestamp) throws(OutputFailure) {
        do throws(TrackFileError) {
            // A session without a position leaves a file that says so.
            if log.paths.isEmpty { try log.begin(at: time) }
            try log.finish()
        } catch {
            throw .track(error)
        }
    }
}
