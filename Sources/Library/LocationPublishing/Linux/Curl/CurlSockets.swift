import CCurl
import Glibc

/// The sockets of a loop, each of which is shut down when it has received more bytes than any response may have.
///
/// libcurl reads the extensions of chunks and passes none of their bytes on, so that a server could send them without end.
final class CurlSockets {
    /// The bytes that each socket had received when a transfer ended last.
    private var received: [Int32: UInt64] = [:]

    /// Makes libcurl report the sockets that it opens and closes for a transfer.
    func follow(_ easy: UnsafeMutableRawPointer, _ library: CurlLibrary) -> CURLcode {
        locwatch_curl_easy_set_sockets(
            library.table, easy, socketOpened, socketClosed, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Counts from now on, because the next response can come over a connection that is kept.
    func noteEnd() {
        for socket in received.keys { received[socket] = locwatch_curl_received_bytes(socket) }
    }

    /// Shuts down the sockets that have received more than `limit` bytes.
    func check(limit: Int) {
        for (socket, before) in received where locwatch_curl_received_bytes(socket) > before + UInt64(limit) {
            shutdown(socket, Int32(SHUT_RDWR))
        }
    }

    fileprivate func open(_ socket: Int32) { received[socket] = 0 }

    fileprivate func close(_ socket: Int32) -> Int32 {
        received[socket] = nil
        return Glibc.close(socket)
    }
}

/// The context is the object of the loop, which outlives libcurl's connections.
private func sockets(_ context: UnsafeMutableRawPointer?) -> CurlSockets? {
    context.map { Unmanaged<CurlSockets>.fromOpaque($0).takeUnretainedValue() }
}

private func socketOpened(
    _ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
    sockets(context)?.open(socket)
    return 0
}

private func socketClosed(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
    sockets(context)?.close(socket) ?? Glibc.close(socket)
}
