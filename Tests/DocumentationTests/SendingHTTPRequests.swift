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
