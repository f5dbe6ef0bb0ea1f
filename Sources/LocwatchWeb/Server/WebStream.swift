import CMicrohttpd

/// A response whose bytes are delivered while it is sent, and its connection.
final class WebStream {
    /// The content of a response.
    enum Content {
        case events(EventReader)
        case text(PieceReader)
    }

    weak var server: WebServer?
    var content: Content
    private let connection: OpaquePointer
    private(set) var isSuspended = false

    init(_ server: WebServer, _ connection: OpaquePointer, _ content: Content) {
        (self.server, self.connection, self.content) = (server, connection, content)
    }

    /// The memory of the text that is being sent, in bytes.
    var size: Int {
        switch content {
        case .events(let reader): reader.unsent.size
        case .text(let reader): reader.unsent.size
        }
    }

    /// Has the reader of the events send a comment; see `EventReader.keepAlive`.
    func keepAlive() {
        guard case .events(var reader) = content else { return }
        reader.keepAlive()
        content = .events(reader)
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
