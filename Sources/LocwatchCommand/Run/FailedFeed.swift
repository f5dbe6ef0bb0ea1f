import LocationCore

/// A source that could not be opened, for a session that has nothing to tell but that.
final class FailedFeed: SessionFeed {
    private let error: LocationError
    private let clock: SessionClock

    init(_ error: LocationError, clock: SessionClock) {
        self.error = error
        self.clock = clock
    }

    let descriptor: Int32 = -1
    let patience: Duration? = .zero
    let hasBegun = false
    var now: Moment { clock.now }

    func wait(until moment: Moment) -> Duration? { now.duration(to: moment) }

    func step(isReady: Bool, _ tell: (LocationUpdate) -> Void) throws(LocationError) -> Bool { throw error }
}
