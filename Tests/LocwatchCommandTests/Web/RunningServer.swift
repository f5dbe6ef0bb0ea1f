import Glibc
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

@testable import LocwatchTerminal
@testable import LocwatchCommand

/// A server on a thread of its own, which answers each path with its name, `/events` with events, `/text/N` with a text of `N`
/// bytes, and `/tile/N` with as many that were read before.
final class RunningServer: Sendable {
    /// The figures of a server; `unsent` are the bytes of texts that were made and not sent yet.
    typealias Figures = (connections: Int, readers: Int, unsent: Int)

    /// The work of the test for the thread, which ends when there is none.
    private final class Orders: Sendable {
        let work = Lock<(@Sendable (WebServer) -> Void)?>(nil)
        let news: Event
        let done: Event

        init() throws { (news, done) = (try Event(), try Event()) }
    }

    let port: UInt16
    private let orders: Orders
    private let thread: NativeThread

    init(_ limits: WebLimits = WebLimits()) throws {
        let orders = try Orders()
        // Only the thread uses it from here on.
        nonisolated(unsafe) let server = try Self.server(limits)
        (self.orders, port) = (orders, server.port)
        thread = try NativeThread { Self.run(server, orders) }
    }

    deinit { thread.join { [orders] in orders.news.happen() } }

    /// The figures, after what has arrived was served.
    var figures: Figures {
        let figures = Lock<Figures>((0, 0, 0))
        perform { server in figures.withLock { $0 = (server.connections.count, server.readerCount, server.unsent) } }
        return figures.withLock { $0 }
    }

    /// Waits until the figures meet a condition; returns whether they do.
    ///
    /// - Parameter line: An event for the readers before each look, because one that has left is noticed when something is sent.
    func wait(sending line: String? = nil, until isSo: (Figures) -> Bool) -> Bool {
        for _ in 0..<6000 {
            if let line { append(line) }
            if isSo(figures) { return true }
            usleep(10_000)
        }
        return false
    }

    /// Appends an event, and waits until it was handed to the readers.
    func append(_ line: String) {
        perform { server in
            server.backlog.append(line.utf8)
            server.wake()
        }
    }

    /// Lets the thread of the server do something, and waits until it is done.
    private func perform(_ work: @escaping @Sendable (WebServer) -> Void) {
        orders.work.withLock { $0 = work }
        orders.news.happen()
        orders.done.wait()
        orders.done.clear()
    }

    /// Returns a client that has sent a request with further headers, and takes the answer through a buffer.
    func client(
        _ path: String, _ headers: String = "", version: String = "1.1", buffer: Int32? = nil
    ) throws -> SocketClient {
        let client = try SocketClient(port, receiveBuffer: buffer)
        client.send("GET \(path) HTTP/\(version)\r\nHost: localhost\r\n\(headers)\r\n")
        return client
    }

    private static func server(_ limits: WebLimits) throws -> WebServer {
        try WebServer(
            try #require(MicrohttpdLibrary(), "install \(MicrohttpdLibrary.package)"),
            ListeningSockets(address: "127.0.0.1", port: 0), session: "test", limits: limits,
            snapshot: { Array("data: snapshot\n\n".utf8) },
            answer: { request in
                if request.host == nil { return .text(400, "no host") }
                if request.path == "/events" {
                    return with(WebResponse(.events(after: request.lastEventID))) { $0.mediaType = "text/event-stream" }
                }
                if request.path.hasPrefix("/text/"), let size = Int(request.path.dropFirst(6)) {
                    return WebResponse(.text { Array(repeating: UInt8(ascii: "x"), count: size) })
                }
                if request.path.hasPrefix("/tile/"), let size = Int(request.path.dropFirst(6)) {
                    return WebResponse(.bytes(Array(repeating: UInt8(ascii: "x"), count: size)))
                }
                return .text(200, "\(request.isEncrypted ? "encrypted " : "")answer to \(request.path)")
            })
    }

    private static func run(_ server: WebServer, _ orders: Orders) {
        while true {
            var set = PollSet()
            set.add(orders.news.descriptor, POLLIN)
            server.addDescriptors(to: &set)
            set.wait(within: server.waitLimit)
            server.serve(set)
            guard set.isReady(orders.news.descriptor) else { continue }
            orders.news.clear()
            guard let work = orders.work.withLock({ $0.take() }) else { return server.stop() }
            work(server)
            orders.done.happen()
        }
    }
}
