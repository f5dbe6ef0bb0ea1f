import CMicrohttpd

/// A reader of the events and its connection.
final class WebStream {
    weak var server: WebServer?
    var reader: EventReader
    private let connection: OpaquePointer
    private(set) var isSuspended = false

    init(_ server: WebServer, _ connection: OpaquePointer, _ reader: EventReader) {
        (self.server, self.connection, self.reader) = (server, connection, reader)
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
