import LocationPublishing
import LocationTesting
import LocwatchSupport
import TestSupport
import Testing

/// The requests that a server receives from a session over libcurl, and the outcomes of its answers.
@Suite(.serialized, .alone) struct CurlSessionTests {
    private typealias Outcome = Result<HTTPResponse, HTTPError>

    private func session() throws -> CurlHTTPSession {
        var options = CurlHTTPSession.Options()
        options.usesEnvironmentProxy = false
        return try CurlHTTPSession(options)
    }

    private func url(_ server: LoopbackServer, _ path: String = "/") throws -> HTTPURL {
        try HTTPURL("http://127.0.0.1:\(server.port)\(path)")
    }

    /// Sends requests to one path after each other, and returns the outcomes.
    private func outcomes(
        _ answers: [LoopbackServer.Answer], method: HTTPMethod = .get, limits: HTTPLimits = HTTPLimits()
    ) async throws -> [Outcome] {
        let server = try LoopbackServer(answers)
        let session = try session()
        var outcomes: [Outcome] = []
        for _ in answers {
            let request = HTTPRequest(method, try url(server), limits: limits)
            do throws(HTTPError) {
                outcomes.append(.success(try await session.response(to: request)))
            } catch {
                outcomes.append(.failure(error))
            }
        }
        return outcomes
    }

    private func limits(size: Int = 1 << 20, timeout: Duration = .seconds(30)) -> HTTPLimits {
        var limits = HTTPLimits()
        (limits.responseSize, limits.timeout) = (size, timeout)
        return limits
    }

    // MARK: Requests

    @Test(arguments: HTTPMethod.allCases)
    func `a server receives the method, the address, the headers and the body of a request`(method: HTTPMethod)
        async throws
    {
        let server = try LoopbackServer([.response()])
        var request = HTTPRequest(method, try url(server, "/a%20b?x=1"), headers: ["X-One": "1", "X-Empty": ""])
        if method.carriesBody { request.body = [0, 255, 10] }
        _ = try await session().response(to: request)
        let received = try #require(server.requests.first)
        #expect(received.line == "\(method.rawValue) /a%20b?x=1 HTTP/1.1" && received.body == request.body)
        var headers = [
            "Host: 127.0.0.1:\(server.port)", "Accept: */*", "Accept-Encoding: gzip, deflate", "X-One: 1", "X-Empty:",
        ]
        if method.carriesBody { headers.append("Content-Length: 3") }
        #expect(received.headers.sorted() == headers.sorted())
    }

    @Test func `a body without bytes has the length 0, and its type is the given one only`() async throws {
        let server = try LoopbackServer([.response(), .response()])
        let session = try session()
        for headers in [[:], ["Content-Type": "text/plain"]] as [HTTPHeaders] {
            _ = try await session.response(to: HTTPRequest(.post, url(server), headers: headers))
        }
        #expect(
            server.requests.map { $0.headers.filter { $0.hasPrefix("Content-") }.sorted() } == [
                ["Content-Length: 0"], ["Content-Length: 0", "Content-Type: text/plain"],
            ])
        #expect(server.requests.map(\.connection) == [1, 1] && server.connections == 1)
    }

    @Test func `a large body is sent at once`() async throws {
        let server = try LoopbackServer([.response()])
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
        _ = try await session().response(to: HTTPRequest(.put, url(server), body: body))
        #expect(server.requests.first?.body == body)
        #expect(server.requests.first?.headers.contains { $0.hasPrefix("Expect") } == false)
    }

    @Test func `eight connections are kept for later requests`() async throws {
        let server = try LoopbackServer(Array(repeating: .response(), count: 32))
        let session = try session()
        let request = HTTPRequest(.get, try url(server))
        for _ in 0..<2 {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try? await session.response(to: request) } }
            }
        }
        #expect(server.requests.count == 16 && server.connections <= 8 && server.ended == 0)
    }

    // MARK: Responses

    @Test func `a response has its status, headers and body, whatever the status, and no redirect is followed`()
        async throws
    {
        let outcomes = try await outcomes([
            .response(200, headers: "A: 1\r\na: 2\r\n", "one"), .response(302, headers: "Location: /two\r\n"),
            .response(404, "three"), .response(503, headers: "Retry-After: 7\r\n"),
            .bytes(
                Array("HTTP/1.1 100 Continue\r\nB: 0\r\n\r\nHTTP/1.1 201 Created\r\nC: 1\r\n d\r\n".utf8)
                    + Array("Transfer-Encoding: chunked\r\n\r\n4;x=y\r\nfour\r\n0\r\nLate: 1\r\n\r\n".utf8)),
        ])
        let responses = try outcomes.map { try $0.get() }
        #expect(responses.map(\.status) == [200, 302, 404, 503, 201])
        #expect(responses.map(\.text) == ["one", "", "three", "", "four"])
        #expect(responses[0].headers.values(of: "A") == ["1", "2"] && responses[1].headers["location"] == "/two")
        #expect(responses[3].headers["Retry-After"] == "7")
        #expect(responses[4].headers.fields.map(\.description) == ["C: 1 d", "Transfer-Encoding: chunked"])
    }

    @Test func `a compressed body is decompressed`() async throws {
        // The letter a forty times.
        let body: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 76, 36, 14, 0, 0, 37, 138, 91, 201, 40, 0, 0, 0,
        ]
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
        let answer = LoopbackServer.Answer.bytes(Array(head.utf8) + body)
        let text = String(repeating: "a", count: 40)
        #expect(try await outcomes([answer], limits: limits(size: 40))[0].get().text == text)
        #expect(try await outcomes([answer], limits: limits(size: 39)) == [.failure(.tooLarge(limit: 39))])
    }

    @Test(arguments: [0, 1, 1000], [true, false])
    func `a body may have as many bytes as the limit says, and not one more`(limit: Int, isChunked: Bool) async throws {
        func answer(_ count: Int) -> LoopbackServer.Answer {
            let body = String(repeating: "x", count: count)
            guard isChunked else { return .response(200, body) }
            let chunk = count == 0 ? "" : "\(String(count, radix: 16))\r\n\(body)\r\n"
            return .bytes(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)0\r\n\r\n".utf8))
        }
        let outcomes = try await outcomes([answer(limit), answer(limit + 1)], limits: limits(size: limit))
        #expect(try outcomes[0].get().body.count == limit)
        #expect(outcomes[1] == .failure(.tooLarge(limit: limit)))
    }

    @Test func `the length in the answer to a HEAD is that of a body that does not come`() async throws {
        let answer = LoopbackServer.Answer.bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n".utf8))
        let outcomes = try await outcomes([answer, answer], method: .head, limits: limits(size: 10))
        #expect(try outcomes.map { try $0.get().body } == [[], []])
    }

    @Test func `headers of 64 KiB together are read, and one byte more ends the request`() async throws {
        // Each line counts with its end, and libcurl reads no line of 100 KiB.
        let first = "HTTP/1.1 200 OK\r\n", last = "Content-Length: 0\r\n\r\n"
        let lines = Array(repeating: "X: " + String(repeating: "x", count: 995) + "\r\n", count: 65).joined()
        let rest = 65_536 - first.utf8.count - last.utf8.count - lines.utf8.count - 5
        let outcomes = try await outcomes(
            [rest, rest + 1].map { count in
                .bytes(Array((first + lines + "Y: " + String(repeating: "y", count: count) + "\r\n" + last).utf8))
            })
        #expect(try outcomes[0].get().headers.fields.count == 67)
        #expect(outcomes[1] == .failure(.headersTooLarge(limit: 65_536)))
    }

    @Test func `a server that frames a body without end is cut off`() async throws {
        let start = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;".utf8)
        let server = try LoopbackServer([.endless(start: start, [UInt8](repeating: 0x78, count: 4096)), .response()])
        let session = try session()
        let request = HTTPRequest(.get, try url(server), limits: limits(size: 1000, timeout: .seconds(600)))
        await #expect(throws: HTTPError.self) { try await session.response(to: request) }
        #expect(try await session.response(to: request).status == 200)
    }

    @Test func `a kept connection receives any number of responses, each of which is counted for itself`()
        async throws
    {
        // Together they have more bytes than one may have with what frames it.
        let answers = Array(
            repeating: LoopbackServer.Answer.response(200, String(repeating: "x", count: 1000)), count: 300)
        let server = try LoopbackServer(answers)
        let session = try session()
        let request = HTTPRequest(.get, try url(server), limits: limits(size: 1000))
        for _ in answers { #expect(try await session.response(to: request).body.count == 1000) }
        #expect(server.connections == 1)
    }

    // MARK: Failures

    @Test func `a connection that ends before the answer is complete is lost, and the next request has a new one`()
        async throws
    {
        let server = try LoopbackServer([
            .last([]), .last(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf".utf8)), .response(200, "whole"),
        ])
        let session = try session()
        let request = HTTPRequest(.get, try url(server))
        for _ in 0..<2 {
            let error = await #expect(throws: HTTPError.self) { try await session.response(to: request) }
            guard case .connectionLost("127.0.0.1", server.port, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(try await session.response(to: request).text == "whole")
        #expect(server.requests.map(\.connection) == [1, 2, 3])
    }

    @Test func `an answer that is not one of HTTP is an error`() async throws {
        let outcome = try await outcomes([.last(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))])[0]
        guard case .failure(.malformedResponse("127.0.0.1", _, _)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func `a port without a server is an error with the system's reason`() async throws {
        let peer = LoopbackPeer()
        let request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(peer.port)/"))
        let error = HTTPError.unreachable(host: "127.0.0.1", port: peer.port, cause: "Connection refused")
        await #expect(throws: error) { try await session().response(to: request) }
    }

    @Test(arguments: [Duration.zero, .milliseconds(20)])
    func `a server that is silent is given up after the limit of the request`(limit: Duration) async throws {
        let outcomes = try await outcomes([.nothing], limits: limits(timeout: limit))
        #expect(outcomes == [.failure(.timeout(limit: limit))])
    }

    @Test func `a host that does not accept the connection is given up after the limit for that`() async throws {
        let hole = try BlackHole()
        var limits = limits(timeout: .seconds(600))
        limits.connectionTimeout = .milliseconds(20)
        let request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(hole.port)/"), limits: limits)
        await #expect(throws: HTTPError.connectionTimeout(limit: .milliseconds(20))) {
            try await session().response(to: request)
        }
    }

    // MARK: The end

    @Test func `a cancelled request closes its connection, has one outcome, and leaves the others alone`() async throws
    {
        let server = try LoopbackServer([.nothing, .nothing])
        let session = try session()
        let outcomes = Lock<[Outcome]>([])
        let others = Lock<[Outcome]>([])
        let request = HTTPRequest(.get, try url(server), limits: limits(timeout: .seconds(600)))
        let cancel = session.start(request) { outcome in outcomes.withLock { $0.append(outcome) } }
        _ = session.start(request) { outcome in others.withLock { $0.append(outcome) } }
        try await eventually("the requests", within: .seconds(60), { server.requests.count }, is: { $0 == 2 })
        cancel()
        #expect(outcomes.withLock { $0 } == [.failure(.cancelled)])
        cancel()
        try await eventually("the end", within: .seconds(60), { server.ended }, is: { $0 == 1 })
        #expect(outcomes.withLock { $0.count } == 1 && others.withLock { $0.isEmpty })
    }

    @Test func `a released session ends its requests and connections`() async throws {
        let server = try LoopbackServer([.nothing, .nothing])
        let outcomes = Lock<[Outcome]>([])
        var session: CurlHTTPSession? = try session()
        let request = HTTPRequest(.get, try url(server), limits: limits(timeout: .seconds(600)))
        var cancels: [@Sendable () -> Void] = []
        for _ in 0..<2 {
            let cancel = session?.start(request) { outcome in outcomes.withLock { $0.append(outcome) } }
            cancels.append(try #require(cancel))
        }
        try await eventually("the requests", within: .seconds(60), { server.requests.count }, is: { $0 == 2 })
        session = nil
        #expect(outcomes.withLock { $0 } == [.failure(.cancelled), .failure(.cancelled)])
        for cancel in cancels { cancel() }
        try await eventually("the ends", within: .seconds(60), { server.ended }, is: { $0 == 2 })
        #expect(outcomes.withLock { $0.count } == 2)
    }

    @Test func `a request that must not be sent has an outcome, and the server does not see it`() async throws {
        let server = try LoopbackServer([.response()])
        let headers = try HTTPHeaders(["Content-Length": "3"])
        await #expect(throws: HTTPError.invalidHeader(name: "Content-Length")) {
            try await session().response(to: HTTPRequest(.get, url(server), headers: headers))
        }
        #expect(server.connections == 0)
    }
}
