import CMicrohttpd

/// A response whose bytes are delivered while it is sent, and its connection.
final class WebStream {
    weak var server: WebServer?
    /// Whether the text consists of events, so that it does not end when there is no next piece.
    let isOfEvents: Bool
    var reader: PieceReader
    private let connection: OpaquePointer
    private(set) var isSuspended = false

    init(_ server: WebServer, _ connection: OpaquePointer, _ pieces: TextPieces, isOfEvents: Bool) {
        (self.server, self.connection, self.isOfEvents) = (server, connection, isOfEvents)
        reader = PieceReader(pieces)
    }

    func suspend(_ library: MicrohttpdLibrary) {
        isSuspended = true
        locwatch_MHD_suspend_connection(library.table, connection)
    }

    func resume(_ library: MicrohttpdLibrary) {
        guard isSuspended else { return }
        isSuspended = false
        locwatch_MHD_resume_connection(library.table, connection)
    }
}
