import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// A command that prints figures about a session at its end, and on a terminal also while it lasts: `stats` and `time`.
protocol FigureCommand: Command, FramedConsumer {
    /// The page on a terminal, if there is one.
    var page: LivePage? { get set }
    /// The text of the page during the session.
    var current: String { get }
    /// Prints the figures, and draws the picture if one was requested; returns the exit code if the session gave what is needed.
    func finish(_ ending: Ending, _ loop: SessionLoop, _ picture: PictureFile?) throws(OutputFailure) -> ExitCode
}

extension FigureCommand {
    func run() -> ExitCode {
        let picture: PictureFile?
        do throws(OutputFailure) { picture = try PictureFile(settings.output.plot) } catch {
            return session.fail(error)
        }
        page = session.page
        var plan = SessionPlan(self)
        plan.request.includesClock = true
        plan.isBatch = true
        plan.shows.line = if !source.isLive { .progress } else if page == nil { .search } else { .none }
        if page != nil { plan.shows.failures = .byCommand }
        return session.run(plan) { (ending, loop) throws(OutputFailure) in
            if let wipe = page?.wipe() { try output.put { $0.put(wipe) } }
            let code = try finish(ending, loop, picture)
            // When a signal ends the session, the page is erased, which showed why there are no figures.
            if ending.isSignal, page != nil, !loop.view.hasHeard, let failure = loop.view.failure?.error {
                narrator.sayFailure(failure)
            }
            // An absence is said even if JSON has it, unless a signal ends the program.
            if CaughtSignals.first == nil, ending.error == nil, let absence = ending.absence { return .failed(absence) }
            return .done(code: code)
        }
    }

    /// Returns the failure that lasts, with advice, for the page, whose lines are cut to the screen.
    func failureText(_ error: LocationError) -> String {
        Paragraph.wrapped(
            narrator.text(error).lines, indent: "locwatch: ".count, width: context.console.pageColumns)
    }

    /// The moment of the next refresh of the page, if there is one.
    var nextRefresh: Moment? {
        guard let page, let loop else { return nil }
        return page.deadline(at: loop.now)
    }

    /// Writes the page in the place of the last one.
    func showPage() throws(OutputFailure) {
        // Built before the page is modified, because the text depends on whether there is a page: an argument of
        // `page?.show` is evaluated during the access to `page`, and reading it there ends the program.
        let text = current
        guard let shown = page?.show(text) else { return }
        try output.put { $0.put(shown) }
        // At once: Ctrl-Z could come before the end of the loop's turn.
        try output.flush()
    }
}
