/// The requests that one request leads to, by the rules of redirects, limits and secrets.
///
/// A value without a clock and without a session: its owner sends ``next`` and passes the outcome to `process`, until that
/// returns the final response. ``HTTPClient``, which describes the rules, and the transport of publishing do so.
package struct HTTPExchange: Sendable {
    /// The request to send next.
    package private(set) var next: HTTPRequest

    private let limits: HTTPLimits
    private let deadline: Duration
    private var redirects = 0

    /// Begins with a request that was not sent yet.
    package init(_ request: HTTPRequest, at now: Duration) throws(HTTPError) {
        try request.validate()
        next = request
        limits = request.limits
        deadline = now + request.limits.timeout
    }

    /// Processes the outcome of `next`; returns the final response, or `nil` if there is another request to send.
    package mutating func process(
        _ outcome: Result<HTTPResponse, HTTPError>, at now: Duration
    ) throws(HTTPError) -> HTTPResponse? {
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try outcome.get()
        } catch {
            // After a redirect the session had only what was left of the limit.
            if case .timeout = error { throw .timeout(limit: limits.timeout) }
            throw error
        }
        guard response.body.count <= limits.responseSize else { throw .tooLarge(limit: limits.responseSize) }
        guard limits.redirects > 0, let target = try next.redirected(by: response) else { return response }
        redirects += 1
        guard redirects <= limits.redirects else { throw .redirect(.tooMany(limit: limits.redirects)) }
        next = target
        next.limits.timeout = deadline - now
        guard next.limits.timeout > .zero else { throw .timeout(limit: limits.timeout) }
        try next.validate()
        return nil
    }
}

extension HTTPRequest {
    /// Returns the request to which a response redirects this one, or `nil` if the response is the final one.
    fileprivate func redirected(by response: HTTPResponse) throws(HTTPError) -> HTTPRequest? {
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
