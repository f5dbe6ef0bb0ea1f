import Glibc
@testable import LocwatchArguments
@testable import LocwatchPlatform
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal
@testable import LocwatchCommand

/// A text that must not be sent without the token.
private let secret = "a fact about the session"
private let token = "0123456789abcdef"

/// Fuzzes the page of `locwatch web` with the bytes of a connection.
func fuzzRequests(_ input: UnsafeBufferPointer<UInt8>) {
    page.send(input)
}

// libFuzzer calls the function from one thread only.
nonisolated(unsafe) private let page = FuzzedPage()

/// A page on a port of this machine, with the session's loop and its clients on one thread.
private final class FuzzedPage {
    /// The number of rounds in which nothing arrives at a client that the server has answered.
    private static let patience = 8

    private let server: WebServer
    private let site = WebSite(
        hosts: HostRule(names: ["host"]), token: AccessToken(token, port: 8080), tileOrigin: nil,
        facts: Array(secret.utf8))

    init() {
        let data = WebSite.Data(
            state: WebState(.standard, Settings()), track: WebTrack(), metrics: SessionMetrics())
        guard let library = MicrohttpdLibrary(), let sockets = try? ListeningSockets(address: "127.0.0.1", port: 0),
            let server = try? WebServer(
                library, sockets, session: "s", limits: WebLimits(), snapshot: { Array("\(secret)\n\n".utf8) },
                answer: { [site] request in site.response(to: request) { data } })
        else { fatalError("the page cannot be served") }
        self.server = server
    }

    /// Sends the bytes of a client, and checks the responses.
    func send(_ bytes: UnsafeBufferPointer<UInt8>) {
        let client = connect()
        check(Glibc.send(client, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count, "nothing is sent")
        shutdown(client, Int32(SHUT_WR))
        let response = serve(client)
        checkResponse(response, to: Array(bytes))
        // A reader whose connection has ended is forgotten with the next events.
        for _ in 0..<3 where server.readerCount > 0 {
            server.backlog.append(Array("{}".utf8))
            server.wake()
            _ = serve(nil)
        }
        check(server.readerCount == 0, "a reader is not forgotten")
    }

    private func checkResponse(_ response: [UInt8], to request: [UInt8]) {
        let text = String(decoding: response, as: UTF8.self)
        check(text.isEmpty || text.utf8.starts(with: "HTTP/1.1 ".utf8), "a response is not HTTP")
        guard !String(decoding: request, as: UTF8.self).utf8.contains(token.utf8) else { return }
        check(!text.utf8.contains(secret.utf8), "the session is shown without the token")
    }

    private func connect() -> Int32 {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = server.port.bigEndian
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                // After many connections all ports of the system can be in use for a while.
                for _ in 0..<900 {
                    if Glibc.connect(client, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 { return true }
                    guard errno == EADDRNOTAVAIL else { return false }
                    usleep(10_000)
                }
                return false
            }
        }
        check(isConnected, "the page refuses a connection")
        // Closing the connection must not keep its port.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        return client
    }

    /// Serves until nothing happens any more, and returns the bytes that a client has received; the client is closed then.
    private func serve(_ client: Int32?) -> [UInt8] {
        var response: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var (rounds, idleRounds) = (0, 0)
        while idleRounds < Self.patience {
            _ = server.waitLimit
            var set = PollSet()
            server.addDescriptors(to: &set)
            set.wait(within: .zero)
            server.serve(set)
            let count = client.map { recv($0, &buffer, buffer.count, Int32(MSG_DONTWAIT)) } ?? -1
            if count == 0 { break }
            idleRounds = count > 0 ? 0 : idleRounds + 1
            if count > 0 { response += buffer.prefix(count) }
            rounds += 1
            check(rounds < 10_000, "the page is busy for ever")
        }
        if let client { close(client) }
        return response
    }
}
