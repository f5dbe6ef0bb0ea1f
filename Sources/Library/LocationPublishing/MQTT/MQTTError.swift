import LocationCore

/// A reason for which a connection to an MQTT broker could not be established, or ended.
///
/// No case carries a password or a message, so that an error can be logged.
package enum MQTTError: Error, Hashable, Sendable {
    case unresolvable(host: String)
    case unreachable(host: String, port: UInt16, cause: String)
    case tls(host: String, HTTPTLSFault)
    case timeout(Duration)
    case refused(MQTTRefusal)
    case subscriptionRefused(filter: String, MQTTRefusal)
    case disconnected(MQTTRefusal)
    case connectionLost(cause: String)
    case notABroker
    /// The library is not installed; `package` is Debian's package with it.
    case libraryMissing(library: String, package: String)
    case other(cause: String)

    /// Returns the error for a connection that is not trusted for a reason.
    package static func tls(host: String, _ reason: HTTPTLSFault.Reason) -> MQTTError {
        .tls(host: host, HTTPTLSFault(reason: reason))
    }
}

extension MQTTError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unresolvable(let host): "cannot resolve \(host)"
        case .unreachable(let host, let port, let cause):
            "cannot connect to \(host), port \(port): \(VisibleText.of(cause))"
        case .tls(let host, let fault): "no secure connection to \(host): \(fault)"
        case .timeout(let limit): "the broker did not answer within \(limit)"
        case .refused(.version): "the broker does not speak MQTT 3.1.1"
        case .refused(.clientID): "the broker does not accept the name of the client"
        case .refused(.unavailable): "the broker is not available"
        case .refused(.credentials): "the broker refused the user or the password"
        case .refused(let refusal): "the broker refused the client: \(refusal)"
        case .subscriptionRefused(let filter, let refusal):
            "the broker refused the subscription to \(VisibleText.of(filter)): \(refusal)"
        case .disconnected(let refusal): "the broker ended the connection: \(refusal)"
        case .connectionLost(let cause): "connection lost: \(VisibleText.of(cause))"
        case .notABroker: "the server that answers is not an MQTT broker"
        case .libraryMissing(let library, let package): "\(library) is not installed: install the package \(package)"
        case .other(let cause): VisibleText.of(cause)
        }
    }
}
