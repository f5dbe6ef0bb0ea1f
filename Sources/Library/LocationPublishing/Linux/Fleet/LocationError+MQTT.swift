package import LocationCore

extension LocationError {
    /// The beginning of the name of a denied connection.
    package static let brokerConnection = "the connection to the broker"
    /// The beginning of the name of a denied subscription.
    package static let brokerSubscription = "the subscription"

    init(_ error: MQTTError, _ settings: MQTTSettings) {
        let address = AddressAuthority.text(settings.host, settings.port)
        switch error {
        case .refused(.credentials), .refused(.notAuthorized):
            self = .denied(what: "\(Self.brokerConnection) at \(address)", cause: "\(error)")
        case .subscriptionRefused(let filter, .notAuthorized):
            self = .denied(what: "\(Self.brokerSubscription) to \(filter) at \(address)", cause: "\(error)")
        case .unresolvable(let host):
            self = .unresolvable(host: host, port: settings.port, cause: "the name does not resolve")
        case .unreachable(_, _, let cause): self = .broker(address: address, cause: cause)
        case .tls(_, let fault): self = .broker(address: address, cause: "no secure connection: \(fault)")
        case .timeout, .refused, .subscriptionRefused, .disconnected, .connectionLost, .notABroker, .libraryMissing,
            .other:
            self = .broker(address: address, cause: "\(error)")
        }
    }
}
