import Glibc
package import LocationCore
import GPSDProtocol
package import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
package import LocwatchTerminal

/// The session of a command, with its arguments and its context.
///
/// It opens the source, serves the consumers, and turns its end into an exit code.
package struct CommandSession {
    package var invocation: Invocation
    package var context: CommandContext

    package init(_ invocation: Invocation, _ context: CommandContext) {
        self.invocation = invocation
        self.context = context
        narrator.speak(for: settings)
    }

    package var settings: Settings {
        get { invocation.settings }
        set { invocation.settings = newValue }
    }

    package var source: SourceWord {
        get { invocation.source }
        set { invocation.source = newValue }
    }

    /// The voice of the command on standard error.
    package var narrator: Narrator { context.narrator }

    /// Confines the program, opens what the command writes and the source of the plan, and runs its session with the hooks of the
    /// settings; says what is left at the end, and returns the exit code.
    ///
    /// - Parameter finish: Writes the last lines of the command, and returns its result.
    package func run(
        _ plan: SessionPlan, finish: (Ending, SessionLoop) throws(OutputFailure) -> CommandResult
    ) -> ExitCode {
        let companions: SessionCompanions
        do throws(OutputFailure) { companions = try SessionCompanions(self) } catch { return fail(error) }
        narrator.lookAround()
        if let access = plan.access { confine(to: access) }
        do throws(StartFailure) { try plan.open() } catch { return fail(error) }
        let loop: SessionLoop
        do throws(LocationError) { loop = try self.loop(plan, companions) } catch { return fail(error) }
        let ending = loop.run()
        let code = end(ending, plan.needs) { () throws(OutputFailure) in try finish(ending, loop) }
        let lost = plan.consumers.reduce(0) { $0 + ($1.channel?.lost ?? 0) }
        guard code == .done, lost > 0 else { return code }
        narrator.sayFailure("the output was too slow: lost \(lost.counting("line"))")
        return .writingFailed
    }

    /// Runs a plan whose consumers print, and completes their output at the end.
    package func run(_ plan: SessionPlan) -> ExitCode {
        run(plan) { (_, _) throws(OutputFailure) in
            for consumer in plan.consumers { try consumer.channel?.finish() }
            return .done()
        }
    }

    /// Serves the consumers of a plan until a signal comes, without opening its source.
    ///
    /// - Parameter finish: Releases what the command serves: the program dies by the signal, and must leave no path behind.
    package func runWithoutSource(_ plan: SessionPlan, finish: () -> Void) -> ExitCode {
        if let access = plan.access { confine(to: access) }
        do throws(StartFailure) { try plan.open() } catch { return fail(error) }
        while CaughtSignals.first == nil {
            var wait = SessionWait(at: context.clock.now)
            wait.add(context.signals.descriptor, POLLIN)
            for consumer in plan.consumers { consumer.prepare(&wait) }
            wait.wait()
            do throws(OutputFailure) {
                for consumer in plan.consumers { _ = try consumer.serve(wait.descriptors) }
            } catch {
                finish()
                return fail(error)
            }
        }
        finish()
        return die(of: CaughtSignals.first ?? SIGTERM)
    }

    /// Returns the loop of a session without companions but for the narrator; see `run`.
    package func loop(_ plan: SessionPlan) throws(LocationError) -> SessionLoop {
        try loop(plan, SessionCompanions())
    }

    private func loop(_ plan: SessionPlan, _ companions: SessionCompanions) throws(LocationError) -> SessionLoop {
        // The criteria are those of the tracker: a provider that applied them would hide the positions that explain an absence.
        var request = LocationRequest(
            includesLines: plan.request.includesLines,
            includesClock: plan.request.includesClock || companions.metrics != nil,
            deviceInterval: plan.request.deviceInterval)
        request.device = source.device(settings)
        request.control = plan.request.control
        var options = SessionOptions()
        options.listsSatellites = plan.listsSatellites || companions.metrics != nil
        options.timeouts = plan.timeouts
        options.reconnects = settings.reading.reconnects
        options.requiresHost = plan.isBatch
        options.clock = context.clock
        let updates = try updates(request, options)
        sayMeans(of: plan)
        narrator.follow(plan, settings)
        do throws(SystemFailure) {
            let loop = try SessionLoop(
                updates, plan, companions.consumers(with: narrator), fences: companions.state?.fences,
                settings: settings, clock: context.clock, signals: context.signals)
            if source.isLive { loop.console = context.console }
            loop.metrics = companions.metrics
            let beginning = companions.state?.beginning
            if plan.showsDistance || companions.metrics != nil || beginning != nil {
                loop.measureDistance(startingAt: beginning ?? 0)
            }
            return loop
        } catch {
            throw LocationError.system(error)
        }
    }

    /// Says with `--verbose` what the programs around the session may do.
    private func sayMeans(of plan: SessionPlan) {
        guard settings.output.verbosity == .verbose else { return }
        if let corrections = source.corrections {
            narrator.say(
                "the private gpsd writes to the receiver: the corrections from \(corrections), and short questions about its kind"
            )
        }
        guard !plan.shows.steps, let missing = context.machine.confinement.missing else { return }
        narrator.say("decoders and private daemons are not confined in: \(missing)")
    }

    private func updates(
        _ request: LocationRequest, _ options: SessionOptions
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

    package func fail(_ error: LocationError, advice: String? = nil) -> ExitCode {
        narrator.sayFailure(error, advice: advice)
        return ExitCode(for: error)
    }

    package func fail(_ failure: OutputFailure) -> ExitCode {
        if failure.isInterruption, let number = CaughtSignals.first { return die(of: number) }
        narrator.wipe()
        guard failure != .readerGone else {
            // The program ends as silently as any other in a pipe whose reader has closed it.
            context.die(SIGPIPE)
            return .writingFailed
        }
        narrator.sayFailure(failure.message)
        return failure.exitCode
    }

    package func fail(_ failure: StartFailure) -> ExitCode {
        // A signal ends the preparations too.
        if let number = CaughtSignals.first { return die(of: number) }
        narrator.sayFailure(lines: failure.text)
        return failure.code
    }

    /// Ends a command after its session with the last lines, the messages, and the exit code.
    private func end(
        _ ending: Ending, _ needs: SessionNeeds, finish: () throws(OutputFailure) -> CommandResult
    ) -> ExitCode {
        narrator.wipe()
        if case .output(let failure) = ending.outcome { return fail(failure) }
        let result: CommandResult
        do throws(OutputFailure) { result = try finish() } catch { return fail(error) }
        if let error = ending.error(after: result) {
            let code = fail(error)
            return ending.isSignal ? die(of: CaughtSignals.first ?? SIGTERM) : code
        }
        // A signal while the last lines were written counts too, because they may not have been written.
        if let number = CaughtSignals.first { return die(of: number) }
        return switch ending.conclusion(of: result, needing: needs) {
        case .code(let code): code
        case .lack(let error, let advice): fail(error, advice: advice)
        case .absence(let error): narrator.hasSaid(error) ? ExitCode(for: error) : fail(error)
        }
    }

    package func die(of signal: Int32) -> ExitCode {
        narrator.wipe()
        context.die(signal)
        return .internalError
    }
}

extension Settings {
    /// The time after which a stay in a fence without a time of its own is a dwell.
    static let usualStay = Duration.seconds(300)

    var sessionFences: FenceList? {
        fences.isEmpty ? nil : FenceList(fences, dwellAfter: Self.usualStay)
    }
}
