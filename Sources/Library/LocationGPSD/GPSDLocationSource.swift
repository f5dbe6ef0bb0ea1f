public import LocationCore
import LocationRecordings

/// A location provider that connects to a gpsd, watches, reads, and reconnects when the daemon goes away.
///
/// Each session has its own connection. For a task it also has its own thread, which a slow consumer never delays.
public struct GPSDLocationSource: LocationProvider {
    /// The address of the daemon.
    package let endpoint: GPSDEndpoint
    private let options: SessionOptions

    /// Whether a session reconnects after a failure; if not, the failure ends it.
    package var reconnects: Bool { options.reconnects }

    /// Creates a source for a gpsd, by default this machine's.
    public init(_ endpoint: GPSDEndpoint = GPSDEndpoint(), reconnects: Bool = true) {
        self.init(endpoint, options: SessionOptions(reconnects: reconnects))
    }

    package init(_ endpoint: GPSDEndpoint, options: SessionOptions) {
        self.endpoint = endpoint
        self.options = options
    }

    /// Returns the updates of a new connection.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        var endpoint = endpoint
        if let device = request.device {
            // gpsd knows whole paths only, so that all receivers are watched for a pattern.
            endpoint.device = NamePattern(device).isPath ? device : nil
        }
        return LocationUpdates(for: request, on: options.startClock) { [endpoint, options] clock in
            GPSDClient(endpoint, for: request, options: options, clock: clock)
        } orThrow: { [endpoint] failure in
            endpoint.unreachable("\(failure)")
        }
    }
}
