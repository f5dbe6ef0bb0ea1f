import LocationPublishing
import LocationPublishingTesting
import LocationTesting
import TestSupport
import Testing

@Suite struct ScriptedHTTPSessionTests {
    private let clock = ManualClock()
    private let url: HTTPURL

    init() throws { url = try HTTPURL("http://example.org/pub") }

    private func start(_ session: ScriptedHTTPSession) -> Task<HTTPResponse, any Error> {
        Task { try await session.response(to: HTTPRequest(.get, url)) }
    }

    @Test func `a closure answers each request`() async throws {
        let session = ScriptedHTTPSession { request in
            request.method == .post ? .status(200, "[]") : .status(405)
        }
        #expect(try await session.response(to: HTTPRequest(.post, url, body: [1])).text == "[]")
        #expect(try await session.response(to: HTTPRequest(.get, url)).status == 405)
        #expect(session.requests.map(\.request.body) == [[1], []])
        #expect(session.requests.map(\.state) == [.answered(200), .answered(405)])
    }

    @Test func `answers come in sequence, and the last one is repeated`() async throws {
        let session = ScriptedHTTPSession([
            .status(503), .error(.unresolvable(host: "h", port: 80, cause: "unknown")), .status(200),
        ])
        let request = HTTPRequest(.get, url)
        #expect(try await session.response(to: request).status == 503)
        await #expect(throws: HTTPError.unresolvable(host: "h", port: 80, cause: "unknown")) {
            try await session.response(to: request)
        }
        for _ in 0..<3 { #expect(try await session.response(to: request).status == 200) }
        #expect(session.requests[1].state == .failed(.unresolvable(host: "h", port: 80, cause: "unknown")))
    }

    @Test func `a request waits until its answer comes, such as a file with its status, headers and content type`()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("{}", to: "answer.json")
        let answer = try ScriptedHTTPAnswer.file(
            scratch.path("answer.json"), status: 201, contentType: "application/json",
            headers: HTTPHeaders(["X-A": "b"]), after: .seconds(2))
        let session = ScriptedHTTPSession([answer], clock: clock)
        let task = start(session)
        try await clock.untilSleeping()
        #expect(clock.deadlines.map(\.elapsed) == [.seconds(2)])
        #expect(session.requests.map(\.state) == [.waiting] && session.lastURL == url)
        clock.advance(by: .seconds(2))
        let headers = try HTTPHeaders(["X-A": "b", "Content-Type": "application/json"])
        #expect(try await task.value == HTTPResponse(status: 201, headers: headers, body: Array("{}".utf8)))
        #expect(session.requests.map(\.state) == [.answered(201)])
    }

    @Test(arguments: ["/nonexistent/answer.json", "/"])
    func `a missing file fails when the script is written`(path: String) {
        #expect(throws: HTTPError.other(cause: "cannot read \(path)")) { try ScriptedHTTPAnswer.file(path) }
    }

    @Test(arguments: [
        ScriptedHTTPAnswer.never, .status(200, after: .seconds(30)), .error(.cancelled, after: .seconds(40)),
    ])
    func `an answer that takes too long is a timeout at the limit`(answer: ScriptedHTTPAnswer) async throws {
        let session = ScriptedHTTPSession([answer], clock: clock)
        let task = start(session)
        try await clock.advanceToNextDeadline()
        await #expect(throws: HTTPError.timeout(limit: .seconds(30))) { try await task.value }
        #expect(clock.now.elapsed == .seconds(30))
        #expect(session.requests.map(\.state) == [.failed(.timeout(limit: .seconds(30)))])
    }

    @Test func `a session without answers never answers, and can be cancelled`() async throws {
        let session = ScriptedHTTPSession([], clock: clock)
        let task = start(session)
        try await clock.untilSleeping()
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { try await task.value }
        #expect(session.requests.map(\.state) == [.cancelled])
    }

    @Test func `the limits and rules of a live session apply`() async throws {
        let session = ScriptedHTTPSession([.status(200, "four")])
        var request = HTTPRequest(.get, url)
        request.limits = HTTPLimits()
        request.limits?.responseSize = 3
        await #expect(throws: HTTPError.tooLarge(limit: 3)) { try await session.response(to: request) }
        await #expect(throws: HTTPError.unexpectedBody(.get)) {
            try await session.response(to: HTTPRequest(.get, url, body: [1]))
        }
        #expect(session.requests.count == 1)
    }

    @Test func `a wait for requests says what came instead`() async throws {
        let session = ScriptedHTTPSession([.status(200)])
        let failure = try await expectFailure { try await session.untilRequested(within: .zero) }
        #expect(failure.description.contains("no request was sent"))
        _ = try await session.response(to: HTTPRequest(.get, url))
        try await session.untilRequested()
        let second = try await expectFailure { try await session.untilRequested(2, within: .zero) }
        #expect(second.description.contains("GET http://example.org/pub: answered(200)"))
    }
}
