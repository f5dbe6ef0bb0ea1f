import CGPSD
import Glibc
import LocwatchPlatform

/// One connection to a gpsd, which ends with its owner.
///
/// libgps opens, sends and closes. Data is read from `descriptor`, because libgps' own reading can hang for ever.
///
/// Unchecked, because pointers are not Sendable: the handle of libgps never changes, and closing it excludes every other
/// use. Only reading the descriptor's number and send(2), which the system serializes, can overlap on two threads.
final class GPSDConnection: @unchecked Sendable {
    private enum Connection {
        case libgps(OpaquePointer)
        /// A connected socket; libgps opens connections by host and port only.
        case socket(Int32)
    }

    private let connection: Connection

    /// Connects; blocks for as long as the name lookup and the network take, so never on a Swift concurrency thread.
    convenience init(host: String, port: String) throws(LibgpsError) {
        // C would stop reading at the zero byte, and connect to another host.
        guard !host.utf8.contains(0) else { throw .unknownHost }
        guard !port.utf8.contains(0) else { throw .unknownService }
        var failure = locwatch_gps_failure()
        guard let handle = locwatch_gps_open(host, port, &failure) else { throw LibgpsError(failure) }
        self.init(.libgps(handle))
    }

    /// Connects to an endpoint; blocks also while the backlog of a private gpsd is full.
    convenience init(_ endpoint: GPSDEndpoint) throws(LibgpsError) {
        guard let socket = endpoint.socket else {
            try self.init(host: endpoint.host, port: endpoint.port)
            return
        }
        do throws(SystemFailure) { self.init(.socket(try socket.connect())) } catch {
            throw .cannotConnect(systemError: error.code)
        }
    }

    private init(_ connection: Connection) { self.connection = connection }

    deinit {
        switch connection {
        case .libgps(let handle): locwatch_gps_close(handle)
        case .socket(let descriptor): Glibc.close(descriptor)
        }
    }

    /// The non-blocking socket, for `poll` and `recv`; it ends with the session.
    var descriptor: Int32 {
        switch connection {
        case .libgps(let handle): locwatch_gps_descriptor(handle)
        case .socket(let descriptor): descriptor
        }
    }

    /// Sends a command, its `;` included, in one piece; never raises SIGPIPE, and never waits.
    func send(_ command: String) throws(LibgpsError) {
        var command = command
        let error = command.withUTF8 { bytes in
            // An empty string may have no address, and there is nothing to send.
            bytes.baseAddress.map { locwatch_gps_send(descriptor, $0, bytes.count) } ?? 0
        }
        guard error == 0 else { throw .notSent(systemError: error) }
    }
}
