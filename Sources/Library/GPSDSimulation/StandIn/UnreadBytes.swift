import Glibc
import LocationCore
import LocwatchPlatform

/// The bytes that a peer on this machine has not read, as the system counts them.
enum UnreadBytes {
    private static let tables = ["/proc/net/tcp", "/proc/net/tcp6"]

    /// Returns whether the peer of a connection has read everything that was sent.
    ///
    /// Of a peer on another machine only the arrival is known.
    static func areNone(on socket: Int32) -> Bool {
        var waiting: Int32 = 0
        // The bytes that the peer's system has not acknowledged.
        if ioctl(socket, UInt(TIOCOUTQ), &waiting) == 0, waiting > 0 { return false }
        guard let address = SocketAddress.peer(of: socket) else { return true }
        // The tables show a port as four digits.
        let own = SocketAddress.port(of: socket).hexadecimal.uppercased()
        let peer = address.port.hexadecimal.uppercased()
        return tables.allSatisfy { table in
            let lines = (try? FileText.contents(of: table, limit: .max)) ?? ""
            return lines.split(separator: "\n").dropFirst().allSatisfy { line in
                let fields = line.split(separator: " ", maxSplits: 5)
                guard fields.count > 4, fields[1].hasSuffix(":" + peer), fields[2].hasSuffix(":" + own) else {
                    return true
                }
                return fields[4].hasSuffix(":00000000")
            }
        }
    }
}
