/// The timeouts and retry intervals of a live session.
package struct ConnectionTimeouts: Hashable, Sendable {
    package var connecting = Duration.seconds(10)
    /// The timeout for the daemon's greeting.
    ///
    /// A gpsd that was still starting and probing its devices was silent for 12 s with two receivers.
    package var greeting = Duration.seconds(30)
    /// The silence before the greeting after which the search says so.
    package var greetingDoubt = Duration.seconds(1)
    /// The silence of a receiver after which the daemon is asked about it.
    package var silence = Duration.seconds(3)
    /// The longest pause between two such queries while the silence lasts.
    package var longestSilence = Duration.seconds(30)
    /// The longest pause between two checks for a local device that was unplugged.
    package var absence = Duration.seconds(5)
    /// The time for which a stream in a network may be silent, after that was noticed, before it is opened again.
    package var streamSilence = Duration.seconds(12)
    /// The timeout for the answer to a query, after which the daemon counts as lost.
    package var answer = Duration.seconds(10)
    /// The pauses before retries.
    package var retries = RetryPauses()

    package init() {}

    /// Shorter timeouts, for an interactive command.
    package static let brief: ConnectionTimeouts = {
        var timeouts = ConnectionTimeouts()
        timeouts.connecting = .seconds(5)
        timeouts.greeting = .seconds(15)
        return timeouts
    }()
}
