import LocationCore

/// The time of the figures of a session: that of the epochs, as far as they have times.
///
/// A recording can be made faster or slower than its receiver reported, and reports can be delayed. Between two positions therefore
/// passes the time of the receiver's clock; all else keeps its distance from the position before it. The clock of a receiver that is
/// set does not count.
struct FigureClock: Sendable {
    private var last: (device: String?, time: Timestamp?, elapsed: Duration)?
    /// The time between the last two positions by the receiver's clock, as a multiple of that by the session's.
    private var pace: Double?
    /// The time of the figures minus that of the session.
    private var shift = Duration.zero
    private var latest: Moment?
    /// The time that the receiver's clock is ahead of the session's since they last agreed, as within a burst of reports.
    private var ahead = Duration.zero
    /// The time between positions, by the clock of the session and by that of the figures.
    private var session = Duration.zero, figures = Duration.zero

    /// The relative difference of two paces that are the same.
    private static let tolerance = 0.25
    /// The least differences between the two clocks, as a share and as a time, that are no drift of a host's clock.
    private static let otherPace = (share: 0.05, time: Duration.seconds(2))
    /// The longest time between two bursts of reports.
    private static let burst = Duration.seconds(10)

    /// Whether the session ran at the pace of its receiver, so that its times of arrival can be compared with the receiver's.
    var isAtPace: Bool {
        let difference = max(session, figures) - min(session, figures)
        return difference <= max(session * Self.otherPace.share, Self.otherPace.time)
    }

    /// Notes a position of the receiver whose way is followed, and its arrival by the session's clock.
    mutating func follow(_ location: Location, at moment: Moment) {
        defer { last = (location.device, location.timestamp, moment.elapsed) }
        guard let last, last.device == location.device else { return }
        let time = max(.zero, moment.elapsed - last.elapsed)
        let told = self.time(from: last.time, to: location, session: time)
        session += time
        figures += told
        shift += told - time
        ahead = min(max(ahead + told - time, .zero - Self.burst), Self.burst)
    }

    /// Returns the time between two positions: the receiver's if it differs little from the session's, or as much as before.
    private mutating func time(from before: Timestamp?, to location: Location, session time: Duration) -> Duration {
        guard let now = location.timestamp, let before, now > before else { return time }
        let told = now.since(before)
        let known = pace
        pace = time > .zero ? told / time : nil
        if let known, let pace, abs(pace - known) <= Self.tolerance * known { return told }
        // The pause between two bursts makes up for the positions of the last one, which came at once.
        let rest = ahead + told - time
        if max(rest, .zero - rest) < max(ahead, .zero - ahead) { return told }
        return ReceiverTime.between(before, and: location, session: time)
    }

    /// Notes that nothing is known of the time until the next position but that of the session.
    mutating func interrupt() { last = nil }

    /// Returns a moment of the session by the time of the figures, which does not go back.
    mutating func moment(of moment: Moment) -> Moment {
        var moment = moment.advanced(by: shift)
        if let latest { moment.elapsed = max(moment.elapsed, latest.elapsed) }
        latest = moment
        return moment
    }
}
