import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct CurlFailureTests {
    private let server: HTTPServer

    init() throws { server = try HTTPServer() }

    @Test func `a port without a server is unreachable`() async throws {
        let port = ReservedPort().number
        let error = try await failure(of: HTTPRequest(.get, HTTPURL("http://127.0.0.1:\(port)")))
        guard case .unreachable("127.0.0.1", port, _) = error else { throw error }
    }

    @Test func `a name that does not exist is unresolvable`() async throws {
        let error = try await failure(of: HTTPRequest(.get, HTTPURL("http://name.invalid/secret?token=x")))
        guard case .unresolvable("name.invalid", 80, _) = error else { throw error }
    }

    @Test(arguments: ["/cut", "/cut-chunk", "/reset", "/empty"])
    func `a connection that ends early is lost`(path: String) async throws {
        let error = try await failure(of: HTTPRequest(.get, server.url(path)))
        guard case .connectionLost = error else { throw error }
    }

    @Test(arguments: ["/garbage", "/broken-gzip"])
    func `what is not HTTP is malformed`(path: String) async throws {
        let error = try await failure(of: HTTPRequest(.get, server.url(path)))
        guard case .malformedResponse = error else { throw error }
    }

    // MARK: Time

    @Test(arguments: ["/slow", "/silent"])
    func `a response that takes too long ends at the limit`(path: String) async throws {
        let client = try HTTPClient.direct()
        // On a new connection, then on an open one.
        for _ in 0..<2 {
            let request = HTTPRequest(.get, try server.url(path)).with {
                ($0.connectionTimeout, $0.timeout) = (.milliseconds(500), .milliseconds(700))
            }
            let start = ContinuousClock.now
            #expect(try await failure(of: request, over: client) == .timeout(limit: .milliseconds(700)))
            #expect(start.duration(to: .now) > .milliseconds(690))
            _ = try await client.get(server.url("/ok"))
        }
    }

    @Test func `a connection that is not accepted ends at its own limit`() async throws {
        let hole = try BlackHole()
        let request = HTTPRequest(.get, try HTTPURL("http://127.0.0.1:\(hole.port)")).with {
            $0.connectionTimeout = .milliseconds(200)
        }
        #expect(try await failure(of: request) == .connectionTimeout(limit: .milliseconds(200)))
        #expect(
            try await failure(of: request.with { $0.timeout = .milliseconds(100) })
                == .timeout(limit: .milliseconds(100)))
    }

    // MARK: Size

    @Test(arguments: ["/size/1000001", "/endless", "/bomb"])
    func `a body that is too large ends the request, also when it is compressed`(path: String) async throws {
        let request = HTTPRequest(.get, try server.url(path)).with { $0.responseSize = 1_000_000 }
        #expect(try await failure(of: request) == .tooLarge(limit: 1_000_000))
    }

    @Test func `the extension of a chunk that does not end ends the request, also over a connection that was kept`()
        async throws
    {
        let client = try HTTPClient.direct()
        for number in 1...2 {
            _ = try await client.get(server.url("/ok"))
            let error = await #expect(throws: HTTPError.self) { _ = try await client.get(server.url("/extension")) }
            let isLost = if case .connectionLost = error { true } else { false }
            #expect(isLost, "\(String(describing: error))")
            let count = try await client.get(server.url("/count/flooded")).body
            // Some bytes are on their way already, in the sockets of both sides.
            #expect(try #require(Int(String(decoding: count, as: UTF8.self))) < number * 32 << 20)
        }
    }

    @Test(arguments: [0, 1, 1_000_000]) func `a body of exactly the limit is allowed`(size: Int) async throws {
        let request = HTTPRequest(.get, try server.url("/size/\(size)")).with { $0.responseSize = size }
        #expect(try await HTTPClient.direct().send(request).body.count == size)
    }

    @Test func `the length of a body that is not sent has no limit`() async throws {
        let request = HTTPRequest(.head, try server.url("/size/1000001")).with { $0.responseSize = 0 }
        #expect(try await HTTPClient.direct().send(request).headers["content-length"] == "1000001")
    }

    @Test func `headers of more than 64 KiB end the request`() async throws {
        let error = try await failure(of: HTTPRequest(.get, server.url("/headers/100000")))
        #expect(error == .headersTooLarge(limit: 65_536))
        let response = try await HTTPClient.direct().get(server.url("/headers/60000"))
        #expect(response.headers.fields.count == 61)
    }

    @Test func `a redirect is an error with the new address`() async throws {
        let error = try await failure(of: HTTPRequest(.get, server.url("/redirect/302?to=file:///etc/passwd")))
        #expect(error == .redirected(status: 302, to: "file:///etc/passwd"))
    }
}
