/// The place of a client in a text that is made in pieces.
struct PieceReader {
    private var pieces: TextPieces
    /// The piece that is being sent.
    private(set) var unsent = UnsentText()

    init(_ pieces: TextPieces) { self.pieces = pieces }

    /// Copies the next bytes for the client; returns their number, which is 0 at the end.
    mutating func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var count = 0
        while count < buffer.count {
            if unsent.isEmpty { unsent = UnsentText(pieces.next()) }
            if unsent.isEmpty { break }
            count += unsent.move(to: UnsafeMutableBufferPointer(rebasing: buffer[count...]))
        }
        return count
    }
}
