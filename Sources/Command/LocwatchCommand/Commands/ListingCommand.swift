import LocationCore
import LocationRecordings
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// A consumer that lists what a source has, once or, with `--follow`, with each change: the receivers of a daemon, or the devices of
/// a fleet.
protocol ListingCommand: FramedConsumer {
    var follows: Bool { get }
    var loop: SessionLoop? { get set }
    /// Whether the source has not answered.
    var isUnreached: Bool { get }
    var isEmpty: Bool { get }
    func list() throws(OutputFailure)
    /// Says why there is nothing to list; returns the exit code.
    func explainNothing() -> ExitCode
}

extension ListingCommand {
    /// Returns the plan of a session that ends after a time unless it follows the changes.
    func plan(within limit: Duration) -> SessionPlan {
        var plan = SessionPlan(self)
        let isBrief = source.isLive && !follows
        plan.request.timeouts = .brief
        plan.limits = SessionLoop.Limits(
            duration: settings.plan.duration ?? settings.plan.timeout ?? (isBrief ? limit : nil))
        plan.isBatch = !follows
        if !follows { plan.shows.failures = .byCommand }
        return plan
    }

    func begin(_ loop: SessionLoop) throws(OutputFailure) {
        self.loop = loop
        try printStart()
    }

    func finish(_ ending: inout Ending, _ loop: SessionLoop) throws(OutputFailure) {
        ending.absence = isUnreached ? loop.view.failure?.error : nil
        try list()
        try printEnd(ending)
        if isEmpty, ending.isRegular { ending.code = explainNothing() }
    }
}

extension CommandSession {
    /// The session for a list, which is followed while a file is read to its end.
    var ofListing: CommandSession {
        var session = self
        session.settings.plan.follows = false
        if !settings.plan.follows {
            session.settings.plan.reconnects = false
            session.settings.plan.pace = .max
        }
        return session
    }
}
