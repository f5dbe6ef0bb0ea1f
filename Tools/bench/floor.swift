// The smallest Swift program for a live session: it copies what gpsd sends, with the system calls of `locwatch watch`.
// With any other word than a port it ends at once, as `locwatch version` does.
import Glibc

guard CommandLine.arguments.count == 2, let port = UInt16(CommandLine.arguments[1]) else {
    puts("floor")
    exit(0)
}
var address = sockaddr_in()
address.sin_family = sa_family_t(AF_INET)
address.sin_port = port.bigEndian
address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
let isConnected = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
}
guard isConnected else { exit(69) }
let watch = Array(#"?WATCH={"enable":true,"json":true};"#.utf8)
guard send(connection, watch, watch.count, 0) == watch.count else { exit(69) }
let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
while true {
    var watched = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
    guard poll(&watched, 1, -1) > 0 else { continue }
    let count = recv(connection, buffer.baseAddress, buffer.count, 0)
    guard count > 0, write(1, buffer.baseAddress, count) == count else { exit(0) }
}
