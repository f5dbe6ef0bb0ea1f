/// The place of a client in a text that is made in pieces.
///
/// A piece is made when all bytes of the one before are handed out, so that a client that takes nothing costs one piece.
struct PieceReader {
    private var pieces: TextPieces
    /// The piece that is being sent.
    private var piece: [UInt8] = []
    /// The number of bytes of the piece that were handed out.
    private var sent = 0

    init(_ pieces: TextPieces) { self.pieces = pieces }

    /// The memory of the piece that is being sent, in bytes.
    var size: Int { piece.count }

    /// Copies the next bytes for the client; returns their number, which is 0 if there is no next piece.
    mutating func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var count = 0
        while count < buffer.count {
            if piece.isEmpty { piece = pieces.next() }
            if piece.isEmpty { break }
            let part = piece[sent...].prefix(buffer.count - count)
            _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: part)
            count += part.count
            sent += part.count
            if sent == piece.count { (piece, sent) = ([], 0) }
        }
        return count
    }

    /// Adds a comment of Server-Sent Events, which shows both sides that the connection is alive, unless something is being
    /// sent.
    mutating func keepAlive() {
        if piece.isEmpty { piece = Array(":\n\n".utf8) }
    }
}
