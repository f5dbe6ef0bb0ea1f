import Glibc
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

    /// A source over a gpsd, by default this machine's.
    public init(_ endpoint: GPSDEndpoint = GPSDEndpoint(), reconnects: Bool = true) {
        self.init(endpoint, reconnects: reconnects, patience: LivePatience())
    }

    init(_ endpoint: GPSDEndpoint, reconnects: Bool = true, patience: LivePatience) {
        self.endpoint = endpoint
        self.reconnects = reconnects
        self.patience = patience
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
                try NativeThread.start { [endpoint, reconnects, patience] in
                    let client = GPSDClient(
                        endpoint, reconnects: reconnects, patience: patience, now: mailbox.now, tap: nil)
                    client.run(into: mailbox, until: wake)
                }
            } catch {
                mailbox.finish(throwing: .unreachable(host: endpoint.host, port: endpoint.port, cause: "\(error)"))
            }
            return mailbox
        }
    }
}

extension GPSDClient {
    /// Serves the client until it is woken to stop, or until a failure ends the session.
    fileprivate func run(into mailbox: LocationMailbox, until wake: Event) {
        do throws(LocationError) {
            var isReady = false
            while true {
                try step(isReady: isReady, at: mailbox.now) { mailbox.put($0.event, at: $0.moment) }
                var watched = [
                    pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                ]
                let limit = mailbox.now.duration(to: deadline).wholeMilliseconds
                let count = poll(&watched, nfds_t(watched.count), limit)
                if watched[0].revents != 0 { return }
                isReady = count > 0
            }
        } catch {
            mailbox.finish(throwing: error)
        }
    }
}
