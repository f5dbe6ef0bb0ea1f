import CMicrohttpd

/// A reader of the events, whose connection is suspended while there is nothing for it.
final class EventReader {
    weak var server: WebServer?
    let connection: OpaquePointer
    /// The text with which the reader begins, until all of it is sent.
    private(set) var beginning: [UInt8]
    private var sent = 0
    /// The place of the next byte in the backlog.
    private var place: UInt64
    private var isSuspended = false

    init(_ server: WebServer, _ connection: OpaquePointer, beginning: [UInt8], place: UInt64) {
        (self.server, self.connection, self.beginning, self.place) = (server, connection, beginning, place)
    }

    /// Copies the next bytes for the reader; returns their number, or `nil` if the reader has fallen behind.
    func read(_ backlog: EventBacklog, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        if beginning.isEmpty {
            let count = backlog.copy(from: place, into: buffer)
            place += UInt64(count ?? 0)
            return count
        }
        let part = beginning[sent...].prefix(buffer.count)
        _ = buffer.update(fromContentsOf: part)
        sent += part.count
        if sent == beginning.count { beginning = [] }
        return part.count
    }

    func suspend(_ library: MicrohttpdLibrary) {
        isSuspended = true
        library.functions.MHD_suspend_connection(connection)
    }

    func resume(_ library: MicrohttpdLibrary) {
        guard isSuspended else { return }
        isSuspended = false
        library.functions.MHD_resume_connection(connection)
    }
}
