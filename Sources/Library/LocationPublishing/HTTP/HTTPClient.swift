/// A client that sends requests over a session, follows redirects and applies limits.
///
/// ```swift
/// let client = HTTPClient(session: try CurlHTTPSession())
/// let response = try await client.get(HTTPURL("https://example.org/status")).requireSuccess()
/// ```
///
/// A redirect is followed for `GET` and `HEAD`; with 303 as a `GET`; with 307 and 308 as the same request. A `POST` that is
/// redirected with 301 or 302 is not repeated as a `GET`, because its body would be lost and the answer look like a success:
/// the redirect itself is the response. A redirect to another origin carries no `Authorization`, no cookie, and no other
/// header whose name says that it holds a secret.
public struct HTTPClient: Sendable {
    /// The transport.
    public let session: any HTTPSession
    /// The limits of requests that ``get(_:headers:)`` and ``post(_:body:contentType:headers:)`` make.
    public var limits: HTTPLimits
    private let elapsed: @Sendable () -> Duration

    /// Creates a client over a session.
    ///
    /// - Parameters:
    ///   - session: the transport.
    ///   - limits: the limits of requests that are given by their parts.
    ///   - clock: the clock that measures the time that redirects leave.
    public init<C: Clock>(
        session: any HTTPSession, limits: HTTPLimits = HTTPLimits(), clock: C = ContinuousClock()
    ) where C.Duration == Duration {
        self.session = session
        self.limits = limits
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// Reads a resource.
    public func get(_ url: HTTPURL, headers: HTTPHeaders = HTTPHeaders()) async throws(HTTPError) -> HTTPResponse {
        try await send(HTTPRequest(.get, url, headers: headers, limits: limits))
    }

    /// Sends data to a resource.
    public func post(
        _ url: HTTPURL, body: [UInt8], contentType: String, headers: HTTPHeaders = HTTPHeaders()
    ) async throws(HTTPError) -> HTTPResponse {
        var request = HTTPRequest(.post, url, headers: headers, body: body, limits: limits)
        try request.headers.set("Content-Type", contentType)
        return try await send(request)
    }

    /// Sends a request, follows redirects, and returns the response, whatever its status.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var exchange = try HTTPExchange(request, at: elapsed())
        while true {
            if Task.isCancelled { throw .cancelled }
            let outcome: Result<HTTPResponse, HTTPError>
            do throws(HTTPError) {
                outcome = .success(try await session.response(to: exchange.next))
            } catch {
                outcome = .failure(error)
            }
            if let response = try exchange.process(outcome, at: elapsed()) { return response }
        }
    }
}
