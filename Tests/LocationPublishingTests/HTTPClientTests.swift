import LocationPublishingTesting
import LocationPublishing
import LocationTesting
import Testing

@Suite struct HTTPClientTests {
    private let clock = ManualClock()

    /// Returns an answer that redirects.
    private func redirect(_ status: Int, to target: String, after time: Duration = .zero) throws -> ScriptedHTTPAnswer {
        .response(HTTPResponse(status: status, headers: try HTTPHeaders(["Location": target])), after: time)
    }

    private func client(_ answers: [ScriptedHTTPAnswer]) -> (HTTPClient, ScriptedHTTPSession) {
        let session = ScriptedHTTPSession(answers, clock: clock)
        return (HTTPClient(session: session, clock: clock), session)
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

    @Test(
        arguments: [
            (301, .get, .get), (302, .head, .head), (303, .post, .get), (303, .head, .head), (303, .put, .get),
            (307, .post, .post), (308, .put, .put), (307, .get, .get),
        ] as [(Int, HTTPMethod, HTTPMethod)])
    func `a redirect is followed with the method that its status asks for`(
        status: Int, method: HTTPMethod, next: HTTPMethod
    ) async throws {
        let (client, session) = client([try redirect(status, to: "../next?x=1"), .status(200)])
        let body: [UInt8] = method.carriesBody ? [1] : []
        let request = HTTPRequest(method, try HTTPURL("http://a/b/c"), body: body)
        #expect(try await client.send(request).status == 200)
        let last = try #require(session.requests.last).request
        #expect(last.url.text == "http://a/next?x=1")
        #expect(last.method == next)
        #expect(last.body == (next.carriesBody ? body : []))
    }

    @Test(arguments: [301, 302], [HTTPMethod.post, .put, .patch, .delete])
    func `a body is not lost in a redirect: the redirect is the response`(status: Int, method: HTTPMethod) async throws
    {
        let (client, session) = client([try redirect(status, to: "https://a/"), .status(200)])
        let response = try await client.send(HTTPRequest(method, HTTPURL("http://a/"), body: [1]))
        #expect(response.status == status)
        #expect(session.requests.count == 1)
    }

    @Test(arguments: [300, 304, 200, 404])
    func `other statuses with a location are final`(status: Int) async throws {
        let (client, _) = client([try redirect(status, to: "/x"), .status(500)])
        #expect(try await client.get(HTTPURL("http://a/")).status == status)
    }

    @Test(arguments: ["http://b/", "http://a:81/", "https://a/", "//b/"])
    func `secrets stay with the origin that they are for`(target: String) async throws {
        let (client, session) = client([try redirect(302, to: "/same"), try redirect(302, to: target), .status(200)])
        let headers = try HTTPHeaders(["Authorization": "Basic x", "Cookie": "c", "X-Limit-U": "u"])
        _ = try await client.get(HTTPURL("http://a/"), headers: headers)
        let names = session.requests.map { $0.request.headers.fields.map(\.name) }
        #expect(
            names == [
                ["Authorization", "Cookie", "X-Limit-U"], ["Authorization", "Cookie", "X-Limit-U"], ["X-Limit-U"],
            ])
    }

    @Test func `a redirect that must not be followed is an error`() async throws {
        let url = try HTTPURL("https://a/")
        for (target, fault) in [
            ("http://a/", .insecure), ("file:///etc/passwd", .invalidURL(.scheme)),
            ("gopher://b", .invalidURL(.scheme)),
            ("https://u:p@a/", .invalidURL(.credentials)), ("/a b", .invalidURL(.character)),
        ] as [(String, HTTPRedirectFault)] {
            let (client, session) = client([try redirect(302, to: target)])
            await #expect(throws: HTTPError.redirect(fault), "\(target)") { try await client.get(url) }
            #expect(session.requests.count == 1)
        }
    }

    @Test func `a loop ends at the limit, and without a limit the redirect is the response`() async throws {
        let (client, session) = client([try redirect(302, to: "/")])
        var request = HTTPRequest(.get, try HTTPURL("http://a/"))
        request.limits.redirects = 3
        await #expect(throws: HTTPError.redirect(.tooMany(limit: 3))) { try await client.send(request) }
        #expect(session.requests.count == 4)
        request.limits.redirects = 0
        #expect(try await client.send(request).status == 302)
    }

    @Test func `redirects share one time limit`() async throws {
        let (client, session) = client([try redirect(302, to: "/2", after: .seconds(20)), .never])
        var request = HTTPRequest(.get, try HTTPURL("http://a/"))
        request.limits.timeout = .seconds(30)
        let task = Task { [request] in try await client.send(request) }
        try await clock.advanceToNextDeadline()
        try await session.untilRequested(2)
        #expect(session.requests[1].request.limits.timeout == .seconds(10))
        try await clock.advanceToNextDeadline()
        await #expect(throws: HTTPError.timeout(limit: .seconds(30))) { try await task.value }
        #expect(clock.now.elapsed == .seconds(30))
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
