public import LocationCore
import GPSDProtocol

/// A location provider that connects to a gpsd, watches, reads, and reconnects when the daemon goes away.
///
/// Each session has its own connection. It is read at once, however slow a task takes its updates.
public struct GPSDLocationSource: LocationProvider {
    /// The address of the daemon.
    package let endpoint: GPSDEndpoint
    private let options: SessionOptions

    /// Whether a session reconnects after a failure; if not, the failure ends it.
    package var reconnects: Bool { options.reconnects }

    /// Creates a source for a gpsd, by default this machine's.
    ///
    /// - Parameters:
    ///   - endpoint: The address of the gpsd.
    ///   - reconnects: Whether a session continues after a failure; if not, the failure ends it.
    ///   - retries: The pauses before the attempts to connect again. A gpsd that returns is found again after the longest pause at
    ///     the latest.
    public init(
        _ endpoint: GPSDEndpoint = GPSDEndpoint(), reconnects: Bool = true, retries: RetryPauses = RetryPauses()
    ) {
        var options = SessionOptions(reconnects: reconnects)
        options.timeouts.retries = retries
        self.init(endpoint, options: options)
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
