import LocationCore
import GPSDProtocol
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// A consumer that lists what a source has, once or, with `--follow`, with each change: the receivers of a daemon, or the devices of
/// a fleet.
protocol ListingCommand: FramedConsumer {
    var follows: Bool { get }
    /// Whether the source has not answered.
    var isUnreached: Bool { get }
    var isEmpty: Bool { get }
    func list() throws(OutputFailure)
    /// Says why there is nothing to list; returns the exit code.
    func explainNothing() -> ExitCode
}

extension ListingCommand {
    /// The plan of the session.
    var plan: SessionPlan {
        var plan = SessionPlan(self)
        // Whether the source has answered is judged by the list.
        plan.needs = []
        plan.timeouts = .brief
        plan.isBatch = !follows
        if !follows { plan.shows.failures = .byCommand }
        return plan
    }

    /// Prints the line of a device, and waits for its reader unless the list is followed.
    ///
    /// Lines that wait for a slow reader are limited, and a fleet can have more devices than that.
    func putLine(of device: String, _ body: (inout TextBuffer) -> Void) throws(OutputFailure) {
        guard follows else {
            try output.put(.other, body)
            return try output.finish()
        }
        try output.put(.replaceable(device), body)
        try output.flush()
    }

    func finish(_ ending: Ending, _ loop: SessionLoop) throws(OutputFailure) -> CommandResult {
        let absence = isUnreached ? loop.view.failure?.error : nil
        try list()
        try printEnd(ending)
        if let absence { return .unanswered(absence) }
        return .done(code: isEmpty && ending.isRegular ? explainNothing() : .done)
    }
}

extension CommandSession {
    /// Returns the session for a list, which ends after a time, or is followed while a file is read to its end.
    func ofListing(within limit: Duration) -> CommandSession {
        let (limits, follows) = (settings.limits, settings.reading.follows)
        let isBrief = source.isLive && !follows
        var session = lasting(limits.duration ?? limits.timeout ?? (isBrief ? limit : nil))
        session.settings.reading.follows = false
        if !follows { (session.settings.reading.reconnects, session.settings.reading.pace) = (false, .max) }
        return session
    }
}
