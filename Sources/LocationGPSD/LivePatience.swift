/// How long a live session waits for what.
package struct LivePatience: Hashable, Sendable {
    /// For a connection to be made.
    package var connecting = Duration.seconds(10)
    /// For the daemon's greeting; a daemon that probes a device answers nobody for some seconds.
    package var greeting = Duration.seconds(10)
    /// For a receiver's next report, before the daemon is asked about it.
    package var silence = Duration.seconds(3)
    /// Between two questions while the silence lasts, at most.
    package var longestSilence = Duration.seconds(30)
    /// Between two looks for a device of this machine that was pulled out, at most.
    package var absence = Duration.seconds(5)
    /// For the answer to a question, before the daemon counts as gone.
    package var answer = Duration.seconds(10)
    /// Before the first attempt to connect again; doubled with each that fails.
    package var firstRetry = Duration.milliseconds(500)
    /// Between two attempts, at most.
    package var longestRetry = Duration.seconds(30)

    /// The usual times.
    package init() {}

    /// For somebody who waits for an answer.
    package static let brief: LivePatience = {
        var patience = LivePatience()
        patience.connecting = .seconds(5)
        patience.greeting = .seconds(5)
        return patience
    }()

    /// How long to wait before connecting again after so many failures in a row; `spread` is drawn from 0 … 1.
    func retry(after failures: Int, spread: Double) -> Duration {
        var pause = firstRetry
        for _ in 1..<max(1, min(failures, 16)) where pause < longestRetry { pause = min(pause * 2, longestRetry) }
        // Many clients of a daemon that restarts must not all come back at the same instant.
        return pause * (0.8 + 0.4 * spread)
    }
}
