import LocationCore

/// A reason for which a request has no response, or not the expected one.
///
/// The `code` says what happened, and a code is a pattern for its errors, as in `case .timeout`. A later release can have
/// more codes, so that a `switch` has a `default`. An error never contains a header, a body or the query of an address, so
/// that it can be logged.
public struct HTTPError: Error, Hashable, Sendable {
    /// The case with its facts, by which the modules of this package tell all errors apart.
    package let detail: Detail

    package init(_ detail: Detail) { self.detail = detail }

    /// A short, stable identifier of what happened.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The identifier, for programs.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier.
        public var description: String { rawValue }

        /// The address cannot be requested, so nothing was sent.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// A header has a name or a value that cannot be sent, or is set by the session alone, so nothing was sent.
        public static let invalidHeader = Code(rawValue: "invalidHeader")
        /// The request has a body, and its method carries none, so nothing was sent.
        public static let unexpectedBody = Code(rawValue: "unexpectedBody")
        /// The name of the host, or of the proxy to it, cannot be resolved.
        public static let unresolvable = Code(rawValue: "unresolvable")
        /// Nothing accepts a connection at the address.
        public static let unreachable = Code(rawValue: "unreachable")
        /// No trusted encrypted connection could be established; see `tlsFault`.
        public static let tls = Code(rawValue: "tls")
        /// A time limit passed.
        public static let timeout = Code(rawValue: "timeout")
        /// The connection ended before the response was complete.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The answer is not an HTTP response.
        public static let malformedResponse = Code(rawValue: "malformedResponse")
        /// A part of the response is larger than allowed.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// A redirect was not followed.
        public static let redirect = Code(rawValue: "redirect")
        /// The server refused the request; only ``HTTPResponse/requireSuccess()`` throws it.
        public static let status = Code(rawValue: "status")
        /// The task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A library that the session needs is not installed.
        public static let libraryMissing = Code(rawValue: "libraryMissing")
        /// A failure of a session that has no code of its own.
        public static let other = Code(rawValue: "other")
    }

    /// The cases of an error, with the facts for a message.
    package enum Detail: Hashable, Sendable {
        case invalidURL(HTTPURLFault)
        case invalidHeader(name: String)
        case unexpectedBody(HTTPMethod)
        case unresolvable(host: String, port: UInt16, cause: String)
        case unreachable(host: String, port: UInt16, cause: String)
        case tls(host: String, HTTPTLSFault)
        case timeout(HTTPTimeout, limit: Duration)
        case connectionLost(host: String, port: UInt16, cause: String)
        case malformedResponse(host: String, port: UInt16, cause: String)
        case tooLarge(HTTPResponsePart, limit: Int)
        case redirect(HTTPRedirectFault)
        case status(Int)
        case cancelled
        /// `package` is Debian's package with the library.
        case libraryMissing(library: String, package: String)
        case other(cause: String)
    }
}

// MARK: Matching

extension HTTPError {
    /// The identifier of what happened.
    public var code: Code {
        switch detail {
        case .invalidURL: .invalidURL
        case .invalidHeader: .invalidHeader
        case .unexpectedBody: .unexpectedBody
        case .unresolvable: .unresolvable
        case .unreachable: .unreachable
        case .tls: .tls
        case .timeout: .timeout
        case .connectionLost: .connectionLost
        case .malformedResponse: .malformedResponse
        case .tooLarge: .tooLarge
        case .redirect: .redirect
        case .status: .status
        case .cancelled: .cancelled
        case .libraryMissing: .libraryMissing
        case .other: .other
        }
    }

    /// Returns whether an error has a code, for `switch` and `catch`.
    public static func ~= (code: Code, error: HTTPError) -> Bool { error.code == code }

    /// Returns whether an error has a status within a range, as in `case 500...599`.
    public static func ~= (statuses: some RangeExpression<Int>, error: HTTPError) -> Bool {
        error.status.map(statuses.contains) ?? false
    }

    /// The status of the response, for the code `status`.
    public var status: Int? { if case .status(let status) = detail { status } else { nil } }

    /// The reason for which there is no trusted connection, for the code `tls`.
    public var tlsFault: HTTPTLSFault? { if case .tls(_, let fault) = detail { fault } else { nil } }

    /// The host, if the error concerns one.
    public var host: String? { facts.host }

    /// The number of the port, if the error concerns one.
    public var port: UInt16? { facts.port }

    /// The reason that the system or the peer has given, if any.
    public var cause: String? { facts.cause }

    private var facts: (host: String?, port: UInt16?, cause: String?) {
        switch detail {
        case .unresolvable(let host, let port, let cause), .unreachable(let host, let port, let cause),
            .connectionLost(let host, let port, let cause), .malformedResponse(let host, let port, let cause):
            (host, port, cause)
        case .tls(let host, _): (host, nil, nil)
        case .other(let cause): (nil, nil, cause)
        default: (nil, nil, nil)
        }
    }
}

// MARK: Creating

extension HTTPError {
    /// The name of the host cannot be resolved.
    public static func unresolvable(host: String, port: UInt16, cause: String) -> Self {
        Self(.unresolvable(host: host, port: port, cause: cause))
    }

    /// Nothing accepts a connection at the address.
    public static func unreachable(host: String, port: UInt16, cause: String) -> Self {
        Self(.unreachable(host: host, port: port, cause: cause))
    }

    /// No trusted encrypted connection could be established.
    public static func tls(host: String, _ fault: HTTPTLSFault) -> Self { Self(.tls(host: host, fault)) }

    /// The response was not complete within the limit.
    public static func timeout(limit: Duration) -> Self { Self(.timeout(.whole, limit: limit)) }

    /// The connection ended before the response was complete.
    public static func connectionLost(host: String, port: UInt16, cause: String) -> Self {
        Self(.connectionLost(host: host, port: port, cause: cause))
    }

    /// The answer is not an HTTP response.
    public static func malformedResponse(host: String, port: UInt16, cause: String) -> Self {
        Self(.malformedResponse(host: host, port: port, cause: cause))
    }

    /// The response has more bytes than allowed.
    public static func tooLarge(limit: Int) -> Self { Self(.tooLarge(.body, limit: limit)) }

    /// The server refused the request.
    public static func status(_ status: Int) -> Self { Self(.status(status)) }

    /// The task was cancelled.
    public static var cancelled: Self { Self(.cancelled) }

    /// A failure that has no code of its own.
    public static func other(cause: String) -> Self { Self(.other(cause: cause)) }

    package static func invalidURL(_ fault: HTTPURLFault) -> Self { Self(.invalidURL(fault)) }

    package static func invalidHeader(name: String) -> Self { Self(.invalidHeader(name: name)) }

    package static func unexpectedBody(_ method: HTTPMethod) -> Self { Self(.unexpectedBody(method)) }

    package static func connectionTimeout(limit: Duration) -> Self { Self(.timeout(.connection, limit: limit)) }

    package static func headersTooLarge(limit: Int) -> Self { Self(.tooLarge(.headers, limit: limit)) }

    package static func redirect(_ fault: HTTPRedirectFault) -> Self { Self(.redirect(fault)) }

    package static func libraryMissing(library: String, package: String) -> Self {
        Self(.libraryMissing(library: library, package: package))
    }
}

/// A reason for which no trusted encrypted connection could be established.
public enum HTTPTLSFault: Hashable, Sendable {
    /// No known authority has signed the certificate.
    case untrusted
    /// The certificate belongs to another name.
    case wrongName
    /// The certificate has expired.
    case expired
    /// The certificate is not valid yet; a clock can be wrong.
    case notYetValid
    /// The certificate has been revoked.
    case revoked
    /// The file with certificates of authorities cannot be read.
    case authorityFile(cause: String)
    /// The client's own certificate or key cannot be used.
    case clientCertificate(cause: String)
    /// Client and server cannot agree, such as on a version of TLS.
    case handshake(cause: String)
}

/// The time limits of a request.
package enum HTTPTimeout: Hashable, Sendable {
    /// The limit for establishing the connection.
    case connection
    /// The limit for the whole response.
    case whole
}

/// The parts of a response whose size is limited.
package enum HTTPResponsePart: Hashable, Sendable {
    /// The headers together.
    case headers
    /// The body after decompression.
    case body
}

/// A reason for which a redirect was not followed.
package enum HTTPRedirectFault: Hashable, Sendable {
    /// There were more redirects than allowed, such as in a loop.
    case tooMany(limit: Int)
    /// It leads to an address that cannot be requested, such as one with another protocol.
    case invalidURL(HTTPURLFault)
    /// It leads from an encrypted to an unencrypted connection.
    case insecure
}

extension HTTPError: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch detail {
        case .invalidURL(let fault): "invalid URL: \(fault)"
        case .invalidHeader(let name): "invalid header \"\(VisibleText.of(name))\""
        case .unexpectedBody(let method): "a \(method.rawValue) request has no body"
        case .unresolvable(let host, _, _): "cannot resolve \(host)"
        case .unreachable(let host, let port, let cause):
            "cannot connect to \(host), port \(port): \(Self.shown(cause))"
        case .tls(let host, let fault): "no secure connection to \(host): \(fault)"
        case .timeout(.connection, let limit): "no connection within \(limit)"
        case .timeout(.whole, let limit): "no complete response within \(limit)"
        case .connectionLost(_, _, let cause): "connection lost: \(Self.shown(cause))"
        case .malformedResponse(_, _, let cause): "not an HTTP response: \(Self.shown(cause))"
        case .tooLarge(.headers, let limit): "the headers of the response have more than \(limit) bytes"
        case .tooLarge(.body, let limit): "the response has more than \(limit) bytes"
        case .redirect(let fault): "\(fault)"
        case .status(let code): "the server answered with status \(code)"
        case .cancelled: "cancelled"
        case .libraryMissing(let library, let package): "\(library) is not installed: install the package \(package)"
        case .other(let cause): Self.shown(cause)
        }
    }

    fileprivate static func shown(_ cause: String) -> String { VisibleText.of(cause) }
}

extension HTTPTLSFault: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch self {
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

extension HTTPRedirectFault: CustomStringConvertible {
    /// A message for people.
    package var description: String {
        switch self {
        case .tooMany(let limit): "more than \(limit) redirects"
        case .invalidURL(let fault): "a redirect to an invalid URL: \(fault)"
        case .insecure: "a redirect from https to http"
        }
    }
}
