import LocationPublishing
import LocationTesting
import Testing

struct Reporter {
    var client: HTTPClient
    var url: HTTPURL

    func report(_ json: String) async throws(HTTPError) {
        let response = try await client.post(url, body: Array(json.utf8), contentType: "application/json")
        try response.requireSuccess()
    }
}

func liveReporter() throws(HTTPError) -> Reporter {
    let client = HTTPClient(session: try CurlHTTPSession())
    return Reporter(client: client, url: try HTTPURL("https://example.org/pub"))
}

func authorizedRequest(_ url: HTTPURL, password: String) throws(HTTPError) -> HTTPRequest {
    var request = HTTPRequest(.post, url, headers: ["Content-Type": "application/json"])
    try request.headers.setBasicAuthorization(user: "phone", password: password)
    return request
}

extension HTTPLimits {
    static var brief: HTTPLimits {
        var limits = HTTPLimits()
        limits.timeout = .seconds(5)
        limits.responseSize = 4096
        return limits
    }
}

extension HTTPError {
    var isWorthARetry: Bool {
        switch self {
        case .unresolvable, .unreachable, .connectionTimeout, .timeout, .connectionLost: true
        case .status(408), .status(425), .status(429), 500...599: true
        default: false
        }
    }
}

func upload(_ request: HTTPRequest, over client: HTTPClient) async throws(HTTPError) {
    do throws(HTTPError) {
        try await client.send(request).requireSuccess()
    } catch {
        if case .redirected(_, let address) = error { print("the server has moved to \(address)") }
        throw error
    }
}

@Test func `a report is sent as JSON`() async throws {
    let clock = ManualClock()
    let session = ScriptedHTTPSession(clock: clock) { request in
        request.method == .post ? .status(200, "[]", after: .seconds(2)) : .status(405)
    }
    let client = HTTPClient(session: session)
    let reporter = Reporter(client: client, url: try HTTPURL("https://example.org/pub"))
    let task = Task { try await reporter.report("{}") }
    try await clock.advanceToNextDeadline()
    try await task.value
    #expect(session.lastURL?.path == "/pub")
    #expect(session.requests.first?.state == .answered(200))
}

@Suite struct SendingHTTPRequestsTests {
    @Test func `a live reporter needs no connection before its first report`() throws {
        #expect(try liveReporter().url.host == "example.org")
    }

    @Test func `a redirect is thrown to the caller`() async throws {
        let response = HTTPResponse(status: 308, headers: ["Location": "https://example.org/new"])
        let client = HTTPClient(session: ScriptedHTTPSession([.response(response)]))
        await #expect(throws: HTTPError.redirected(status: 308, to: "https://example.org/new")) {
            try await upload(HTTPRequest(.put, HTTPURL("https://example.org/pub"), body: [1]), over: client)
        }
    }

    @Test func `headers, limits and errors are as described`() throws {
        let request = try authorizedRequest(HTTPURL("https://example.org"), password: "secret")
        #expect(request.headers["Authorization"] == "Basic cGhvbmU6c2VjcmV0")
        #expect(HTTPLimits.brief.timeout == .seconds(5))
        #expect(HTTPError.status(503).isWorthARetry && !HTTPError.status(404).isWorthARetry)
    }
}
