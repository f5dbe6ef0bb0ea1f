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
    /// The voice of the command on standard error.
    package let narrator: Narrator

    /// Creates the session of a command.
    package init(_ context: CommandContext, _ settings: Settings) {
        self.context = context
        self.settings = settings
        narrator = Narrator(context.console, settings, settings.source, glyphs: context.glyphs)
    }

    var console: Console { context.console }

    /// Whether the status line of the search can be shown.
    package var showsStatus: Bool { settings.verbosity > .quiet && console.canRewrite(console.error) }

    /// Opens the source of a plan and runs its session, with the hooks of the settings.
    ///
    /// - Parameter end: Converts the end of the session into an exit code.
    package func run(_ plan: SessionPlan, end: (SessionLoop, SessionOutcome) -> ExitCode) -> ExitCode {
        let hooks = HookConsumer(plan.source, settings, context, narrator)
        if let writes = plan.writes { confine(to: plan.source, writing: writes) }
        var plan = plan
        if let hooks { plan.consumers.append(hooks) }
        let loop: SessionLoop
        do throws(LocationError) { loop = try self.loop(plan) } catch { return fail(error) }
        let outcome = loop.run()
        narrator.finish(outcome, loop.view)
        return end(loop, hooks?.finish(outcome, signals: context.signals) ?? outcome)
    }

    /// Returns the loop of a session; see `run`.
    package func loop(_ plan: SessionPlan) throws(LocationError) -> SessionLoop {
        let source = plan.source
        var request = plan.request
        request.device = source.source.device(settings)
        var limits = plan.limits ?? settings.limits()
        var options = plan.options
        options.reconnects = settings.reconnects
        options.requiresHost = limits.isBatch
        options.clock = context.clock
        limits.waitsForConsumers = !source.isLive
        if !source.isLive { limits.requestedDevice = request.device.map { RequestedReceiver($0) } }
        let updates = try updates(source, request, options)
        sayMeans(of: plan)
        narrator.follow(
            plan, style: TextStyle(degrees: settings.degrees, units: settings.units, glyphs: context.glyphs))
        do throws(SystemFailure) {
            let loop = try SessionLoop(
                updates, plan.consumers + [narrator],
                limits: limits, selection: plan.selection, goal: plan.goal,
                fences: settings.sessionFences,
                staleAfter: settings.staleAfter,
                clock: context.clock, signals: context.signals)
            if source.isLive { loop.console = console }
            return loop
        } catch {
            throw LocationError.system(error)
        }
    }

    /// Says with `--verbose` what the programs around the session may do.
    private func sayMeans(of plan: SessionPlan) {
        guard settings.verbosity == .verbose else { return }
        if let corrections = settings.source.source.corrections {
            narrator.say(
                "the private gpsd writes to the receiver: the corrections from \(corrections), and short questions about its kind"
            )
        }
        guard !plan.shows.steps, let missing = context.machine.confinement.missing else { return }
        narrator.say("decoders and private daemons are not confined in: \(missing)")
    }

    /// Confines the program to what a session of a source needs; call it before the first thread.
    ///
    /// A hook may do anything, the program that converts a picture and a private gpsd need more, so that none of them is confined
    /// by this.
    ///
    /// - Parameters:
    ///   - paths: The files that the command writes, or their folders; the metrics and the picture are added.
    ///   - others: The files that it reads beside those of its source and of its options for connections.
    ///   - connects: Whether it has connections, as a session of a live source has anyway.
    package func confine(
        to source: SourceWord, writing paths: [String], reading others: [String] = [], connects: Bool = false
    ) {
        let kind = source.source
        let file = kind.recording?.file
        let picture: String? = if case .file(let path) = settings.plot { path } else { nil }
        guard settings.hooks.hooks.isEmpty, picture.map(PictureFile.isConverted) != true,
            file != nil || kind.endpoint != nil || kind.fleet != nil
        else { return }
        let needs = needs(of: source, connects: connects || source.isLive)
        var read = [file].compactMap(\.self).filter { $0 != "-" } + others
        read += Self.libraries(context.environment["LD_LIBRARY_PATH"] ?? "")
        if needs.contains(.connections) {
            // The password of a fleet's broker is read when the source is opened.
            let secrets = kind.fleet == nil ? [] : [settings.publishing.passwordFile].compactMap(\.self)
            read += settings.certificates + secrets
            read += Self.pathVariables.flatMap { name in
                (context.environment[name] ?? "").split(separator: ":").map(String.init)
            }
        }
        let written = paths + [settings.metricsFile, picture].compactMap(\.self)
        let isVerbose = settings.verbosity == .verbose
        if needs.contains(.decoders) { RecordedSource.prepareDecoders() }
        // A confined process cannot try any more which parts hold for decoders.
        if isVerbose { _ = context.machine.confinement }
        let parts = context.confine(
            .own(needs, reading: read, writingIn: written, starting: RecordedSource.decoders))
        guard isVerbose, !parts.isEmpty else { return }
        let words = Self.words(parts, source, needs, written)
        narrator.say("this process \(words) (\(parts))")
    }

    private func needs(of source: SourceWord, connects: Bool) -> Confinement.Needs {
        var needs: Confinement.Needs = connects ? .connections : []
        if source.source.recording?.needsDecoder(settings) == true { needs.insert(.decoders) }
        let places = [source.place] + settings.publishing.targets.map { "\($0)" }
        // Avahi, which resolves these names, is asked by a socket of this machine.
        if connects, places.contains(where: { $0.containsBytes(of: ".local") }) { needs.insert(.localSockets) }
        return needs
    }

    /// Returns what the process can still do, as the parts that are in force leave it.
    private static func words(
        _ parts: ConfinementParts, _ source: SourceWord, _ needs: Confinement.Needs, _ written: [String]
    ) -> String {
        let connects = needs.contains(.connections)
        guard parts.contains(.files) else {
            return connects || !written.isEmpty
                ? "changes no mode, owner or time of a file, but can read and write your files"
                : "opens no connection, but can read your files"
        }
        if written.isEmpty, !connects { return "can read \(source.place.printable) and nothing else of yours" }
        let places = written.isEmpty ? "no file" : "only beside \(EnglishList.and(written.map(\.printable)))"
        return "writes \(places), and reads none of your other files"
    }

    /// The variables that name files and folders of the libraries for connections.
    private static let pathVariables = ["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "OPENSSL_CONF"]

    /// Returns the libraries in folders that are separated by colons; such a folder can have other files of the user, which are
    /// not for this process.
    private static func libraries(_ folders: String) -> [String] {
        folders.split { $0 == ":" || $0 == ";" }.flatMap { folder in
            FolderNames.list(String(folder)).filter { $0.hasPrefix("lib") && $0.containsBytes(of: ".so") }
                .map { "\(folder)/\($0)" }
        }
    }

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

    /// Ends a command whose session could not begin.
    ///
    /// - Parameter advice: What to do, instead of the usual advice on the error.
    package func fail(_ error: LocationError, advice: String? = nil) -> ExitCode {
        narrator.sayFailure(error, advice: advice)
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
        narrator.sayFailure(failure.message)
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
        narrator.sayFailure("no position within \((settings.timeout ?? .zero).spoken)")
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
        fences.isEmpty ? nil : FenceList(fences, dwellAfter: .seconds(300))
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
