import Foundation
import Testing

@testable import LocwatchPlatform

@Suite struct HostNameTests {
    @Test func `the first part of the name counts, and a name that every machine has is none`() {
        #expect(HostName.label(of: "boat.example.org") == "boat")
        #expect(HostName.all(of: "boat.example.org") == ["boat.example.org", "boat", "boat.local"])
        #expect(HostName.all(of: "localhost").isEmpty)
        #expect(HostName.label(of: "boat") == "boat")
        for name in ["", "localhost", "LOCALHOST.localdomain", "(none)", ".x"] {
            #expect(HostName.label(of: name) == nil)
        }
    }
}

@Suite struct ServiceManagerTests {
    /// A socket on which a manager receives notifications.
    private final class Manager {
        let name: String
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK, 0)

        init(_ name: String) throws {
            self.name = name
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var bytes = Array(name.utf8)
            if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            let isBound = withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
            }
            try #require(isBound)
        }

        deinit {
            close(descriptor)
            unlink(name)
        }

        func next() -> String? {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }

    private func service(_ variables: [String: String], process: Int32 = 7) -> ServiceManager? {
        ServiceManager(variables, process: process)
    }

    @Test(arguments: ["@", "/tmp/"])
    func `notifications reach a socket with and without a file`(start: String) throws {
        let manager = try Manager(start + "locwatch-notify-\(UUID().uuidString)")
        let service = try #require(self.service(["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "60000000"]))
        service.ready()
        for second in [0, 29, 30] { service.tick(status: "found 45°\nREADY=0\u{7F}", at: .seconds(second)) }
        // At each turn of the loop until the last metrics are written.
        for _ in 1...3 { service.stopping() }
        #expect(manager.next() == "READY=1")
        #expect(manager.next() == "STATUS=found 45° READY=0 ")
        #expect(manager.next() == "WATCHDOG=1")
        #expect(manager.next() == "WATCHDOG=1")
        #expect(manager.next() == "STOPPING=1")
        #expect(manager.next() == nil)
    }

    @Test func `without a manager, or with one of an unknown kind, there is nothing to notify`() {
        #expect(service([:]) == nil)
        for name in ["", "@", "/", "vsock:2:1234", "relative", "/" + String(repeating: "x", count: 107)] {
            #expect(service(["NOTIFY_SOCKET": name]) == nil, "\(name)")
        }
    }

    @Test func `a manager that has ended does no harm`() throws {
        try #require(service(["NOTIFY_SOCKET": "/nonexistent/notify"])).ready()
    }

    @Test(arguments: [
        ("60000000", Duration.seconds(30)), ("10000000000", .seconds(5_000)), ("0", nil), ("x", nil), ("-5", nil),
        ("18446744073709551615", .microseconds(Int64.max)),
    ])
    func `the watchdog is served at half of its limit, which can be longer than 71 minutes`(
        limit: String, interval: Duration?
    ) {
        let variables = ["NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": limit, "WATCHDOG_PID": "7"]
        #expect(service(variables)?.keepAliveInterval == interval)
        #expect(service(variables, process: 8)?.keepAliveInterval == nil)
    }
}
