public import LocationCore

/// A gpsd as a location provider: connects, watches, reads, and reconnects when the daemon goes away.
///
/// Each session has a connection of its own. For a task it has a thread of its own too, which a slow consumer never delays.
public struct GPSDLocationSource: LocationProvider {
    /// Where the daemon listens.
    public let endpoint: GPSDEndpoint
    private let options: SessionOptions

    /// Whether a session continues after a failure and connects again; if not, the failure ends it.
    public var reconnects: Bool { options.reconnects }

    /// A source over a gpsd, by default this machine's.
    public init(_ endpoint: GPSDEndpoint = GPSDEndpoint(), reconnects: Bool = true) {
        var options = SessionOptions()
        options.reconnects = reconnects
        self.init(endpoint, options: options)
    }

    /// A source with options.
    package init(_ endpoint: GPSDEndpoint, options: SessionOptions) {
        self.endpoint = endpoint
        self.options = options
    }

    /// The events of a connection of its own.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        var endpoint = endpoint
        endpoint.device = request.device ?? endpoint.device
        return LocationUpdates(for: request, clock: options.clock) { [endpoint, options] clock in
            GPSDClient(endpoint, for: request, options: options, clock: clock)
        } orThrow: { [endpoint] cause in
            .unreachable(host: endpoint.host, port: endpoint.port, cause: cause)
        }
    }
}
