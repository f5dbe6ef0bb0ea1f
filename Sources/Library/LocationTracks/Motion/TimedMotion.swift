import LocationCore

/// The motion of a receiver by the time of its epochs; see `FigureClock`.
struct TimedMotion: Sendable {
    private var clock = FigureClock()
    private(set) var meter = MotionMeter(keepsPlaces: false)

    /// Processes a position that is not late, and that arrived at a moment; returns the moment by the time of the epochs.
    @discardableResult mutating func process(_ location: Location, at arrival: Moment) -> Moment {
        clock.follow(location, at: arrival)
        let moment = clock.moment(of: arrival)
        meter.process(location, at: moment)
        return moment
    }

    /// Notes that nothing is known of the motion until the next position.
    mutating func interrupt() {
        clock.interrupt()
        meter.gap()
    }
}
