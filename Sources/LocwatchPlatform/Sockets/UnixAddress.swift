package import Glibc

/// The address of a Unix socket.
package enum UnixAddress {
    /// Calls `body` with the address of a path; returns `nil` if the path is longer than an address can be.
    package static func with<Answer>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer
    ) -> Answer? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A zero ends the path.
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
