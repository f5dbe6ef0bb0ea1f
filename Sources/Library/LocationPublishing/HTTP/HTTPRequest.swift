/// A request to an HTTP server.
///
/// ```swift
/// var request = HTTPRequest(.post, try HTTPURL("https://example.org/pub"), body: Array(json.utf8))
/// try request.headers.set("Content-Type", "application/json")
/// ```
public struct HTTPRequest: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The address.
    public var url: HTTPURL
    /// The headers; those that frame a message, such as `Content-Length`, are the session's.
    public var headers: HTTPHeaders
    /// The bytes after the headers.
    public var body: [UInt8]
    /// The limits on time and on the size of the response, or `nil` for those of the client.
    public var limits: HTTPLimits?

    /// Creates a request.
    public init(
        _ method: HTTPMethod = .get, _ url: HTTPURL, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
        limits: HTTPLimits? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
    }

    /// The limits of the request, or the usual ones.
    package var ownLimits: HTTPLimits { limits ?? HTTPLimits() }

    /// Throws an error if the request must not be sent; every session and client calls it first.
    public func validate() throws(HTTPError) {
        if let name = headers.refused { throw .invalidHeader(name: name) }
        // A second length would make the server see another request in the body.
        for name in ["Content-Length", "Transfer-Encoding", "Connection", "Host", "Upgrade", "TE", "Trailer"]
        where headers[name] != nil {
            throw .invalidHeader(name: name)
        }
        guard body.isEmpty || method.carriesBody else { throw .unexpectedBody(method) }
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible {
    /// The method and the address, with `?…` in place of its query, which can hold a token.
    public var description: String { "\(method.rawValue) \(url)" }

    /// The method, the address, the headers without secrets, and the size of the body.
    public var debugDescription: String { "\(self) \(headers.debugDescription) \(body.count) bytes" }
}

/// The limits of a request.
public struct HTTPLimits: Hashable, Sendable {
    /// The time in which the connection must be established, its encryption included.
    public var connectionTimeout = Duration.seconds(10)
    /// The time in which the whole response must have arrived.
    public var timeout = Duration.seconds(30)
    /// The largest body of a response in bytes, after decompression.
    public var responseSize = 1 << 20

    /// Creates limits of 10 s for a connection, 30 s in all and 1 MiB.
    public init() {}
}
