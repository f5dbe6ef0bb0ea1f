import Foundation
import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct CurlExchangeTests {
    private let server: HTTPServer

    init() throws { server = try HTTPServer() }

    @Test(arguments: HTTPMethod.allCases)
    func `a request arrives as it was given`(method: HTTPMethod) async throws {
        var request = HTTPRequest(method, try server.url("/echo/a%20b?x=1&y=%2F"))
        try request.headers.set("X-Limit-D", "phone")
        try request.headers.set("X-Empty", "")
        if method.carriesBody { request.body = [0, 1, 2, 255, 10] }
        let response = try await HTTPClient.direct().send(request)
        #expect(response.status == 200)
        guard method != .head else {
            #expect(response.body.isEmpty)
            return
        }
        let lines = response.body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        #expect(lines.first == "\(method.rawValue) /echo/a%20b?x=1&y=%2F HTTP/1.1")
        #expect(lines.contains("X-Limit-D: phone"))
        #expect(lines.contains("X-Empty: "))
        #expect(lines.contains("Accept-Encoding: gzip, deflate"))
        #expect(lines.contains("Content-Length: \(request.body.count)") == method.carriesBody)
        #expect(!lines.contains { $0.hasPrefix("Content-Type") || $0.hasPrefix("Expect") })
        #expect(response.body.suffix(request.body.count).elementsEqual(request.body))
    }

    @Test func `an empty body is sent as one`() async throws {
        let response = try await HTTPClient.direct().post(server.url("/echo"), body: [], contentType: "text/plain")
        #expect(response.text.contains("Content-Length: 0"))
        #expect(response.text.contains("Content-Type: text/plain"))
    }

    @Test func `a large body is sent at once, without waiting for the server's consent`() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
        var request = HTTPRequest(.put, try server.url("/echo"), body: body)
        request.limits = HTTPLimits()
        request.limits?.responseSize = 4_000_000
        let response = try await HTTPClient.direct().send(request)
        #expect(response.body.suffix(body.count).elementsEqual(body))
    }

    @Test func `requests in turn share one connection`() async throws {
        let client = try HTTPClient.direct()
        for path in ["/ok", "/chunked", "/gzip", "/status/404", "/ok"] { _ = try await client.get(server.url(path)) }
        #expect(try await client.get(server.url("/count/connections")).text == "1")
        #expect(try await client.get(server.url("/count/requests")).text == "5")
    }

    @Test func `a connection that the server has closed meanwhile is replaced`() async throws {
        let client = try HTTPClient.direct()
        _ = try await client.get(server.url("/ok"))
        _ = try await failure(of: HTTPRequest(.get, server.url("/cut")), over: client)
        #expect(try await client.get(server.url("/ok")).text == "ok")
    }

    @Test(arguments: [200, 204, 301, 401, 404, 429, 500, 503])
    func `every status is a response`(status: Int) async throws {
        let response = try await HTTPClient.direct().get(server.url("/status/\(status)"))
        #expect(response.status == status)
        #expect(response.isSuccess == (status < 300))
        #expect(response.headers["retry-after"] == "7")
    }

    @Test func `a chunked response is put together, without its trailer`() async throws {
        let response = try await HTTPClient.direct().get(server.url("/chunked"))
        #expect(response.text == "one two three")
        #expect(response.headers["X-Late"] == nil)
    }

    @Test func `an interim response is passed over, and a folded header is one`() async throws {
        let response = try await HTTPClient.direct().get(server.url("/interim"))
        #expect(response.status == 200)
        #expect(response.text == "final")
        #expect(response.headers["Link"] == nil)
        #expect(response.headers["x-folded"] == "one two")
    }

    @Test func `a compressed response is decompressed`() async throws {
        let response = try await HTTPClient.direct().get(server.url("/gzip"))
        #expect(response.text == String(repeating: "compressed ", count: 1000))
    }

    @Test func `the environment's proxy is used, unless a session does without`() async throws {
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
