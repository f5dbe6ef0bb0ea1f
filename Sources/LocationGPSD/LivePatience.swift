/// The timeouts and retry intervals of a live session.
package struct LivePatience: Hashable, Sendable {
    /// The time limit for connecting.
    package var connecting = Duration.seconds(10)
    /// The time limit for the daemon's greeting; gpsd does not answer for some seconds while it probes a device.
    package var greeting = Duration.seconds(10)
    /// The time without a report from the receiver after which the daemon is asked about it.
    package var silence = Duration.seconds(3)
    /// The longest interval between two such questions.
    package var longestSilence = Duration.seconds(30)
    /// The longest interval between two checks whether an unplugged device of this machine is back.
    package var absence = Duration.seconds(5)
    /// The time limit for an answer, after which the daemon counts as gone.
    package var answer = Duration.seconds(10)
    /// The delay before the first attempt to reconnect; it doubles with each failure.
    package var firstRetry = Duration.milliseconds(500)
    /// The longest delay between two attempts.
    package var longestRetry = Duration.seconds(30)

    /// The default times.
    package init() {}

    /// The times for a command that a user is waiting for.
    package static let brief: LivePatience = {
        var patience = LivePatience()
        patience.connecting = .seconds(5)
        patience.greeting = .seconds(5)
        return patience
    }()

    /// Returns the delay before reconnecting after consecutive failures; `spread` is a random number in 0 … 1.
    func retry(after failures: Int, spread: Double) -> Duration {
        var pause = firstRetry
        for _ in 1..<max(1, min(failures, 16)) where pause < longestRetry { pause = min(pause * 2, longestRetry) }
        // The spread keeps the clients of a restarted daemon from reconnecting all at once.
        return pause * (0.8 + 0.4 * spread)
    }
}
