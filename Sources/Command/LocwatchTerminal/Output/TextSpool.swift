import Glibc
import LocationTracks

/// A temporary file without a name that holds the text of several tracks until they are written to one file.
///
/// The text of each track is a chain of pieces in that file, so that memory is bounded by the number of tracks and not
/// by their lengths. Only its owner can read the file, and it disappears with the program.
package final class TextSpool {
    /// The length at which the text of a track is written as a piece.
    private static let pieceLength = 4096
    /// The length of a piece's header: the offset of the track's next piece, if any, and the length, in eight bytes
    /// each.
    private static let headerLength = 16

    private struct Track {
        var first: Int?
        var last: Int?
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
        if tracks[track].pending.count >= Self.pieceLength { try flush(track) }
    }

    /// Calls `body` with the text of a track, piece by piece.
    package func read(_ track: Int, _ body: ([UInt8]) throws(OutputFailure) -> Void) throws(OutputFailure) {
        guard tracks.indices.contains(track) else { return }
        var place = tracks[track].first
        while let offset = place {
            let header = try read(count: Self.headerLength, at: offset)
            let (next, length) = (Self.number(header[..<8]), Self.number(header[8...]))
            try body(read(count: length, at: offset + Self.headerLength))
            place = next == 0 ? nil : next
        }
        try body(tracks[track].pending)
    }

    private func flush(_ track: Int) throws(OutputFailure) {
        let bytes = tracks[track].pending
        let offset = end
        try write(Self.bytes(0) + Self.bytes(bytes.count) + bytes, at: offset)
        if let last = tracks[track].last { try write(Self.bytes(offset), at: last) }
        end += Self.headerLength + bytes.count
        tracks[track].first = tracks[track].first ?? offset
        tracks[track].last = offset
        tracks[track].pending.removeAll(keepingCapacity: true)
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

    private func read(count: Int, at offset: Int) throws(OutputFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try transfer(count) { [descriptor] done in
            bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress?.advanced(by: done), count - done, off_t(offset + done))
            }
        }
        return bytes
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(OutputFailure) {
        try transfer(bytes.count) { [descriptor] done in
            bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(offset + done))
            }
        }
    }

    /// Repeats a system call until `count` bytes are transferred.
    private func transfer(_ count: Int, _ call: (Int) -> Int) throws(OutputFailure) {
        var done = 0
        while done < count {
            let moved = call(done)
            if moved > 0 {
                done += moved
            } else if moved == 0 || errno != EINTR {
                throw OutputFailure(errno: moved == 0 ? EIO : errno)
            }
        }
    }
}
