/// The response of an HTTP server.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code, such as 200.
    public var status: Int
    /// The headers as the server sent them; they describe the body before decompression.
    public var headers: HTTPHeaders
    /// The bytes after the headers, decompressed.
    public var body: [UInt8]

    /// Creates a response.
    public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status says that the server accepted the request: 200 to 299.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// The body as UTF-8 text, with replacement characters for bytes that are not.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns the response if its status is 200 to 299, and throws ``HTTPError/status(_:)`` otherwise.
    @discardableResult public func requireSuccess() throws(HTTPError) -> HTTPResponse {
        guard isSuccess else { throw .status(status) }
        return self
    }

    /// Returns the response, and throws an error if its body is too large, or if the server sends the client to another address.
    package func checked(by limits: HTTPLimits) throws(HTTPError) -> HTTPResponse {
        guard body.count <= limits.responseSize else { throw .tooLarge(limit: limits.responseSize) }
        guard [301, 302, 303, 307, 308].contains(status), let address = headers["Location"] else { return self }
        // A query can hold a secret, which an error does not.
        throw .redirected(status: status, to: String(address.prefix { $0 != "?" && $0 != "#" }))
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible {
    /// The status and the size of the body.
    public var description: String { "\(status), \(body.count) bytes" }

    /// The status, the headers without secrets, and the size of the body.
    public var debugDescription: String { "\(status) \(headers.debugDescription) \(body.count) bytes" }
}
