import Glibc

/// The addresses of sockets as text.
package enum SocketName {
    /// Returns the address of the other end of a connection, or `nil` if there is none.
    package static func peer(of descriptor: Int32) -> String? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getpeername(descriptor, address, &size) == 0 ? text(of: address, size) : nil
            }
        }
    }

    static func text(of address: UnsafePointer<sockaddr>, _ size: socklen_t) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }
}
