import Glibc
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchCommand

/// The server over real sockets, on a thread that has the place of the session's loop.
@Suite(.serialized, .withFew) struct WebServerTests {
    @Test func `requests are answered one after the other on one connection`() throws {
        let running = try RunningServer()
        let client = try SocketClient(running.port)
        for _ in 0..<3 {
            client.send("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let text = try client.read(until: "answer to /x\n")
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(!text.contains("Connection: close"))
        }
        client.send("HEAD /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try client.readAll().hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: ["/%00", "/x%00y", "/%2e%2e/x", "/%"])
    func `a path is that of the request, with its escapes`(path: String) throws {
        let running = try RunningServer()
        let client = try running.client(path)
        #expect(try client.read(until: "answer to ").isEmpty == false)
        #expect(try client.read(until: "\(path)\n").hasSuffix("\(path)\n"))
    }

    @Test(arguments: [
        ("X-Forwarded-Proto: https\r\n", true), ("x-forwarded-proto: HTTPS\r\n", true), ("", false),
        ("X-Forwarded-Proto: http\r\n", false), ("X-Forwarded-Proto: https, http\r\n", false),
    ])
    func `a proxy on this machine says whether the connection is encrypted`(header: String, isEncrypted: Bool) throws {
        let running = try RunningServer()
        let client = try running.client("/x", header)
        #expect(try client.read(until: "answer to /x\n").contains("encrypted") == isEncrypted)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("192.0.2.7", false), ("2001:db8::1", false),
        ("::ffff:192.0.2.7", false), ("::", false),
    ])
    func `another machine cannot say that its connection is encrypted`(address: String, isBelieved: Bool) throws {
        let peer = try SocketAddress.resolve(address, port: 1)
        #expect(WebRequest.isEncrypted(forwarded: "https", from: peer) == isBelieved)
        #expect(!WebRequest.isEncrypted(forwarded: "https", from: nil))
    }

    @Test(arguments: [
        ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", "41"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "b", count: 20_000))\r\n\r\n", "431"),
        ("GET / HTTP/1.1\r\n\r\n", "400"),
        ("POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n", "413"),
        ("POST /session HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "413"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", "4"),
    ])
    func `a request that is too large, incomplete or has content is refused`(text: String, status: String) throws {
        let running = try RunningServer()
        let client = try SocketClient(running.port)
        client.send(text)
        let answer = try client.readAll()
        #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer.prefix(60))")
    }

    @Test func `a reader gets the events as they come, and continues where it was`() throws {
        let running = try RunningServer()
        let first = try running.client("/events", version: "1.0")
        #expect(try first.read(until: "snapshot").contains("Content-Type: text/event-stream"))
        running.append("one")
        let name = try first.read(until: "\ndata: one\n\n").split(separator: "\n").first { $0.hasPrefix("id: test-") }
        running.append("two")
        _ = try first.read(until: "\ndata: two\n\n")
        let id = try #require(name).dropFirst(4)
        let second = try running.client("/events", "Last-Event-ID: \(id)\r\n")
        let text = try second.read(until: "data: two\n\n")
        #expect(!text.contains("snapshot") && !text.contains("data: one"))
    }

    @Test func `a reader continues after each event of the last 512 kB, and after no older one`() {
        var backlog = EventBacklog(session: "test")
        let events = (0..<2000).map { _ in
            backlog.append(Array(repeating: UInt8(ascii: "x"), count: 1000))
            return (name: backlog.newest, end: backlog.end)
        }
        let known = events.filter { backlog.place(after: $0.name) == $0.end }
        #expect(known.map(\.end) == events.map(\.end).filter { backlog.end - $0 <= 524_288 })
    }

    @Test(arguments: ["", "test-", "test-7777", "test-99999999999999999999", "other-1", "test--1", "1", "test-x"])
    func `a reader whose last event is not known begins anew`(name: String) throws {
        let running = try RunningServer()
        running.append("one")
        let client = try running.client("/events", "Last-Event-ID: \(name)\r\n")
        #expect(try !client.read(until: "snapshot").contains("data: one"))
    }

    @Test func `clients that leave are forgotten`() throws {
        let running = try RunningServer()
        do {
            let clients = try (0..<20).map { _ in try running.client("/events") }
            for client in clients { _ = try client.read(until: "snapshot") }
            withExtendedLifetime(clients) { #expect(running.figures.readers == 20) }
        }
        #expect(running.wait(sending: "x") { $0.readers == 0 })
    }

    @Test func `a library that is missing is noticed`() {
        #expect(MicrohttpdLibrary("libmicrohttpd.so.0") == nil)
    }
}
