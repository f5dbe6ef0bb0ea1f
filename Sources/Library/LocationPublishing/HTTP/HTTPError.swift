import LocationCore

/// A reason for which a request has no response, or not the expected one.
///
/// A later release can have more cases, so that a `switch` has a `default`. An error never contains a header, a body or the
/// query of an address, so that it can be logged.
public enum HTTPError: Error, Hashable, Sendable {
    /// The address cannot be requested, so nothing was sent.
    case invalidURL(cause: String)
    /// A header has a name or a value that cannot be sent, or is set by the session alone, so nothing was sent.
    case invalidHeader(name: String)
    /// The request has a body, and its method carries none, so nothing was sent.
    case unexpectedBody(HTTPMethod)
    /// The name of the host, or of the proxy to it, cannot be resolved.
    case unresolvable(host: String, port: UInt16, cause: String)
    /// Nothing accepts a connection at the address.
    case unreachable(host: String, port: UInt16, cause: String)
    /// No trusted encrypted connection could be established.
    case tls(host: String, HTTPTLSFault)
    /// There was no connection within the limit.
    case connectionTimeout(limit: Duration)
    /// The response was not complete within the limit.
    case timeout(limit: Duration)
    /// The connection ended before the response was complete.
    case connectionLost(host: String, port: UInt16, cause: String)
    /// The answer is not an HTTP response.
    case malformedResponse(host: String, port: UInt16, cause: String)
    /// The headers of the response have more bytes than allowed.
    case headersTooLarge(limit: Int)
    /// The body of the response has more bytes than allowed, after decompression.
    case tooLarge(limit: Int)
    /// The server sends the client to another address, which is not followed; it stands here without its query.
    case redirected(status: Int, to: String)
    /// The server refused the request; only ``HTTPResponse/requireSuccess()`` throws it.
    case status(Int)
    /// The task was cancelled.
    case cancelled
    /// A library that the session needs is not installed; `package` is Debian's package with it.
    case libraryMissing(library: String, package: String)
    /// A failure that has no case of its own.
    case other(cause: String)

    package static func invalidURL(_ fault: HTTPURLFault) -> HTTPError { .invalidURL(cause: fault.rawValue) }

    /// Returns the error for a connection that is not trusted for a reason.
    package static func tls(host: String, _ reason: HTTPTLSFault.Reason) -> HTTPError {
        .tls(host: host, HTTPTLSFault(reason: reason))
    }

    /// Returns whether an error has a status within a range, as in `case 500...599`.
    public static func ~= (statuses: some RangeExpression<Int>, error: HTTPError) -> Bool {
        if case .status(let status) = error { statuses.contains(status) } else { false }
    }
}

/// A reason for which no trusted encrypted connection could be established; its description is a message for people.
public struct HTTPTLSFault: Hashable, Sendable {
    /// The reasons that a session tells apart.
    package enum Reason: Hashable, Sendable {
        case untrusted
        case wrongName
        case expired
        /// The certificate is not valid yet; a clock can be wrong.
        case notYetValid
        case revoked
        case authorityFile(cause: String)
        case clientCertificate(cause: String)
        /// Client and server cannot agree, such as on a version of TLS.
        case handshake(cause: String)
    }

    package let reason: Reason

    package init(reason: Reason) { self.reason = reason }
}

extension HTTPError: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch self {
        case .invalidURL(let cause): "invalid URL: \(Self.shown(cause))"
        case .invalidHeader(let name): "invalid header \"\(VisibleText.of(name))\""
        case .unexpectedBody(let method): "a \(method.rawValue) request has no body"
        case .unresolvable(let host, _, _): "cannot resolve \(host)"
        case .unreachable(let host, let port, let cause):
            "cannot connect to \(host), port \(port): \(Self.shown(cause))"
        case .tls(let host, let fault): "no secure connection to \(host): \(fault)"
        case .connectionTimeout(let limit): "no connection within \(limit)"
        case .timeout(let limit): "no complete response within \(limit)"
        case .connectionLost(_, _, let cause): "connection lost: \(Self.shown(cause))"
        case .malformedResponse(_, _, let cause): "not an HTTP response: \(Self.shown(cause))"
        case .headersTooLarge(let limit): "the headers of the response have more than \(limit) bytes"
        case .tooLarge(let limit): "the response has more than \(limit) bytes"
        case .redirected(let status, let address) where Self.isAdvisable(address):
            "the server answered with status \(status): use the address \(Self.shown(address))"
        case .redirected(let status, let address):
            "the server answered with status \(status), and names the address \"\(Self.shown(address))\""
        case .status(let code): "the server answered with status \(code)"
        case .cancelled: "cancelled"
        case .libraryMissing(let library, let package): "\(library) is not installed: install the package \(package)"
        case .other(let cause): Self.shown(cause)
        }
    }

    fileprivate static func shown(_ cause: String) -> String { VisibleText.of(cause) }

    /// Returns whether an address that a server names can be requested, unlike that of a file.
    private static func isAdvisable(_ address: String) -> Bool { (try? HTTPURL(address)) != nil }
}

extension HTTPTLSFault: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch reason {
        case .untrusted: "no known authority has signed its certificate"
        case .wrongName: "its certificate belongs to another name"
        case .expired: "its certificate has expired"
        case .notYetValid: "its certificate is not valid yet; check the clock"
        case .revoked: "its certificate has been revoked"
        case .authorityFile(let cause): "cannot read the certificates of authorities: \(HTTPError.shown(cause))"
        case .clientCertificate(let cause): "cannot use the client's certificate: \(HTTPError.shown(cause))"
        case .handshake(let cause): HTTPError.shown(cause)
        }
    }
}
