import Foundation
import LocationPublishing
import TestSupport
import Testing

/// The proxy of the environment, which holds for the process.
@Suite(.serialized, .alone) struct CurlProxyTests {
    @Test func `the environment's proxy is used, unless a session does without`() async throws {
        let server = try HTTPServer()
        // libcurl reads the small name only: the other one could come from a request to a CGI program.
        setenv("http_proxy", "http://127.0.0.1:\(server.port)", 1)
        defer { unsetenv("http_proxy") }
        // The server answers for any host.
        let client = HTTPClient(session: try CurlHTTPSession())
        let response = try await client.get(HTTPURL("http://elsewhere.invalid/echo"))
        #expect(response.text.hasPrefix("GET http://elsewhere.invalid/echo HTTP/1.1\n"))
        let error = try await failure(of: HTTPRequest(.get, HTTPURL("http://elsewhere.invalid/ok")))
        guard case .unresolvable("elsewhere.invalid", 80, _) = error else { throw error }
    }
}
