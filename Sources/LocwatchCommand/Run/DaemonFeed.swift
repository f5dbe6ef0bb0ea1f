import LocationCore
import LocationGPSD

/// A gpsd as the source of a session.
final class DaemonFeed: SessionFeed {
    private let clock: SessionClock
    private let client: GPSDClient

    init(
        _ endpoint: GPSDEndpoint, reconnects: Bool, clock: SessionClock, patience: LivePatience = LivePatience(),
        tap: ((UnsafeRawBufferPointer, Moment) -> Void)? = nil
    ) {
        self.clock = clock
        client = GPSDClient(endpoint, reconnects: reconnects, patience: patience, now: clock.now, tap: tap)
    }

    var descriptor: Int32 { client.descriptor }
    var now: Moment { clock.now }
    var patience: Duration? { now.duration(to: client.deadline) }
    var retry: Duration? { client.retry.map { now.duration(to: $0) } }

    func wait(until moment: Moment) -> Duration? { now.duration(to: moment) }

    var isConnected: Bool { client.isConnected }

    func askForDevices() { client.askForDevices() }

    func step(isReady: Bool, _ tell: (LocationUpdate) -> Void) throws(LocationError) -> Bool {
        try client.step(isReady: isReady, at: now, tell)
        return true
    }
}
