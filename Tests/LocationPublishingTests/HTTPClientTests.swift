import LocationPublishing
import LocationPublishingTesting
import LocationTesting
import Testing

@Suite struct HTTPClientTests {
    private let clock = ManualClock()

    /// Returns an answer that redirects.
    private func redirect(_ status: Int, to target: String) -> ScriptedHTTPAnswer {
        .response(HTTPResponse(status: status, headers: ["Location": target]))
    }

    private func client(_ answers: [ScriptedHTTPAnswer]) -> (HTTPClient, ScriptedHTTPSession) {
        let session = ScriptedHTTPSession(answers, clock: clock)
        return (HTTPClient(session: session), session)
    }

    @Test func `get and post make the requests that their names say`() async throws {
        var (client, session) = client([.status(200, "hello")])
        client.limits.timeout = .seconds(7)
        let url = try HTTPURL("http://a/b")
        #expect(try await client.get(url, headers: HTTPHeaders(["X": "y"])).text == "hello")
        _ = try await client.post(url, body: [1, 2], contentType: "application/json")
        let requests = session.requests.map(\.request)
        #expect(requests.map(\.method) == [.get, .post])
        #expect(requests[0].headers["X"] == "y" && requests[0].body.isEmpty)
        #expect(requests[1].headers["Content-Type"] == "application/json" && requests[1].body == [1, 2])
        #expect(requests.allSatisfy { $0.limits == client.limits && $0.url == url })
    }

    @Test func `a status is an error only on request`() async throws {
        let (client, _) = client([.status(204), .status(404)])
        let url = try HTTPURL("http://a")
        #expect(try await client.get(url).requireSuccess().status == 204)
        let response = try await client.get(url)
        #expect(throws: HTTPError.status(404)) { try response.requireSuccess() }
    }

    // MARK: Refused before anything is sent

    @Test(arguments: ["Content-Length", "transfer-encoding", "Host", "Connection"])
    func `a header that frames the message is refused`(name: String) async throws {
        let (client, session) = client([.status(200)])
        let headers = try HTTPHeaders([name: "1"])
        await #expect(throws: HTTPError.self) { try await client.get(HTTPURL("http://a"), headers: headers) }
        #expect(session.requests.isEmpty && session.lastURL == nil)
    }

    @Test func `a body is refused where the method has none, and a content type that ends its line`() async throws {
        let (client, session) = client([.status(200)])
        let url = try HTTPURL("http://a")
        await #expect(throws: HTTPError.unexpectedBody(.get)) {
            try await client.send(HTTPRequest(.get, url, body: [1]))
        }
        await #expect(throws: HTTPError.invalidHeader(name: "Content-Type")) {
            try await client.post(url, body: [], contentType: "a\r\nX: y")
        }
        #expect(session.requests.isEmpty)
    }

    // MARK: Redirects

    @Test(arguments: [301, 302, 303, 307, 308], [HTTPMethod.get, .head, .post])
    func `a redirect is an error that names the new address, without its query`(
        status: Int, method: HTTPMethod
    ) async throws {
        let (client, session) = client([redirect(status, to: "https://b/new?token=1#x"), .status(200)])
        await #expect(throws: HTTPError.redirected(status: status, to: "https://b/new")) {
            try await client.send(HTTPRequest(method, HTTPURL("http://a/")))
        }
        #expect(session.requests.count == 1)
    }

    @Test(arguments: [300, 304, 200, 404])
    func `other statuses with a location are final`(status: Int) async throws {
        let (client, _) = client([redirect(status, to: "/x"), .status(500)])
        #expect(try await client.get(HTTPURL("http://a/")).status == status)
    }

    // MARK: Limits

    @Test func `a response of any session is held to the size limit`() async throws {
        struct Generous: HTTPSession {
            func response(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
                HTTPResponse(status: 200, body: [1, 2, 3])
            }
        }
        var limits = HTTPLimits()
        limits.responseSize = 2
        let client = HTTPClient(session: Generous(), limits: limits)
        await #expect(throws: HTTPError.tooLarge(limit: 2)) { try await client.get(HTTPURL("http://a")) }
        await #expect(throws: HTTPError.tooLarge(limit: 2)) {
            try await client.send(HTTPRequest(.get, HTTPURL("http://a")))
        }
        let own = HTTPRequest(.get, try HTTPURL("http://a"), limits: HTTPLimits())
        #expect(try await client.send(own).body == [1, 2, 3])
    }

    @Test func `a request of a cancelled task is not sent`() async throws {
        let (client, session) = client([.status(200)])
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await client.get(HTTPURL("http://a"))
        }
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { try await task.value }
        #expect(session.requests.isEmpty)
    }
}
