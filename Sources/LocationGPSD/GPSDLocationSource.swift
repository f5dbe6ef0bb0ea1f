public import LocationCore
import Platform

/// A gpsd as a location provider: connects, watches, reads, and connects again when the daemon goes away.
///
/// Each session has a connection and a thread of its own; a consumer that is slow never slows the thread down.
public struct GPSDLocationSource: LocationProvider {
    /// Where the daemon listens.
    public let endpoint: GPSDEndpoint
    /// Whether a session goes on after a failure, and connects again; else the failure ends it.
    public let reconnects: Bool
    private let patience: LivePatience
    private let tap: (@Sendable (UnsafeRawBufferPointer, Moment) -> Void)?

    /// A source over a gpsd, by default this machine's.
    ///
    /// - Parameter tap: is given all bytes of the daemon as they arrive, on the session's thread, before they are read.
    public init(
        _ endpoint: GPSDEndpoint = GPSDEndpoint(), reconnects: Bool = true,
        tap: (@Sendable (UnsafeRawBufferPointer, Moment) -> Void)? = nil
    ) {
        self.init(endpoint, reconnects: reconnects, patience: LivePatience(), tap: tap)
    }

    init(
        _ endpoint: GPSDEndpoint, reconnects: Bool = true, patience: LivePatience,
        tap: (@Sendable (UnsafeRawBufferPointer, Moment) -> Void)? = nil
    ) {
        self.endpoint = endpoint
        self.reconnects = reconnects
        self.patience = patience
        self.tap = tap
    }

    /// The events of a connection of its own.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        LocationUpdates(for: request) {
            let mailbox = LocationMailbox(clock: .system())
            var endpoint = endpoint
            endpoint.device = request.device ?? endpoint.device
            do throws(SystemFailure) {
                let wake = try Event()
                mailbox.onStop { wake.happen() }
                let listener = GPSDListener(
                    endpoint, mailbox: mailbox, wake: wake, reconnects: reconnects, patience: patience, tap: tap)
                NativeThread.start { listener.run() }
            } catch {
                mailbox.finish(throwing: .unreachable(host: endpoint.host, port: endpoint.port, cause: "\(error)"))
            }
            return mailbox
        }
    }
}
