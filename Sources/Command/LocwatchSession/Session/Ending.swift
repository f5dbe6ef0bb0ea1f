package import LocationCore
package import LocwatchArguments
package import LocwatchTerminal

/// The outcome of a session.
package enum SessionOutcome {
    case ended(SessionEnd.Reason)
    case signal(Int32)
    case failed(LocationError)
    case output(OutputFailure)
}

/// The end of a session: its outcome, and the reasons why it gave no position.
///
/// A command reads it for its last lines, and returns a `CommandResult`; `CommandSession` says the rest and makes the exit code.
package struct Ending {
    package internal(set) var outcome: SessionOutcome
    /// Whether the command still works, as on its deliveries, and not only its companions.
    package internal(set) var commandIsBusy = false
    /// The moment at which the session has ended.
    package let moment: Moment
    /// The error that ended the session, if any; a signal that came later does not change it.
    package let error: LocationError?
    /// The reason why there was no position in time.
    package let shortfall: LocationError
    /// The reason why a live source told nothing, or gave no position because of a failure that is not over, if that is so.
    package let absence: LocationError?

    init(_ outcome: SessionOutcome, at moment: Moment, shortfall: LocationError, absence: LocationError?) {
        self.outcome = outcome
        self.moment = moment
        self.shortfall = shortfall
        self.absence = absence
        error = if case .failed(let error) = outcome { error } else { nil }
    }

    /// The reason, as the output of a command names it.
    package var reason: SessionEnd.Reason {
        switch outcome {
        case .ended(let reason): reason
        case .signal: .interrupted
        case .failed, .output: .failed
        }
    }

    package var isSignal: Bool { if case .signal = outcome { true } else { false } }

    package var hasFailedOutput: Bool { if case .output = outcome { true } else { false } }

    /// Whether the session has ended by itself, or by a consumer, without an error, and in time.
    package var isRegular: Bool {
        guard case .ended(let reason) = outcome else { return false }
        return reason != .timeout && error == nil
    }
}
