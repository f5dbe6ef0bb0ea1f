import Foundation
import LocationPublishing
import TestSupport
import Testing

/// The client against a web server that many publish to; `make test-http` runs it.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["LOCWATCH_HTTP_REQUESTS"] != nil,
        "LOCWATCH_HTTP_REQUESTS says how many requests to send: make test-http"))
struct NginxTests {
    private let authority: Authority
    private let nginx: Nginx
    private let client: HTTPClient

    init() throws {
        authority = try Authority()
        nginx = try Nginx(authority.sign())
        client = try .direct(authority: authority.file)
    }

    @Test(arguments: HTTPURL.Scheme.allCases)
    func `many requests in turn share one connection and do not make the process grow`(
        scheme: HTTPURL.Scheme
    ) async throws {
        let url = try nginx.url("/pub", scheme)
        let body = Array(#"{"_type":"location","lat":52.5163,"lon":13.3777,"tst":1767225600}"#.utf8)
        let warmUp = CurlLoadTests.requestCount / 10
        var before = 0
        for number in 0..<(warmUp + CurlLoadTests.requestCount) {
            if number == warmUp { before = try CurlLoadTests.residentBytes }
            let response = try await client.post(url, body: body, contentType: "application/json")
            try #require(response.status == 200 && response.text == "[]")
        }
        try CurlLoadTests.expectNoGrowth(since: before)
        let connections = try nginx.connections.count
        #expect(connections == 1)
    }

    @Test(arguments: HTTPURL.Scheme.allCases)
    func `100 requests side by side are answered`(scheme: HTTPURL.Scheme) async throws {
        let url = try nginx.url("/page.txt", scheme)
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { [client] in
                    let text = try await client.get(url).text
                    #expect(text == Nginx.page)
                }
            }
            try await group.waitForAll()
        }
        let connections = try nginx.connections.count
        #expect(connections <= 100)
    }

    @Test(arguments: HTTPURL.Scheme.allCases)
    func `a page is compressed on its way`(scheme: HTTPURL.Scheme) async throws {
        let response = try await client.get(nginx.url("/page.txt", scheme))
        #expect(response.headers["content-encoding"] == "gzip")
        #expect(response.headers["Content-Type"] == "text/plain")
        #expect(response.text == Nginx.page)
    }

    @Test(arguments: [("/204", 204), ("/401", 401), ("/missing", 404), ("/429", 429), ("/503", 503)])
    func `a status is a response`(path: String, status: Int) async throws {
        #expect(try await client.get(nginx.url(path)).status == status)
    }

    @Test func `a body that the server refuses for its size is answered with 413`() async throws {
        let body = [UInt8](repeating: 1, count: 5_000_000)
        let response = try await client.post(nginx.url("/pub"), body: body, contentType: "application/octet-stream")
        #expect(response.status == 413)
        #expect(try await client.get(nginx.url("/204")).status == 204)
    }

    @Test(arguments: [("/moved", 301), ("/kept", 308)])
    func `a redirect is an error with the new address`(path: String, status: Int) async throws {
        guard
            case .redirected(status, let address) = try await failure(
                of: HTTPRequest(.get, nginx.url(path)), over: client)
        else {
            Issue.record("another error")
            return
        }
        #expect(address.hasPrefix("http"))
    }

    @Test(arguments: HTTPURL.Scheme.allCases)
    func `a connection that is closed without an answer is lost`(scheme: HTTPURL.Scheme) async throws {
        let error = try await failure(of: HTTPRequest(.get, nginx.url("/closed", scheme)), over: client)
        guard case .connectionLost = error else {
            Issue.record("\(error)")
            return
        }
        #expect(try await client.get(nginx.url("/204", scheme)).status == 204)
    }

    @Test func `a wrong port for TLS has an error of its own`() async throws {
        let plain = try HTTPURL("https://127.0.0.1:\(nginx.port)/")
        guard case .tls(_, let fault) = try await failure(of: HTTPRequest(.get, plain), over: client),
            case .handshake = fault.reason
        else {
            Issue.record("another error")
            return
        }
        // nginx answers a request without TLS with 400.
        #expect(try await client.get(HTTPURL("http://127.0.0.1:\(nginx.securePort)/")).status == 400)
    }
}
