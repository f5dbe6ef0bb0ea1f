import Glibc
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

@Suite struct ConnectionProbeTests {
    private func error(_ port: UInt16, within limit: Duration = .seconds(60), interruption: Event? = nil) -> Int32? {
        ConnectionProbe.error(host: "127.0.0.1", port: String(port), within: limit, interruption: interruption)
    }

    @Test func `a port refuses a connection until a server listens`() {
        let reserved = ReservedPort()
        defer { close(reserved.descriptor) }
        #expect(error(reserved.number) == ECONNREFUSED)
        listen(reserved.descriptor, 1)
        #expect(error(reserved.number) == nil)
    }

    @Test func `a host is reached if one of its addresses answers`() {
        // localhost is ::1, where nothing listens, and 127.0.0.1.
        let reserved = ReservedPort()
        defer { close(reserved.descriptor) }
        listen(reserved.descriptor, 1)
        #expect(ConnectionProbe.error(host: "localhost", port: String(reserved.number)) == nil)
        #expect(ConnectionProbe.error(host: "nowhere.invalid", port: "1") == nil)
    }

    @Test func `a server that does not answer is given up at the limit, or at an interruption`() throws {
        let reserved = ReservedPort()
        defer { close(reserved.descriptor) }
        listen(reserved.descriptor, 0)
        // The kernel answers no further connection while so many are not accepted.
        let waiting = (0..<4).map { _ in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            _ = SocketAddress.loopback4.with(port: reserved.number).withPointer { connect(descriptor, $0, $1) }
            return descriptor
        }
        defer { for descriptor in waiting { close(descriptor) } }
        #expect(error(reserved.number, within: .milliseconds(50)) == ETIMEDOUT)
        let stop = try Event()
        stop.happen()
        #expect(error(reserved.number, interruption: stop) == nil)
    }
}
