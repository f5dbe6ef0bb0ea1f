import Glibc
import LocwatchPlatform
import LocwatchSupport
import Testing

@testable import LocwatchTerminal
@testable import LocwatchCommand

/// A server on a thread of its own, which answers each path with its name, `/events` with events, and `/pieces/N` with a text
/// of `N` bytes that is made in pieces.
final class RunningServer: Sendable {
    /// The messages between the thread and the test.
    private final class Orders: Sendable {
        struct Content {
            var port: UInt16 = 0
            var lines: [String] = []
            var isStopped = false
            var streams = 0
            var unsent = 0
        }
        let content = Lock(Content())
        let news: Event
        let done: Event

        init() throws {
            news = try Event()
            done = try Event()
        }
    }

    private let orders: Orders
    private let thread: NativeThread

    init(limits: WebLimits = WebLimits()) throws {
        let orders = try Orders()
        self.orders = orders
        thread = try NativeThread {
            do {
                let server = try Self.server(limits)
                orders.content.withLock { $0.port = server.port }
                orders.done.happen()
                Self.run(server, orders)
            } catch {
                orders.done.happen()
                Issue.record(error)
            }
        }
        wait()
    }

    deinit {
        thread.join { [orders] in
            orders.content.withLock { $0.isStopped = true }
            orders.news.happen()
        }
    }

    var port: UInt16 { orders.content.withLock { $0.port } }
    /// The number of readers, after what has arrived was served.
    var streamCount: Int {
        orders.news.happen()
        wait()
        return orders.content.withLock { $0.streams }
    }
    /// The bytes of responses that were made and not sent yet.
    var unsent: Int { orders.content.withLock { $0.unsent } }

    /// Appends an event, and waits until it was handed to the readers.
    func append(_ line: String) {
        orders.content.withLock { $0.lines.append(line) }
        orders.news.happen()
        wait()
    }

    private func wait() {
        orders.done.wait()
        orders.done.clear()
    }

    private static func server(_ limits: WebLimits) throws -> WebServer {
        try WebServer(
            try #require(MicrohttpdLibrary(), "install \(MicrohttpdLibrary.package)"),
            ListeningSockets(address: "127.0.0.1", port: 0), session: "test", limits: limits,
            snapshot: { missed in
                TextPieces(Array("data: snapshot\(missed > 0 ? " of \(missed)" : "")\n\n".utf8))
            },
            answer: { request in
                if request.host == nil { return .text(400, "no host") }
                if request.path == "/events" {
                    var response = WebResponse(.events(after: request.lastEventID))
                    response.mediaType = "text/event-stream"
                    return response
                }
                if request.path.hasPrefix("/pieces/"), let size = Int(request.path.dropFirst(8)) {
                    return WebResponse(.pieces(Self.pieces(size)))
                }
                return .text(200, "\(request.isEncrypted ? "encrypted " : "")answer to \(request.path)")
            })
    }

    private static func pieces(_ size: Int) -> TextPieces {
        var left = size
        return TextPieces { wanted in
            defer { left = max(0, left - wanted) }
            return Array(repeating: UInt8(ascii: "x"), count: min(left, wanted))
        }
    }

    private static func run(_ server: WebServer, _ orders: Orders) {
        while true {
            var set = PollSet()
            set.add(orders.news.descriptor, POLLIN)
            server.addDescriptors(to: &set)
            set.wait(server.waitLimit?.wholeMilliseconds ?? -1)
            server.serve(set)
            orders.content.withLock { ($0.streams, $0.unsent) = (server.streamCount, server.unsent) }
            guard set.isReady(orders.news.descriptor) else { continue }
            orders.news.clear()
            let (lines, isStopped) = orders.content.withLock { content in
                defer { content.lines = [] }
                return (content.lines, content.isStopped)
            }
            if isStopped { return server.stop() }
            for line in lines { server.backlog.append(line.utf8) }
            server.wake()
            orders.content.withLock { ($0.streams, $0.unsent) = (server.streamCount, server.unsent) }
            orders.done.happen()
        }
    }
}
