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
        let deadline = elapsed() + request.limits.timeout
        var next = request
        var redirects = 0
        while true {
            try next.validate()
            if Task.isCancelled { throw .cancelled }
            let response = try await sendOnce(next, limits: request.limits)
            guard request.limits.redirects > 0, let target = try next.redirected(by: response) else { return response }
            redirects += 1
            guard redirects <= request.limits.redirects else {
                throw .redirect(.tooMany(limit: request.limits.redirects))
            }
            next = target
            next.limits.timeout = deadline - elapsed()
            guard next.limits.timeout > .zero else { throw .timeout(.whole, limit: request.limits.timeout) }
        }
    }

    private func sendOnce(_ request: HTTPRequest, limits: HTTPLimits) async throws(HTTPError) -> HTTPResponse {
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await session.response(to: request)
        } catch {
            // After a redirect the session had only what was left of the limit.
            if case .timeout(.whole, _) = error { throw .timeout(.whole, limit: limits.timeout) }
            throw error
        }
        guard response.body.count <= limits.responseSize else { throw .tooLarge(.body, limit: limits.responseSize) }
        return response
    }
}

extension HTTPRequest {
    /// Returns the request to which a response redirects this one, or `nil` if the response is the final one.
    func redirected(by response: HTTPResponse) throws(HTTPError) -> HTTPRequest? {
        guard let location = response.headers["Location"] else { return nil }
        var next = self
        switch response.status {
        case 301, 302: guard !method.carriesBody else { return nil }
        case 303:
            if method != .head { next.method = .get }
            next.body = []
            next.headers.remove("Content-Type")
            next.headers.remove("Content-Encoding")
        case 307, 308: break
        default: return nil
        }
        do throws(HTTPURLFault) {
            var parser = HTTPURLParser(location)
            next.url = try parser.resolve(against: url)
        } catch {
            throw .redirect(.invalidURL(error))
        }
        guard url.scheme == .http || next.url.scheme == .https else { throw .redirect(.insecure) }
        if next.url.origin != url.origin { next.headers = next.headers.withoutSecrets }
        return next
    }
}
