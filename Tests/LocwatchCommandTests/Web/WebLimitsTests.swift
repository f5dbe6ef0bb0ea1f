import Glibc
import TestSupport
import Testing

@testable import LocwatchCommand

/// Clients that ask for too much, or do not take the answer.
@Suite(.serialized, .withFew) struct WebLimitsTests {
    private static let limits = WebLimits()

    private static func request(_ path: String, _ method: String = "GET") -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    }

    /// Returns clients with a small window, each of which has begun to receive a response.
    private static func clients(_ count: Int, _ running: RunningServer, _ path: String) throws -> [SocketClient] {
        try (0..<count).map { _ in
            let client = try running.client(path, buffer: 2048)
            _ = try client.read(until: "\r\n\r\n")
            return client
        }
    }

    @Test func `connections that send nothing give way to others, and a reader stays`() throws {
        let running = try RunningServer()
        let reader = try running.client("/events")
        _ = try reader.read(until: "snapshot")
        var idle: [SocketClient] = []
        for number in 0..<300 {
            idle.append(try SocketClient(running.port))
            if number % 2 == 0 { idle[number].send("GET /x HTTP/1.1\r\n") }
            guard number % 20 == 0 else { continue }
            let client = try running.client("/x")
            _ = try client.read(until: "answer to /x\n")
            running.append("number \(number)")
            _ = try reader.read(until: "number \(number)\n\n")
        }
        #expect(running.figures.connections <= Self.limits.connections)
        #expect(try idle[0].readAll().isEmpty)
    }

    @Test func `readers leave connections for everything else`() throws {
        let running = try RunningServer()
        let readers = try Self.clients(Self.limits.readers, running, "/events")
        let refused = try running.client("/events")
        let answer = try refused.read(until: "too many readers\n")
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("\r\nRetry-After: 30\r\n"))
        let client = try running.client("/x")
        _ = try client.read(until: "answer to /x\n")
        withExtendedLifetime(readers) { #expect(running.figures.readers == Self.limits.readers) }
    }

    @Test func `an address has only so many connections if there is a limit`() throws {
        let running = try RunningServer(WebLimits(connectionsOfAddress: 3))
        let clients = try Self.clients(3, running, "/events")
        #expect(try SocketClient(running.port).readAll().isEmpty)
        withExtendedLifetime(clients) { #expect(running.figures.connections == 3) }
        #expect(WebLimits.serving(isLoopback: false).connectionsOfAddress == 16)
        #expect(WebLimits.serving(isLoopback: true).connectionsOfAddress == 0)
    }

    @Test func `an address at its own limit takes no connection of another one`() throws {
        let running = try RunningServer(WebLimits(connections: 3, connectionsOfAddress: 2))
        // It has done nothing for longest when the others come.
        let other = try SocketClient(running.port, from: "127.0.0.2")
        other.send(Self.request("/other"))
        _ = try other.read(until: "answer to /other\n")
        let greedy = try (0..<2).map { _ in
            let client = try running.client("/x")
            _ = try client.read(until: "answer to /x\n")
            return client
        }
        for _ in 0..<5 { #expect(try SocketClient(running.port).readAll().isEmpty) }
        other.send(Self.request("/still"))
        _ = try other.read(until: "answer to /still\n")
        // An address with room still takes the place of the one that has done nothing for longest.
        let third = try SocketClient(running.port, from: "127.0.0.3")
        third.send(Self.request("/third"))
        _ = try third.read(until: "answer to /third\n")
        withExtendedLifetime(greedy) { #expect(running.figures.connections <= 3) }
    }

    @Test func `a reader that takes nothing is closed, and others are not delayed`() throws {
        let running = try RunningServer()
        var slow = try Self.clients(40, running, "/events")
        let quick = try running.client("/events", version: "1.0")
        _ = try quick.read(until: "snapshot")
        let filler = String(repeating: "x", count: 2000)
        for number in 0..<700 {
            running.append("\(filler)\(number).")
            _ = try quick.read(until: "\(filler)\(number).\n\n")
        }
        // The connection ends in what the system still has for it.
        #expect(try slow[0].readAll().utf8.count < 1_000_000)
        slow = []
        #expect(running.wait(sending: "x") { $0.readers == 1 })
    }

    @Test func `a request gets status 503 while texts that are not taken have all the memory`() throws {
        let running = try RunningServer(WebLimits(unsent: 10_000_000, patience: .seconds(600)))
        var clients = try Self.clients(2, running, "/text/9000000")
        #expect(running.figures.unsent == 18_000_000)
        let refused = try running.client("/text/9000000")
        let answer = try refused.read(until: "not taken yet\n")
        #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("\r\nRetry-After: 30\r\n"))
        // A short response has room.
        for size in [9, WebServer.shortSize] {
            refused.send(Self.request("/text/\(size)"))
            _ = try refused.read(until: "\r\nContent-Length: \(size)\r\n")
            _ = try refused.read(until: String(repeating: "x", count: size))
        }
        clients.removeAll()
        #expect(running.wait { $0.unsent == 0 })
        refused.send(Self.request("/text/9000000"))
        _ = try refused.read(until: "\r\nContent-Length: 9000000\r\n")
    }

    @Test func `a client that takes nothing of its text gives its room to the next one that asks`() throws {
        let running = try RunningServer(WebLimits(unsent: 1_000_000, patience: .zero))
        let stuck = try Self.clients(2, running, "/text/9000000")
        for path in ["/text/9000000", "/tile/9000000"] {
            let client = try running.client(path)
            let answer = try client.read(until: "\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            withExtendedLifetime(client) {
                #expect(running.wait { $0.connections == 1 && $0.unsent == 9_000_000 })
            }
        }
        for client in stuck { #expect(try client.readAll().utf8.count < 9_000_000) }
    }

    @Test func `tiles that are not taken are among that memory`() throws {
        let running = try RunningServer(WebLimits(unsent: 2_000_000, patience: .seconds(600)))
        var clients = try Self.clients(2, running, "/tile/1000000")
        #expect(running.figures.unsent == 2_000_000)
        let refused = try running.client("/tile/1000000")
        #expect(try refused.read(until: "not taken yet\n").hasPrefix("HTTP/1.1 503 "))
        clients.removeAll()
        #expect(running.wait { $0.unsent == 0 })
        let client = try running.client("/tile/1000000")
        _ = try client.read(until: "\r\nContent-Length: 1000000\r\n")
    }

    @Test func `a connection that takes nothing is closed after a while`() throws {
        let running = try RunningServer(WebLimits(idleSeconds: 1))
        let client = try running.client("/text/50000000", buffer: 2048)
        _ = try client.read(until: "\r\n\r\n")
        #expect(running.figures.unsent == 50_000_000)
        #expect(running.wait { $0.connections == 0 })
        #expect(try client.readAll().utf8.count < 5_000_000)
    }

    @Test func `a reader of the events has no limit while it takes them`() throws {
        let running = try RunningServer(WebLimits(idleSeconds: 1))
        let client = try running.client("/events")
        for number in 0..<2 {
            // Its limit is that of a connection that does nothing for as long.
            let idle = try running.client("/x")
            _ = try idle.read(until: "answer to /x")
            #expect(running.wait { $0.connections == 1 && $0.readers == 1 })
            running.append("number \(number)")
            _ = try client.read(until: "number \(number)\n\n")
        }
    }

    @Test func `a text has no body for HEAD, and follows another one on the same connection`() throws {
        let running = try RunningServer()
        let client = try SocketClient(running.port)
        client.send(Self.request("/text/20000", "HEAD") + Self.request("/text/3") + Self.request("/x"))
        #expect(try client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(try client.read(until: "\r\n\r\n").contains("\r\nContent-Length: 3\r\n"))
        #expect(try client.read(until: "xxx") == "xxx")
        #expect(try client.read(until: "answer to /x\n").contains("Content-Length: 13"))
    }
}
