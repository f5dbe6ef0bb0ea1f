import Glibc
import LocationTracks

/// A temporary file without a name that holds the text of several tracks until they are written to one file.
///
/// The text of each track is in pieces of one length in that file, so that memory has only their offsets, which take a
/// five-hundredth of the text. Only its owner can read the file, and it disappears with the program.
package final class TextSpool {
    private static let pieceLength = 4096

    private struct Track {
        /// The offsets of the pieces in the file.
        var pieces: [Int] = []
        /// The end of the text, which is shorter than a piece.
        var pending: [UInt8] = []
    }

    private let descriptor: Int32
    private var tracks: [Track] = []
    private var end = 0

    package init(in folder: String) throws(OutputFailure) {
        var path = Array("\(folder)/locwatch-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw .track(.system(attempt: "create", path: "\(folder)/locwatch-XXXXXX", code: errno))
        }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    package func append(_ bytes: [UInt8], to track: Int) throws(OutputFailure) {
        while tracks.count <= track { tracks.append(Track()) }
        tracks[track].pending += bytes
        while tracks[track].pending.count >= Self.pieceLength {
            var piece = Array(tracks[track].pending.prefix(Self.pieceLength))
            try transfer(&piece, at: end) { pwrite(descriptor, $0, $1, $2) }
            tracks[track].pieces.append(end)
            tracks[track].pending.removeFirst(Self.pieceLength)
            end += Self.pieceLength
        }
    }

    /// Calls `body` with the text of a track, piece by piece.
    package func read(_ track: Int, _ body: ([UInt8]) throws(OutputFailure) -> Void) throws(OutputFailure) {
        guard tracks.indices.contains(track) else { return }
        for offset in tracks[track].pieces {
            var piece = [UInt8](repeating: 0, count: Self.pieceLength)
            try transfer(&piece, at: offset) { pread(descriptor, $0, $1, $2) }
            try body(piece)
        }
        try body(tracks[track].pending)
    }

    /// Repeats a system call until the whole piece is transferred.
    private func transfer(
        _ piece: inout [UInt8], at offset: Int, _ call: (UnsafeMutableRawPointer?, Int, off_t) -> Int
    ) throws(OutputFailure) {
        var done = 0
        while done < piece.count {
            let moved = piece.withUnsafeMutableBytes {
                call($0.baseAddress?.advanced(by: done), $0.count - done, off_t(offset + done))
            }
            if moved > 0 {
                done += moved
            } else if moved == 0 || errno != EINTR {
                throw OutputFailure(errno: moved == 0 ? EIO : errno)
            }
        }
    }
}
