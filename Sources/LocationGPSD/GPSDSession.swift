import CGPSD

/// One connection to a gpsd through libgps: whoever holds the value owns it, and its end closes the connection, once.
///
/// libgps opens, sends and closes; what arrives is read from `descriptor`, because libgps' own reading can hang for ever.
struct GPSDSession: ~Copyable {
    private let handle: OpaquePointer

    /// Connects; blocks for as long as the name lookup and the network take, so never on a Swift concurrency thread.
    init(host: String = "localhost", port: String = "2947") throws(LibgpsError) {
        // C would read only what stands before the zero, and connect to another host.
        guard !host.utf8.contains(0) else { throw .unknownHost }
        guard !port.utf8.contains(0) else { throw .unknownService }
        var failure = locwatch_gps_failure()
        guard let handle = locwatch_gps_open(host, port, &failure) else { throw LibgpsError(failure) }
        self.handle = handle
    }

    deinit {
        locwatch_gps_close(handle)
    }

    /// The non-blocking socket, for `poll` and `recv`; it ends with the session.
    var descriptor: Int32 { locwatch_gps_descriptor(handle) }

    /// Sends a command, its `;` included, in one piece; never raises SIGPIPE, and never waits.
    borrowing func send(_ command: String) throws(LibgpsError) {
        var command = command
        let error = command.withUTF8 { bytes in
            // An empty string may have no address, and there is nothing to send.
            bytes.baseAddress.map { locwatch_gps_send(handle, $0, bytes.count) } ?? 0
        }
        guard error == 0 else { throw .notSent(systemError: error) }
    }

    /// Closes the connection now, instead of at the end of the value's life.
    consuming func close() {}
}

// Proof: the handle is reachable through this value alone, which cannot be copied, so closing excludes every other use;
// what may overlap on two threads is only reading the descriptor's number and send(2), which the system serializes.
extension GPSDSession: @unchecked Sendable {}
