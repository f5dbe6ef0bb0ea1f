import Glibc
import LocwatchPlatform

/// A port of loopback at which a server of a test will listen; until then connections to it are refused.
package struct ReservedPort {
    /// The bound socket, which is the server's to close.
    package let descriptor: Int32
    package let number: UInt16

    package init(_ wanted: UInt16 = 0, receivesDatagrams: Bool = false) {
        let kind = receivesDatagrams ? SOCK_DGRAM : SOCK_STREAM
        let descriptor = socket(AF_INET, Int32(kind.rawValue) | O_CLOEXEC, 0)
        var one: Int32 = 1
        // Both sockets need the option for a server to return at the port of one that has ended.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        let result = SocketAddress.loopback4.with(port: wanted).withPointer { bind(descriptor, $0, $1) }
        precondition(result == 0, "port \(wanted) cannot be reserved: \(String(cString: strerror(errno)))")
        self.descriptor = descriptor
        number = SocketAddress.port(of: descriptor)
    }
}
