import LocationPublishing
import LocationTesting
import TestSupport
import Testing

@Suite(.serialized, .alone) struct CurlCancellationTests {
    private let server: HTTPServer

    init() throws { server = try HTTPServer() }

    /// Waits until the server has counted one event of a name.
    private func wait(for name: String) async throws {
        try await eventually(
            name, within: .seconds(60), { (try? await server.count(name)) ?? 0 }, is: { $0 > 0 })
    }

    /// Cancels a request, and expects that it ends for that reason, and not at its limit of ten minutes.
    private func cancel(_ request: Task<HTTPResponse, any Error>) async {
        request.cancel()
        let result = await request.result
        #expect(throws: HTTPError.cancelled) { try result.get() }
    }

    @Test func `a cancelled request ends at once and closes its connection`() async throws {
        let session = try CurlHTTPSession.direct()
        let request = HTTPRequest(.get, try server.url("/slow")).with { $0.timeout = .seconds(600) }
        let task = Task { try await session.response(to: request) }
        try await wait(for: "requests")
        await cancel(task)
        // The server notices it with the next byte that it sends or expects.
        try await wait(for: "abandoned")
        #expect(try await server.count("abandoned") == 1)
        #expect(try await HTTPClient(session: session).get(server.url("/ok")).text == "ok")
    }

    @Test func `a connection attempt is cancelled at once`() async throws {
        let hole = try BlackHole()
        let session = try CurlHTTPSession.direct()
        let url = try HTTPURL("http://127.0.0.1:\(hole.port)")
        let request = HTTPRequest(.get, url).with {
            ($0.connectionTimeout, $0.timeout) = (.seconds(600), .seconds(600))
        }
        let task = Task { try await session.response(to: request) }
        try await hole.untilAttempted()
        await cancel(task)
    }

    @Test func `a request of a cancelled task is never sent`() async throws {
        let session = try CurlHTTPSession.direct()
        let request = HTTPRequest(.get, try server.url("/ok"))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await session.response(to: request)
        }
        task.cancel()
        let result = await task.result
        #expect(throws: HTTPError.cancelled) { try result.get() }
        #expect(try await server.count("requests") == 0)
    }

    @Test func `a released session leaves neither a thread nor a descriptor behind`() async throws {
        func use() async throws {
            // A session that is used by a request alone lives as long as the request.
            let response = try await CurlHTTPSession.direct().response(to: HTTPRequest(.get, server.url("/chunked")))
            #expect(response.text == "one two three")
        }
        // The first use loads the library, which stays.
        try await use()
        let process = RunningProcess.own
        let (descriptors, threads) = (process.descriptors.count, process.threadCount)
        for _ in 0..<50 { try await use() }
        #expect(process.descriptors.count == descriptors)
        // Tasks can have started threads of their own, a few at most.
        #expect(process.threadCount < threads + 25)
    }
}
