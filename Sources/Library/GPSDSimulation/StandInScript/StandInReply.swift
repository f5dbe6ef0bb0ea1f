import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// The answer to a command, for a thread that waits for it.
final class StandInReply: Sendable {
    private let arrived: Event
    private let answer = Lock<Result<String, LocationError>?>(nil)

    init() throws(SystemFailure) { arrived = try Event() }

    /// The answer, or `nil` until it arrives.
    var result: Result<String, LocationError>? { answer.withLock { $0 } }

    /// Blocks the calling thread until the answer arrives.
    func wait() -> Result<String, LocationError> {
        arrived.wait()
        return result ?? .failure(.script("there is no answer"))
    }

    func give(_ result: Result<String, LocationError>) {
        answer.withLock { $0 = result }
        arrived.happen()
    }
}

/// A command whose answer waits for a condition or for the clock.
struct StandInWait {
    /// The receiver of an answer.
    enum Target {
        case client(Int)
        case reply(StandInReply)
    }

    var target: Target
    /// The condition, or `nil` for a step of the clock.
    var awaited: StandInCommand.Awaited?
    /// The time at which the step is done, by the clock of the session, or at which the wait fails, by the machine's.
    var deadline: Duration
    /// The command, for messages.
    var text: String
}
