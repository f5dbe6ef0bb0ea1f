import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `where`, which prints where a recording or a track was at given times.
///
/// It reads the recording once, and prints at its end a position, or why there is none, for each time in the order in which they were
/// given. A line of standard input that is not a time counts as a time without a position, so that the lines of the output belong to
/// those of the input.
final class WhereCommand: Command, SessionHolder, PrintingConsumer {
    static let entry = CommandEntry(
        "where", operands: [.requiredSource("FILE"), .words("TIME...")],
        options: [
            "accuracy", "color", "columns", "csv", "device", "fix", "format", "json", "no-header", "precision", "quiet",
            "stale", "units", "utc", "verbose",
        ],
        readsAtOnce: true,
        summary: "where a recording or a track was at a time",
        description: [
            "Prints the position at each TIME, if need be between two epochs. In a gap the exit code is 75, and the message has the "
                + "nearest times. PAST POSITIONS has the rules.",
            "TIME is as in 2026-11-20T14:03:21+01:00. Without an offset it is local time, or UTC with --utc; Exif's form "
                + "'2026:11:20 14:03:21' is read, too. - reads times from standard input, one a line.",
        ],
        examples: [
            "locwatch where drive.json '2026-11-20 09:00:21'": "where was it then?",
            "locwatch where drive.json --csv -": "the same for times from standard input, one a line",
        ])

    /// A time that was asked for.
    private enum Request {
        case time(Timestamp)
        /// A line of standard input that is not a time, with the reason.
        case invalid(LocationError)
    }

    let session: CommandSession
    let output: OutputChannel
    private var printer: any EventPrinter
    private let requests: [Request]
    private var assembler: TrackAssembler
    private var lookup: TrackLookup

    static func check(_ invocation: Invocation) throws(UsageError) {
        try invocation.checkOutput()
        guard !invocation.source.isLive else {
            throw UsageError(
                "where looks positions up in a recording or a track, and \(invocation.source.description.printable) is none"
            )
        }
        let times = try times(of: invocation)
        // Release 0.5 could read the recording from standard input.
        let isFormer = !invocation.settings.reading.formerTimes.isEmpty
        if invocation.source.recording?.path == "-", times.readsInput || !isFormer {
            throw UsageError("where reads FILE from a file; standard input is for the times of -")
        }
        guard invocation.settings.output.carries(.signals) else { return }
        throw UsageError(
            of: "format", message: "a status bar shows the present; where needs text, CSV, JSON or a template")
    }

    static func run(_ session: CommandSession) -> ExitCode {
        do throws(StartFailure) { return try WhereCommand(session).run() } catch { return session.fail(error) }
    }

    private static func times(of invocation: Invocation) throws(UsageError) -> RequestedTimes {
        try RequestedTimes(invocation.settings.reading.formerTimes + invocation.rest)
    }

    private init(_ session: CommandSession) throws(StartFailure) {
        var session = session
        do throws(UsageError) { session.settings.reading.times = try Self.times(of: session.invocation) } catch {
            throw StartFailure(error)
        }
        self.session = session
        let requests = try Self.requests(session)
        self.requests = requests
        lookup = TrackLookup(of: requests.compactMap { if case .time(let time) = $0 { time } else { nil } })
        assembler = TrackAssembler()
        printer = session.printer()
        output = session.output(printer)
    }

    /// Returns the times of the arguments and then those of standard input.
    private static func requests(_ session: CommandSession) throws(StartFailure) -> [Request] {
        let times = session.settings.reading.times
        var requests: [Request] = []
        do throws(UsageError) {
            for time in times.times { requests.append(.time(try time.time(in: session.localTime))) }
        } catch {
            throw StartFailure(error.of(session.invocation.command))
        }
        guard times.readsInput else { return requests }
        // A terminal would otherwise look like a program that hangs.
        if Terminal.isShown(on: session.context.input) {
            session.narrator.say("reading times from the terminal, one a line, until Ctrl-D")
        }
        let lines = try TimesInput.read(session.context.input, signals: session.context.signals)
        return requests + lines.enumerated().map { request($1, line: $0 + 1, session.localTime) }
    }

    private static func request(_ line: String, line number: Int, _ zone: LocalTime) -> Request {
        let text = String(line[...].trimmed)
        do throws(UsageError) {
            guard let time = RequestedTime(text) else {
                throw UsageError("\"\(text.printable)\" is not \(RequestedTimes.allowed)")
            }
            return .time(try time.time(in: zone))
        } catch {
            return .invalid(.other(code: "time", message: "line \(number) of standard input: \(error.message)"))
        }
    }

    private func run() -> ExitCode {
        var plan = SessionPlan(self)
        plan.needs = .position
        plan.isBatch = true
        plan.listsSatellites = false
        plan.shows.line = .progress
        return session.run(plan, finish: finish)
    }

    func begin(_ loop: SessionLoop) throws(OutputFailure) {
        guard !settings.output.omitsHeader else { return }
        let start = SessionStart(source: source, now: context.clock.now.wall, isSingleLine: requests.count == 1)
        try output.put { printer.start(start, into: &$0) }
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        assembler.process(update) { element in
            guard case .point(var point) = element else { return lookup.process(element) }
            let reported = view.reported(point.location, nil, at: update.moment)
            (point.verdict, point.isStationary) = (reported.verdict, reported.isStationary)
            lookup.process(.point(point))
        }
        return nil
    }

    private func finish(_ ending: Ending, _ loop: SessionLoop) throws(OutputFailure) -> CommandResult {
        guard !ending.isSignal else { return .lacking(ending.shortfall) }
        var found = 0
        var absences: [LocationError] = []
        var results = lookup.results[...]
        // A file that is not a recording tells nothing about any time.
        for request in ending.error != nil && assembler.points == 0 ? [] : requests {
            switch answer(to: request, &results) {
            case .success(let (point, time)):
                found += 1
                try output.put { printer.print(point, at: time, into: &$0) }
            case .failure(let error):
                absences.append(error)
                try printAbsence(of: request, error, ending)
            }
        }
        if let error = ending.error, !settings.output.carries(.messages) {
            try output.put {
                printer.print(error, advice: narrator.text(error).advice, retry: nil, at: ending.moment, into: &$0)
            }
        }
        try output.put {
            printer.end(SessionEnd(time: ending.moment.wall, reason: ending.reason, locations: found), into: &$0)
        }
        try output.finish()
        return result(found, absences, ending)
    }

    /// Returns the position at a time, or the reason why there is none that is good enough.
    private func answer(
        to request: Request, _ results: inout ArraySlice<TrackLookup.Result>
    ) -> Result<(TrackPoint, Timestamp), LocationError> {
        switch request {
        case .invalid(let error): return .failure(error)
        case .time(let time):
            switch results.popFirst() {
            case .found(let point):
                let location = point.location
                if let wanted = settings.request.fix, location.fix < wanted {
                    return .failure(.noFix(.tooFlat(best: location, wanted: wanted)))
                }
                if let wanted = settings.request.accuracy, location.horizontalAccuracy.map({ $0 > wanted }) ?? true {
                    return .failure(.noFix(.tooCoarse(best: location, wanted: wanted)))
                }
                return .success((point, time))
            case .missing(let before, let after):
                return .failure(.noFix(.notRecorded(at: time, before: before, after: after)))
            case nil: return .failure(.noFix(.notRecorded(at: time, before: nil, after: nil)))
            }
        }
    }

    /// Prints what a format has for a time without a position, so that the lines of a table stay those of the times.
    private func printAbsence(of request: Request, _ error: LocationError, _ ending: Ending) throws(OutputFailure) {
        let time: Timestamp? = if case .time(let time) = request { time } else { nil }
        try output.put { out in
            // A single answer is either there or not, as with `once`.
            if requests.count > 1 { printer.printMissing(at: time, into: &out) }
            // Text for people has the reasons on standard error.
            guard !settings.output.carries(.messages) else { return }
            let moment = Moment(elapsed: .zero, wall: time ?? ending.moment.wall)
            printer.print(error, advice: nil, retry: nil, at: moment, into: &out)
        }
    }

    /// Says what is missing, unless the output has it, and returns the result.
    private func result(_ found: Int, _ absences: [LocationError], _ ending: Ending) -> CommandResult {
        guard let first = absences.first else {
            return found > 0 || requests.isEmpty ? .found() : .lacking(ending.shortfall)
        }
        // The only reason has advice, too.
        if requests.count == 1, ending.error == nil, case .noFix = first { return .lacking(first) }
        if !settings.output.carries(.diagnostics) {
            for error in absences { narrator.sayFailure(ErrorText(error).message) }
        }
        return ending.error == nil ? .found(.noFix) : .lacking(first)
    }
}
