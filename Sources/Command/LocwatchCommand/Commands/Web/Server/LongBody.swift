/// The bytes of a long response, of which the server learns when the client takes the next block.
final class LongBody {
    private weak var server: WebServer?
    private let connection: OpaquePointer
    private let bytes: [UInt8]

    init(_ server: WebServer, _ connection: OpaquePointer, _ bytes: [UInt8]) {
        (self.server, self.connection, self.bytes) = (server, connection, bytes)
    }

    /// Copies the block at a position; returns its size.
    func read(at position: Int, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        server?.noteProgress(of: connection)
        let part = bytes.dropFirst(position).prefix(buffer.count)
        return buffer.update(fromContentsOf: part)
    }
}
