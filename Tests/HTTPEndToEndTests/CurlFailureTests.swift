import LocationPublishing
import TestSupport
import Testing

/// Failures of requests to a server that floods, drips or resets.
@Suite(.serialized, .withFew) struct CurlFailureTests {
    private let server: HTTPServer

    init() throws { server = try HTTPServer() }

    @Test func `a name that does not exist is unresolvable`() async throws {
        let error = try await failure(of: HTTPRequest(.get, HTTPURL("http://name.invalid/secret?token=x")))
        guard case .unresolvable("name.invalid", 80, _) = error else { throw error }
    }

    @Test(arguments: ["/cut-chunk", "/reset"])
    func `a connection that ends early is lost`(path: String) async throws {
        let error = try await failure(of: HTTPRequest(.get, server.url(path)))
        guard case .connectionLost = error else { throw error }
    }

    @Test func `a body that cannot be decompressed is malformed`() async throws {
        let error = try await failure(of: HTTPRequest(.get, server.url("/broken-gzip")))
        guard case .malformedResponse = error else { throw error }
    }

    // MARK: Time

    @Test func `a response that comes byte by byte ends at the limit`() async throws {
        let client = try HTTPClient.direct()
        // On a new connection, then on an open one.
        for _ in 0..<2 {
            let request = HTTPRequest(.get, try server.url("/slow")).with {
                ($0.connectionTimeout, $0.timeout) = (.milliseconds(500), .milliseconds(700))
            }
            let start = ContinuousClock.now
            #expect(try await failure(of: request, over: client) == .timeout(limit: .milliseconds(700)))
            #expect(start.duration(to: .now) > .milliseconds(690))
            _ = try await client.get(server.url("/ok"))
        }
    }

    // MARK: Size

    @Test(arguments: ["/endless", "/bomb"])
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

    @Test func `a redirect is an error with the new address`() async throws {
        let error = try await failure(of: HTTPRequest(.get, server.url("/redirect/302?to=file:///etc/passwd")))
        #expect(error == .redirected(status: 302, to: "file:///etc/passwd"))
    }
}
