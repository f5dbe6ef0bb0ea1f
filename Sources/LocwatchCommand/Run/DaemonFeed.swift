import LocationCore
import LocationGPSD

/// A gpsd as the source of a session.
final class DaemonFeed: SessionFeed {
    private let clock: SessionClock
    private let client: GPSDClient
    /// When the last step began, which does not take long: what there is to wait for is reckoned from it, as each look at
    /// the clocks costs as much as reading a number.
    private var turn: Moment
    /// Whether the host may be no host at all, as long as nothing has answered under its name.
    private var mayBeMistaken: Bool

    init(
        _ endpoint: GPSDEndpoint, reconnects: Bool, listsSatellites: Bool = true, clock: SessionClock,
        patience: LivePatience = LivePatience(), tap: ((UnsafeRawBufferPointer, Moment) -> Void)? = nil
    ) {
        self.clock = clock
        // Whoever names a port or a receiver too means a host.
        mayBeMistaken = endpoint == GPSDEndpoint(host: endpoint.host) && MistakenHost(endpoint.host) != nil
        turn = clock.now
        client = GPSDClient(
            endpoint, reconnects: reconnects, listsSatellites: listsSatellites, patience: patience, now: turn, tap: tap)
    }

    var descriptor: Int32 { client.descriptor }
    var now: Moment { clock.now }
    var patience: Duration? { turn.duration(to: client.deadline) }
    var retry: Duration? { client.retry.map { now.duration(to: $0) } }

    func wait(until moment: Moment) -> Duration? { turn.duration(to: moment) }

    var isConnected: Bool { client.isConnected }

    func askForDevices() { client.askForDevices() }

    func step(isReady: Bool, _ tell: (LocationUpdate) -> Void) throws(LocationError) -> Bool {
        turn = clock.now
        guard mayBeMistaken else {
            try client.step(isReady: isReady, at: turn, tell)
            return true
        }
        var mistake: LocationError?
        try client.step(isReady: isReady, at: turn) { update in
            if case .failure(.unresolvable(let host, let port, let cause)) = update.event {
                mistake = .unresolvable(host: host, port: port, cause: cause)
            } else {
                tell(update)
            }
        }
        // Trying again does not make a host of a command that was mistyped.
        if let mistake { throw mistake }
        if client.isConnected { mayBeMistaken = false }
        return true
    }
}
