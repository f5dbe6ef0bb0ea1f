import LocwatchPlatform

/// The TCP sockets of this machine for IPv4 that are connected to a port, or about to be, as the system counts them.
package struct LoopbackSockets {
    /// The number of those whose connection is not answered.
    package let attempts: Int
    /// The number of bytes that have arrived at them and are not read.
    package let unread: Int

    package init(to port: UInt16) {
        let hexadecimal = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
        // The system gives the table in pieces of a page, after the first of which Foundation stops.
        let table = (try? FileText.contents(of: "/proc/net/tcp", limit: .max)) ?? ""
        // The number, the own address, the peer's, the state and the lengths of both queues of each socket.
        let sockets = table.split(separator: "\n").dropFirst()
            .map { $0.split(separator: " ", maxSplits: 5) }.filter { $0.count > 4 && $0[2].hasSuffix(suffix) }
        // SYN_SENT
        attempts = sockets.count { $0[3] == "02" }
        unread = sockets.reduce(0) { $0 + (Int($1[4].suffix(8), radix: 16) ?? 0) }
    }
}
