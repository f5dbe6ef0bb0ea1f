import GPSDReports
import Glibc
import LocationCore
import LocationGPSD
import Platform

/// What every command with a session has: the terminal's status line, the signals, and how it ends.
struct CommandSession {
    let status: StatusDisplay
    let signals: Event
    /// The program's clock.
    let clock = SessionClock.system()

    init(_ settings: Settings, environment: [String: String]) throws(SystemFailure) {
        let glyphs = Glyphs(environment: environment)
        status = StatusDisplay(
            isWanted: settings.verbosity > .quiet && environment["TERM"] != "dumb", glyphs: glyphs,
            diary: settings.verbosity == .verbose
                ? SessionDiary(style: TextStyle(degrees: settings.degrees, units: settings.units, glyphs: glyphs))
                : nil)
        signals = try Event()
        CaughtSignals.announce(by: signals)
    }

    /// Opens a source, serves its session to a handler, and ends the command.
    ///
    /// - Parameters:
    ///   - limits: when the session ends by itself; where it is `nil`, as the settings say.
    ///   - listsSatellites: whether a live session tells of satellites one by one, and not only how many there are.
    ///   - hasStatus: whether the line of the search may be shown.
    ///   - tap: is given all bytes as they arrive.
    ///   - begin: does what is left to do before the session begins.
    ///   - end: ends the command once the session is over.
    func follow(
        _ source: SourceWord, _ settings: Settings, for handler: any SessionHandler,
        limits: SessionLoop.Limits? = nil, patience: LivePatience = LivePatience(), listsSatellites: Bool = true,
        hasStatus: Bool = true,
        tap: ((UnsafeRawBufferPointer, Moment) -> Void)? = nil,
        begin: (SessionLoop) throws(OutputFailure) -> Void, end: (SessionLoop, SessionOutcome) -> ExitCode
    ) -> ExitCode {
        let feed: any SessionFeed
        do throws(LocationError) {
            feed = try source.feed(
                settings, listsSatellites: listsSatellites, clock: clock, patience: patience, tap: tap)
        } catch {
            // A script reads the same lines, whenever the session fails.
            guard settings.output == .json else { return fail(error) }
            feed = FailedFeed(error, clock: clock)
        }
        let loop = SessionLoop(
            feed, handler,
            limits: limits ?? SessionLoop.Limits(duration: settings.duration, timeout: settings.timeout),
            status: hasStatus ? status : status.withoutLine, signals: signals)
        do throws(OutputFailure) { try begin(loop) } catch { return fail(error) }
        return end(loop, loop.run())
    }

    /// Ends a command whose session could not begin.
    func fail(_ error: LocationError) -> ExitCode {
        say(ErrorText(error).lines)
        return ExitCode(for: error)
    }

    /// Ends a command whose output fails.
    func fail(_ failure: OutputFailure) -> ExitCode {
        status.wipe()
        guard failure != .readerGone else {
            // As silently as any program in a pipe whose reader has had enough.
            CaughtSignals.die(of: SIGPIPE)
            return .writingFailed
        }
        say("locwatch: \(failure.message)\n")
        return failure.exitCode
    }

    /// Ends a command after its session: the last lines, what is to be said, and the exit code.
    ///
    /// - Parameter finish: writes the last lines for the reason.
    func end(
        _ outcome: SessionOutcome, shortfall: LocationError,
        finish: (SessionEnd.Reason) throws(OutputFailure) -> Void
    ) -> ExitCode {
        status.wipe()
        let reason: SessionEnd.Reason
        switch outcome {
        case .ended(let ended): reason = ended
        case .signal: reason = .interrupted
        case .failed: reason = .failed
        case .output(let failure): return fail(failure)
        }
        do throws(OutputFailure) { try finish(reason) } catch { return fail(error) }
        if case .failed(let error) = outcome { return fail(error) }
        // Also one that came while the last lines were written: they may not have gone out.
        if let number = CaughtSignals.first { return die(of: number) }
        if case .ended(.timeout) = outcome { return fail(shortfall) }
        return .done
    }

    /// Ends a command by the signal that came.
    func die(of signal: Int32) -> ExitCode {
        status.wipe()
        CaughtSignals.die(of: signal)
        return .internalError
    }

    /// Says something on standard error.
    func say(_ text: String) {
        status.wipe()
        StandardStream.error.write(text)
    }
}

extension Settings {
    /// The same settings, but that a recording is read as fast as it can be where nothing else is asked for.
    func withoutWaiting(for source: SourceWord) -> Settings {
        var settings = self
        if !source.isLive { settings.pace = settings.pace ?? .max }
        return settings
    }

    /// The printer for these settings on this terminal.
    func printer(_ environment: [String: String]) -> any EventPrinter {
        printer(usesColor: usesColor(environment), glyphs: Glyphs(environment: environment), localTime: .system)
    }

    /// Whether standard output is to be in colour.
    func usesColor(_ environment: [String: String]) -> Bool {
        color.isColored(isTerminal: Terminal.isShown(on: 1), environment: environment)
    }
}
