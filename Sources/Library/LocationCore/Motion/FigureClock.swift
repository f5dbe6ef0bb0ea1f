/// The time of the figures of a session: that of the epochs, as far as they have times.
///
/// A recording can be made faster or slower than its receiver reported, and reports can be delayed. Between two positions therefore
/// passes the time of the receiver's clock; all else keeps its distance from the position before it. The clock of a receiver that is
/// set does not count.
///
/// Its times are nanoseconds, because each position has several of them; a clock that leaps by centuries ends at the last one.
package struct FigureClock: Sendable {
    private var last: Last?
    /// The time between the last two positions by the receiver's clock, as a multiple of that by the session's.
    private var pace: Double?
    /// The time of the figures minus that of the session.
    private var shift: Int64 = 0
    private var latest: Int64 = 0
    /// The time that the receiver's clock is ahead of the session's since they last agreed, as within a burst of reports.
    private var ahead: Int64 = 0
    /// The time between positions, by the clock of the session and by that of the figures.
    private var session: Int64 = 0, figures: Int64 = 0

    private struct Last {
        var device: String?
        var time: Timestamp?
        var elapsed: Int64
    }

    /// The relative difference of two paces that are the same.
    private static let tolerance = 0.25
    /// The least differences between the two clocks, as a share and as a time, that are no drift of a host's clock.
    private static let otherPace = (share: 0.05, time: 2e9)
    /// The longest time between two bursts of reports.
    private static let burst: Int64 = 10_000_000_000
    /// The longest time that counts, 73 years, so that no sum of three overflows.
    private static let longest = Int64.max / 4

    package init() {}

    /// Whether the session ran at the pace of its receiver, so that its times of arrival can be compared with the receiver's.
    package var isAtPace: Bool {
        abs(Double(session) - Double(figures)) <= max(Double(session) * Self.otherPace.share, Self.otherPace.time)
    }

    /// Notes a position of the receiver whose way is followed, and its arrival by the session's clock.
    package mutating func follow(_ location: Location, at arrival: Int64) {
        let arrival = min(arrival, Self.longest)
        let known = last
        last = Last(device: location.device, time: location.timestamp, elapsed: arrival)
        guard let known, known.device == location.device else { return }
        let time = max(0, arrival - known.elapsed)
        let told = self.time(from: known.time, to: location.timestamp, session: time)
        add(time, told)
    }

    private mutating func add(_ time: Int64, _ told: Int64) {
        session &+= time
        figures &+= told
        guard told != time else { return }
        shift = min(max(shift + told - time, -Self.longest), Self.longest)
        ahead = min(max(ahead + told - time, -Self.burst), Self.burst)
    }

    /// Returns the time between two positions: the receiver's if it differs little from the session's, or as much as before.
    private mutating func time(from before: Timestamp?, to now: Timestamp?, session time: Int64) -> Int64 {
        guard let now, let before, now > before else { return time }
        let (difference, overflows) = now.nanosecondsSince1970.subtractingReportingOverflow(
            before.nanosecondsSince1970)
        let told = overflows ? Self.longest : min(difference, Self.longest)
        let known = pace
        pace = time > 0 ? Double(told) / Double(time) : nil
        if let known, let pace, abs(pace - known) <= Self.tolerance * known { return told }
        // The pause between two bursts makes up for the positions of the last one, which came at once.
        if abs(ahead + told - time) < abs(ahead) { return told }
        return ReceiverTime.between(before, and: now, session: time)
    }

    /// Notes that nothing is known of the time until the next position but that of the session.
    package mutating func interrupt() { last = nil }

    /// Returns a moment of the session by the time of the figures, which does not go back.
    package mutating func moment(of moment: Moment) -> Moment {
        var moment = shift == 0 ? moment : moment.advanced(by: .nanoseconds(shift))
        moment.elapsed = max(moment.elapsed, .nanoseconds(latest))
        latest = moment.elapsed.clampedNanoseconds
        return moment
    }

    /// Returns a time of the session by the time of the figures, which does not go back.
    package mutating func time(of elapsed: Int64) -> Int64 {
        latest = max(latest, min(elapsed, Self.longest) + shift)
        return latest
    }
}
