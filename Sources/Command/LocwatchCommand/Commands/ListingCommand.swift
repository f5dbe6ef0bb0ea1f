import LocationCore
import LocationRecordings
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// A consumer that lists what a source has, once or, with `--follow`, with each change: the receivers of a daemon, or the devices of
/// a fleet.
protocol ListingCommand: FramedConsumer {
    var listing: Listing { get }
    var loop: SessionLoop? { get set }
    /// Whether the source has not answered.
    var isUnreached: Bool { get }
    /// Whether there is nothing to list.
    var isEmpty: Bool { get }
    /// Prints the list at the end of the session.
    func list() throws(OutputFailure)
    /// Says why there is nothing to list; returns the exit code.
    func explainNothing() -> ExitCode
}

/// The source that is listed, and the way to the output.
struct Listing {
    let context: CommandContext
    let source: SourceWord
    let settings: Settings
    /// Whether changes are printed as they come.
    let follows: Bool
    let session: CommandSession
    let output: OutputChannel

    init(_ invocation: Invocation, _ context: CommandContext) {
        self.context = context
        source = invocation.source
        follows = invocation.settings.follows
        settings = invocation.settings.ofListing
        session = CommandSession(context, settings)
        output = context.output(
            isLive: source.isLive, settings, settings.output.carries(.objects) ? JSONPrinter(listing: settings) : nil)
    }
}

extension ListingCommand {
    var context: CommandContext { listing.context }
    var source: SourceWord { listing.source }
    var settings: Settings { listing.settings }
    var follows: Bool { listing.follows }
    var session: CommandSession { listing.session }
    var output: OutputChannel { listing.output }

    /// Returns the plan of a session that ends after a time unless it follows the changes.
    func plan(within limit: Duration) -> SessionPlan {
        var plan = SessionPlan(source, self)
        let isBrief = source.isLive && !follows
        plan.request.timeouts = .brief
        plan.limits = SessionLoop.Limits(
            duration: settings.duration ?? settings.timeout ?? (isBrief ? limit : nil))
        plan.isBatch = !follows
        if !follows { plan.shows.failures = .byCommand }
        return plan
    }

    func begin(_ loop: SessionLoop) throws(OutputFailure) {
        self.loop = loop
        try printStart()
    }

    /// Prints the list, and says why it is empty.
    func finish(_ ending: inout Ending, _ loop: SessionLoop) throws(OutputFailure) {
        ending.absence = isUnreached ? loop.view.failure?.error : nil
        try list()
        try printEnd(ending)
        if isEmpty, ending.isRegular { ending.code = explainNothing() }
    }
}

extension Settings {
    /// The settings of a session whose receivers or devices are listed.
    fileprivate var ofListing: Settings {
        var settings = self
        // The list is followed, and a file is read to its end.
        settings.follows = false
        if !follows {
            settings.reconnects = false
            settings.pace = .max
        }
        return settings
    }
}

extension JSONPrinter {
    /// Creates a printer of a list.
    init(listing settings: Settings) { self.init(precision: settings.precision, source: settings.source) }
}
