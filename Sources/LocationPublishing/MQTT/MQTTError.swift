import LocationCore

/// A reason for which a connection to an MQTT broker could not be established, or ended.
///
/// No case carries a password or a message, so that an error can be logged.
public enum MQTTError: Error, Hashable, Sendable {
    /// The name of the host cannot be resolved.
    case unresolvable(host: String)
    /// Nothing accepts a connection at the address.
    case unreachable(host: String, port: UInt16, cause: String)
    /// No trusted encrypted connection could be established.
    case tls(host: String, HTTPTLSFault)
    /// The broker did not accept the connection in time.
    case timeout(Duration)
    /// The broker refused the connection.
    case refused(MQTTRefusal)
    /// The connection ended.
    case connectionLost(cause: String)
    /// The server that answers is not an MQTT broker.
    case notABroker
    /// The library is not installed; `package` is Debian's package with it.
    case libraryMissing(library: String, package: String)
    /// A failure that has no case of its own.
    case other(cause: String)
}

/// A reason that a broker gives for refusing a connection.
public enum MQTTRefusal: UInt8, Hashable, Sendable, CaseIterable {
    /// The broker does not speak this version of the protocol.
    case version = 1
    /// The broker does not accept the name of the client.
    case clientID = 2
    /// The broker is not available.
    case unavailable = 3
    /// The user or the password is wrong.
    case credentials = 4
    /// The client is not authorized.
    case notAuthorized = 5
}

extension MQTTError: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch self {
        case .unresolvable(let host): "cannot resolve \(host)"
        case .unreachable(let host, let port, let cause):
            "cannot connect to \(host), port \(port): \(VisibleText.of(cause))"
        case .tls(let host, let fault): "no secure connection to \(host): \(fault)"
        case .timeout(let limit): "the broker did not answer within \(limit)"
        case .refused(let refusal): "\(refusal)"
        case .connectionLost(let cause): "connection lost: \(VisibleText.of(cause))"
        case .notABroker: "the server that answers is not an MQTT broker"
        case .libraryMissing(let library, let package): "\(library) is not installed: install the package \(package)"
        case .other(let cause): VisibleText.of(cause)
        }
    }
}

extension MQTTRefusal: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch self {
        case .version: "the broker does not speak MQTT 3.1.1"
        case .clientID: "the broker does not accept the name of the client"
        case .unavailable: "the broker is not available"
        case .credentials: "the broker refused the user or the password"
        case .notAuthorized: "the broker refused the client: not authorized"
        }
    }
}
