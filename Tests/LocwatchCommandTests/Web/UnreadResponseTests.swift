import Glibc
import TestSupport
import Testing

@testable import LocwatchCommand

/// Clients that ask and do not take the answer.
@Suite struct UnreadResponseTests {
    private static func request(_ path: String, _ method: String = "GET", version: String = "1.1") -> String {
        "\(method) \(path) HTTP/\(version)\r\nHost: localhost\r\n\r\n"
    }

    /// Returns clients with a small window, each of which has begun to receive a response.
    private static func clients(_ count: Int, _ running: RunningServer, _ path: String) throws -> [WebClient] {
        try (0..<count).map { _ in
            let client = try WebClient(running.port, buffer: 2048)
            client.send(request(path))
            _ = try client.read(until: "\r\n\r\n")
            return client
        }
    }

    /// Waits until the figure of a server meets a condition; returns whether it does.
    private static func wait(_ running: RunningServer, until isSo: (Int) -> Bool) -> Bool {
        for _ in 0..<3000 {
            if isSo(running.unsent) { return true }
            usleep(10_000)
        }
        return false
    }

    @Test(arguments: ["/pieces/50000000", "/events"])
    func `a response that is not read costs a piece of it, until the connection ends`(path: String) throws {
        let running = try RunningServer()
        var clients = try Self.clients(50, running, path)
        for _ in 0..<50 { running.append(String(repeating: "x", count: 9000)) }
        #expect(Self.wait(running) { $0 > 0 })
        // Each holds less than the system's buffer takes at once, long after that is full.
        for _ in 0..<20 {
            #expect(running.unsent <= 50 * 10_000)
            usleep(10_000)
        }
        clients.removeAll()
        #expect(
            Self.wait(running) {
                // A connection that has ended is noticed when something is sent.
                running.append("x")
                return $0 == 0
            })
    }

    @Test func `a request gets status 503 while the responses that are not read have all the memory`() throws {
        let running = try RunningServer(limits: WebLimits(unsent: 20_000))
        var clients = try Self.clients(5, running, "/pieces/50000000")
        #expect(Self.wait(running) { $0 >= 20_000 })
        for path in ["/pieces/1", "/events", "/x"] {
            let refused = try WebClient(running.port)
            refused.send(Self.request(path))
            let answer = try refused.read(until: "not taken yet\n")
            #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("\r\nRetry-After: 30\r\n"))
        }
        clients.removeAll()
        #expect(Self.wait(running) { $0 == 0 })
        let client = try WebClient(running.port)
        client.send(Self.request("/pieces/100", version: "1.0"))
        #expect(try client.readAll().hasSuffix("\r\n\r\n" + String(repeating: "x", count: 100)))
    }

    @Test(arguments: [
        WebLimits(idleSeconds: 1), WebLimits(idleSeconds: 60, responseTime: .milliseconds(500)),
    ])
    func `a response that is not taken in time is cut off`(limits: WebLimits) throws {
        let running = try RunningServer(limits: limits)
        let client = try WebClient(running.port, buffer: 2048)
        client.send(Self.request("/pieces/50000000"))
        _ = try client.read(until: "\r\n\r\n")
        #expect(Self.wait(running) { $0 > 0 })
        #expect(Self.wait(running) { $0 == 0 })
        let rest = try client.readAll()
        #expect(rest.utf8.count < 5_000_000 && !rest.hasSuffix("0\r\n\r\n"))
    }

    @Test func `a reader of the events has no limit while it takes them`() throws {
        let limits = WebLimits(idleSeconds: 60, requestTime: .seconds(1), responseTime: .milliseconds(600))
        let running = try RunningServer(limits: limits)
        let client = try WebClient(running.port)
        client.send(Self.request("/events"))
        for number in 0..<4 {
            usleep(300_000)
            running.append("number \(number)")
            _ = try client.read(until: "number \(number)\n\n")
        }
    }

    @Test func `a text in pieces has no body for HEAD, and follows another one on the same connection`() throws {
        let running = try RunningServer()
        let client = try WebClient(running.port)
        client.send(Self.request("/pieces/20000", "HEAD") + Self.request("/pieces/3") + Self.request("/x"))
        #expect(try client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(try client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(try client.read(until: "0\r\n\r\n") == "3\r\nxxx\r\n0\r\n\r\n")
        #expect(try client.read(until: "answer to /x\n").contains("Content-Length: 13"))
    }
}
