import Glibc

/// A port of loopback at which a server of a test will listen; until then connections to it are refused.
package struct ReservedPort {
    /// The bound socket, which is the server's to close.
    package let descriptor: Int32
    package let number: UInt16

    /// Reserves a port.
    ///
    /// - Parameter wanted: The port, or 0 for a free one.
    package init(_ wanted: UInt16 = 0) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var one: Int32 = 1
        // Both sockets need the option for a server to return at the port of one that has ended.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = wanted.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        precondition(isBound, "port \(wanted) cannot be reserved: \(String(cString: strerror(errno)))")
        self.descriptor = descriptor
        number = UInt16(bigEndian: address.sin_port)
    }
}
