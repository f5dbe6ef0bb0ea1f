/// A client that sends requests over a session and applies limits.
///
/// ```swift
/// let client = HTTPClient(session: try CurlHTTPSession())
/// let response = try await client.get(HTTPURL("https://example.org/status")).requireSuccess()
/// ```
///
/// A redirect is not followed: it is the error ``HTTPError/redirected(status:to:)``, which names the new address. The body of a
/// request, or the success of another page such as the sign-in of a network, is never lost that way.
public struct HTTPClient: Sendable {
    package let session: any HTTPSession
    /// The limits of requests that have none of their own.
    public var limits: HTTPLimits

    /// Creates a client over a session.
    public init(session: any HTTPSession, limits: HTTPLimits = HTTPLimits()) {
        self.session = session
        self.limits = limits
    }

    /// Reads a resource.
    public func get(_ url: HTTPURL, headers: HTTPHeaders = HTTPHeaders()) async throws(HTTPError) -> HTTPResponse {
        try await send(HTTPRequest(.get, url, headers: headers))
    }

    /// Sends data to a resource.
    public func post(
        _ url: HTTPURL, body: [UInt8], contentType: String, headers: HTTPHeaders = HTTPHeaders()
    ) async throws(HTTPError) -> HTTPResponse {
        var request = HTTPRequest(.post, url, headers: headers, body: body)
        try request.headers.set("Content-Type", contentType)
        return try await send(request)
    }

    /// Sends a request, and returns the response, whatever its status, unless it is a redirect.
    public func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var request = request
        let limits = request.limits ?? limits
        request.limits = limits
        try request.validate()
        if Task.isCancelled { throw .cancelled }
        return try await session.response(to: request).checked(by: limits)
    }
}
