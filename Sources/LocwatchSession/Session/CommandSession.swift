import GPSDReports
import Glibc
package import LocationCore
package import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
package import LocwatchTerminal

/// The session of a command, which opens the source, serves the consumers, and turns its end into an exit code.
package struct CommandSession {
    let context: CommandContext
    private let settings: Settings
    private let said: SaidFailures

    package init(_ context: CommandContext, _ settings: Settings) {
        self.context = context
        self.settings = settings
        said = SaidFailures(settings.source)
    }

    var console: Console { context.console }

    /// Whether the status line of the search can be shown.
    package var showsStatus: Bool { settings.verbosity > .quiet && console.canRewrite(console.error) }

    /// Opens a source and runs its session, with the hooks of the settings.
    ///
    /// - Parameters:
    ///   - consumers: The consumers of the updates; the status line and the messages of `--verbose` are added.
    ///   - request: The data that the session asks for; the receiver is added.
    ///   - options: The options of the session; reconnection and the clock come from the settings and the context.
    ///   - limits: The limits of the session; if `nil`, those of the settings.
    ///   - hasStatus: Whether the status line of the search may be shown.
    ///   - work: Returns what the command does, given the duration of the session in words; the status line shows it as
    ///     long as the session lasts.
    ///   - settles: Whether each epoch gives one position instead of one for each of its reports.
    ///   - selection: The positions that the user wants to see; the others are withheld.
    ///   - goal: The position for which the timeout waits; by default any that `selection` admits.
    ///   - mergesSkies: Whether the consumers show views of the sky as whole ones; by default where epochs are whole.
    ///   - logs: Whether `--verbose` prints messages, because it is not a part of the output.
    ///   - saysFailures: Whether failures after which the session continues are said where no status line shows them.
    ///   - isReader: Whether the command only reads the source and prints, so that the program can be confined to that.
    ///   - begin: Called before the session begins.
    ///   - end: Converts the end of the session into an exit code.
    package func run(
        _ source: SourceWord, _ consumers: [any SessionConsumer], request: LocationRequest = .everything,
        options: SessionOptions = SessionOptions(), limits: SessionLoop.Limits? = nil, hasStatus: Bool = true,
        work: ((String) -> String)? = nil, settles: Bool = false, selection: LocationRequest = .everything,
        goal: LocationRequest? = nil, mergesSkies: Bool? = nil,
        logs: Bool = true, saysFailures: Bool = false, isReader: Bool = false,
        begin: (SessionLoop) throws(OutputFailure) -> Void, end: (SessionLoop, SessionOutcome) -> ExitCode
    ) -> ExitCode {
        let hooks = HookConsumer(source, settings, context, isSettled: settles)
        let skipped = SkippedLines()
        let counts = !source.isLive && settings.verbosity > .quiet && !settings.output.carries(.diagnostics)
        let prints = consumers.contains { $0 is any PrintingConsumer }
        let others: [(any SessionConsumer)?] = [
            hooks, counts ? skipped : nil, prints ? PaceMessage(source, settings, console) : nil,
        ]
        let loop: SessionLoop
        do throws(LocationError) {
            loop = try self.loop(
                source, consumers + others.compactMap(\.self), request: request, options: options, limits: limits,
                hasStatus: hasStatus, work: work, settles: settles, selection: selection, goal: goal,
                mergesSkies: mergesSkies, logs: logs, saysFailures: saysFailures)
        } catch {
            return fail(error)
        }
        do throws(OutputFailure) { try begin(loop) } catch { return fail(error) }
        if isReader { confine(to: source) }
        let outcome = loop.run()
        if case .ended = outcome, let words = skipped.words {
            console.say("locwatch: \(source.place.printable): \(words)\n")
        }
        return end(loop, hooks?.finish(outcome, signals: context.signals) ?? outcome)
    }

    /// Returns the loop of a session over a source; see `run`.
    package func loop(
        _ source: SourceWord, _ consumers: [any SessionConsumer], request: LocationRequest = .everything,
        options: SessionOptions = SessionOptions(), limits: SessionLoop.Limits? = nil, hasStatus: Bool = true,
        work: ((String) -> String)? = nil, settles: Bool = false, selection: LocationRequest = .everything,
        goal: LocationRequest? = nil, mergesSkies: Bool? = nil, logs: Bool = true, saysFailures: Bool = false
    ) throws(LocationError) -> SessionLoop {
        var request = request
        request.device = source.source.device(settings)
        var limits = limits ?? settings.limits()
        var options = options
        options.reconnects = settings.reconnects
        options.requiresHost = limits.isBatch
        options.clock = context.clock
        limits.waitsForConsumers = !source.isLive
        if !source.isLive { limits.requestedDevice = request.device.map { RequestedReceiver($0) } }
        // The devices of a fleet report their counts in one message.
        limits.mergesSkies = (mergesSkies ?? settles) && !source.isFleet
        var updates = try updates(source, request, options)
        if settles { updates = updates.settled() }
        do throws(SystemFailure) {
            let loop = try SessionLoop(
                updates,
                consumers
                    + displays(
                        of: source, hasStatus: hasStatus, work: work, logs: logs, saysFailures: saysFailures),
                limits: limits, selection: selection, goal: goal,
                fences: settings.sessionFences,
                settlesAside: !settings.hooks.hooks.isEmpty,
                staleAfter: settings.staleAfter,
                clock: context.clock, signals: context.signals)
            if source.isLive { loop.console = console }
            loop.onFailure = { [console] in console.say("locwatch: \($0.message)\n") }
            return loop
        } catch {
            throw LocationError(.system, message: "\(error)")
        }
    }

    /// Confines the program to reading the file of the source, if it needs no other file, program or connection.
    private func confine(to source: SourceWord) {
        guard let path = source.source.file, settings.hooks.hooks.isEmpty, settings.metricsFile == nil,
            settings.plot == nil
        else { return }
        confine(
            by: .reader(of: path == "-" ? nil : path, programsIn: context.environment["PATH"] ?? ""),
            "can read \(source.place.printable) and nothing else of yours",
            withoutFiles: "opens no connection, but can read your files")
    }

    /// Confines the program to connections, the file of the source, and the folders that it writes in; call it before the
    /// first thread.
    ///
    /// A hook may do anything, and a private gpsd needs more, so that neither is confined by this.
    ///
    /// - Parameter paths: The files that the command writes, or their folders.
    package func confine(to source: SourceWord, writing paths: [String]) {
        let kind = source.source
        guard settings.hooks.hooks.isEmpty, kind.file != nil || kind.endpoint != nil || kind.fleet != nil else {
            return
        }
        // The password of a fleet's broker is read when the source is opened.
        let secrets = kind.fleet == nil ? [] : [settings.publishing.passwordFile].compactMap(\.self)
        let named = (kind.file.map { [$0] } ?? []) + settings.publishing.certificates + secrets
        let folders = Self.pathVariables.flatMap { name in
            (context.environment[name] ?? "").split(separator: ":").map(String.init)
        }
        let written = paths + (settings.metricsFile.map { [$0] } ?? [])
        let places = written.isEmpty ? "no file" : "only beside \(EnglishList.and(written.map(\.printable)))"
        confine(
            by: .service(reading: named + folders, writingIn: written, programsIn: context.environment["PATH"] ?? ""),
            "writes \(places), and reads none of your other files",
            withoutFiles: "changes no mode, owner or time of a file, but can read and write your files")
    }

    /// Confines the program by a rule; `--verbose` says what it can still do by the parts that are in force.
    private func confine(by rule: Confinement, _ words: String, withoutFiles others: String) {
        let parts = context.confine(rule)
        guard settings.verbosity == .verbose, !parts.isEmpty else { return }
        console.say("locwatch: this process \(parts.contains(.files) ? words : others) (\(parts))\n")
    }

    /// The variables that name files and folders of the libraries for connections.
    private static let pathVariables = [
        "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "OPENSSL_CONF",
    ]

    private func updates(
        _ source: SourceWord, _ request: LocationRequest, _ options: SessionOptions
    ) throws(LocationError) -> LocationUpdates {
        do throws(LocationError) {
            return try context.open(source, settings, options).updates(for: request)
        } catch {
            // A script gets the same JSON lines even if the source cannot be opened.
            guard settings.output.carries(.diagnostics) else { throw error }
            return LocationUpdates(for: request) { [clock = context.clock] in
                let mailbox = LocationMailbox(clock: clock)
                mailbox.finish(throwing: error)
                return mailbox
            }
        }
    }

    private func displays(
        of source: SourceWord, hasStatus: Bool, work: ((String) -> String)?, logs: Bool, saysFailures: Bool
    ) -> [any SessionConsumer] {
        var displays: [any SessionConsumer] = []
        if settings.verbosity == .verbose, let corrections = settings.corrections {
            console.say(
                "locwatch: the private gpsd writes to the receiver: the corrections from "
                    + "\("\(corrections)".printable), and short questions about its kind\n")
        }
        if logs, settings.verbosity == .verbose {
            if let missing = context.machine.confinement.missing {
                console.say("locwatch: decoders and private daemons are not confined in: \(missing)\n")
            }
            displays.append(
                VerboseLog(
                    console, style: TextStyle(degrees: settings.degrees, units: settings.units, glyphs: context.glyphs),
                    source: source.isFleet ? source : nil))
        }
        if logs, settings.verbosity == .normal, !settings.output.carries(.diagnostics) {
            let isSilent = saysFailures && !(hasStatus && showsStatus)
            displays.append(SourceMessages(console, isLive: source.isLive, failures: isSilent ? said : nil))
        }
        if hasStatus, showsStatus { displays.append(StatusDisplay(console, glyphs: context.glyphs, work: work)) }
        return displays
    }

    /// Returns whether a command that prints each failure, or says it on standard error, has done so in a session.
    package func hasReportedFailure(_ view: SessionView) -> Bool {
        settings.output.carries(.diagnostics) || settings.verbosity > .quiet && view.failure != nil
    }

    /// Ends a command whose session could not begin.
    ///
    /// - Parameter advice: What to do, instead of the usual advice on the error.
    package func fail(_ error: LocationError, advice: String? = nil) -> ExitCode {
        if error != said.last {
            var text = ErrorText(error, of: settings.source)
            if let advice { text.advice = advice.printable }
            console.say(text.lines, .error)
        }
        return ExitCode(for: error)
    }

    /// Ends a command whose output has failed.
    package func fail(_ failure: OutputFailure) -> ExitCode {
        console.wipe()
        guard failure != .readerGone else {
            // The program ends as silently as any other in a pipe whose reader has closed it.
            context.die(SIGPIPE)
            return .writingFailed
        }
        console.say("locwatch: \(failure.message)\n", .error)
        return failure.exitCode
    }

    /// Ends a command after its session with the last lines, the messages, and the exit code.
    ///
    /// - Parameters:
    ///   - shortfall: The reason why there was no position in time.
    ///   - absence: The reason why a live source told nothing at all, if that is so; see `SessionLoop`.
    ///   - advice: What to do about the shortfall, instead of the usual advice.
    ///   - isReported: Whether standard error already contains the reason for the shortfall and the advice.
    ///   - isAbsenceReported: Whether the output or standard error already contains the absence.
    ///   - finish: Writes the last lines.
    package func end(
        _ outcome: SessionOutcome, shortfall: LocationError, absence: LocationError? = nil, advice: String? = nil,
        isReported: Bool = false, isAbsenceReported: Bool = false,
        finish: (SessionEnd.Reason) throws(OutputFailure) -> Void
    ) -> ExitCode {
        console.wipe()
        let reason: SessionEnd.Reason
        switch outcome {
        case .ended(let ended): reason = ended
        case .signal: reason = .interrupted
        case .failed: reason = .failed
        case .output(let failure): return fail(failure)
        }
        do throws(OutputFailure) { try finish(reason) } catch { return fail(error) }
        if case .failed(let error) = outcome { return fail(error) }
        // A signal while the last lines were written counts too, because they may not have been written.
        if let number = CaughtSignals.first { return die(of: number) }
        guard reason == .timeout else {
            guard let absence else { return .done }
            return isAbsenceReported ? ExitCode(for: absence) : fail(absence)
        }
        guard isReported else { return fail(shortfall, advice: advice) }
        console.say("locwatch: no position within \((settings.timeout ?? .zero).spoken)\n")
        return ExitCode(for: shortfall)
    }

    /// Ends a command by the signal that came.
    package func die(of signal: Int32) -> ExitCode {
        console.wipe()
        context.die(signal)
        return .internalError
    }
}

extension SessionLoop {
    /// The reason why a live source told nothing, or gave no position because of a failure that is not over; otherwise `nil`.
    package func absence(of source: SourceWord) -> LocationError? {
        guard source.isLive else { return nil }
        if !view.isSatisfied, let failure = view.failure { return failure.error }
        return view.hasHeard ? nil : view.shortfall(after: lasted)
    }
}

extension Settings {
    /// Returns the limits of a session; see `SessionLoop.Limits.isBatch`.
    package func limits(isBatch: Bool = false) -> SessionLoop.Limits {
        SessionLoop.Limits(duration: duration, timeout: timeout, isBatch: isBatch)
    }

    /// The fences of the session, if any.
    var sessionFences: FenceList? {
        fences.isEmpty ? nil : FenceList(fences, dwellAfter: dwell ?? .seconds(300))
    }

    /// The positions that the user wants to see.
    package var selection: LocationRequest {
        LocationRequest(
            accuracy: accuracy, distanceFilter: distance, minimumInterval: interval, maxAge: maxAge)
    }

    /// Returns settings with which a recording is read as fast as possible, unless a pace was requested.
    package func withoutWaiting(for source: SourceWord) -> Settings {
        var settings = self
        if !source.isLive { settings.pace = settings.pace ?? .max }
        return settings
    }
}
