package import LocationCore
import GPSDProtocol
package import LocwatchArguments
package import LocwatchPrinting
package import LocwatchPlatform
package import LocwatchTerminal

/// The only voice of the program on standard error: its messages, the failures of its session with advice, and the line on a
/// terminal that is rewritten in place.
///
/// There is one, in `CommandContext`, which knows what the output and the screen have shown. Other threads use `ThreadMessages`.
///
/// It says nothing twice, nothing that the output or the screen shows, and with `--quiet` only why the command or a hook fails.
package final class Narrator: SessionConsumer {
    private let console: Console
    private let glyphs: Glyphs
    private var settings = Settings() {
        didSet {
            isQuiet = settings.output.verbosity == .quiet
            isTold = settings.output.carries(.diagnostics)
        }
    }
    // What each update needs of the settings, which would be copied for it.
    private var isQuiet = false
    /// Whether the output has each failure and notice with all that is known.
    private var isTold = false
    /// Whether it says that no position is accurate enough.
    private var notesAccuracy = false
    private var source = SourceWord.standard
    private var shows = SessionPlan.Shown()
    private var needs: SessionNeeds = []
    private let machine: (any ExaminedMachine)?
    private var advice = FailureAdvice(for: .standard, on: nil)
    /// The advice that was given in this session, of which none is repeated.
    private var given: Set<String> = []
    private var lastFailure: LocationError?
    /// The words that follow the output to which it belongs.
    private var pending: [String] = []
    private var log: VerboseLog?
    private var search: SearchProgress?
    /// Whether there is a log or a search, which follow all updates; a look at each of them costs more.
    private var isFollowing = false
    /// Whether the line that is rewritten shows the part of a recording that has been read.
    private var showsProgress = false
    private var progress: ReadingProgress?
    private var skipped = SkippedLines()
    private var coarse = CoarsePositions()
    /// Whether the pace of a recording is still to be said at the first wait for it.
    private var saysPace = false
    private var hasRead = false
    private var hasFinished = false
    private weak var loop: SessionLoop?

    package init(_ console: Console, glyphs: Glyphs, machine: (any ExaminedMachine)? = nil) {
        self.console = console
        self.glyphs = glyphs
        self.machine = machine
    }

    /// Speaks from now on as the settings of a command say.
    func speak(for settings: Settings) {
        self.settings = settings
        source = settings.source
        advice = FailureAdvice(for: source, on: machine)
    }

    /// Looks at what the machine has, before the program is confined.
    func lookAround() { advice.prepare() }

    // MARK: Messages

    /// Says something, except with `--quiet`; hidden characters from outside are shown as visible text.
    package func say(_ words: String, _ level: MessageLevel = .warning) {
        if !isQuiet { console.say("locwatch: \(words.printable)\n", level) }
    }

    /// Says why the command or a hook fails.
    package func sayFailure(_ words: String) { console.say("locwatch: \(words.printable)\n", .error) }

    /// Says why the command fails in whole lines, each with the name of the program.
    package func sayFailure(lines: String) { console.say(lines, .error) }

    /// Says why the command fails, unless it was said before.
    ///
    /// - Parameter advice: What to do, instead of the usual advice on the error.
    package func sayFailure(_ error: LocationError, advice: String? = nil) {
        guard error != lastFailure else { return }
        var text = self.text(error)
        if text.advice.map(given.contains) == true { text = ErrorText(error, of: source) }
        if let advice { text.advice = advice.printable }
        console.say(text.lines, .error)
    }

    /// Returns the message of an error, with the advice on it.
    package func text(_ error: LocationError) -> ErrorText { advice.text(error) }

    /// Returns the advice on an event of the session, unless it was given before.
    package func takeAdvice(on event: LocationEvent) -> String? {
        let words: String? =
            switch event {
            case .failure(let error, _): text(error).advice
            case .searching(.noDevice, _): advice.onMissingReceiver
            default: nil
            }
        return words.flatMap { given.insert($0).inserted ? $0 : nil }
    }

    // MARK: The rewritten line

    package var canShowLine: Bool { !isQuiet && console.canRewrite(console.error) }

    package func show(line: String) { console.show(line: line) }

    package func wipe() { console.wipe() }

    // MARK: Failures

    /// Returns whether the output or standard error has a failure.
    func hasSaid(_ failure: LocationError) -> Bool { isTold || failure == lastFailure }

    /// Says why an ended session has shown no position, unless the output or the failure at the end tells it; `misses` are
    /// reports without a fix.
    package func sayAbsence(of positions: Int, misses: Int, after ending: Ending) {
        guard !isTold else { return }
        if ending.reason == .timeout, hasSaid(ending.shortfall) {
            return sayFailure("no position within \((settings.limits.timeout ?? .zero).spoken)")
        }
        guard positions == 0, !needs.contains(.position), ending.reason == .ended || ending.reason == .duration,
            ending.absence == nil, case .noFix(let reason) = ending.shortfall
        else { return }
        if misses > 0, case .noPosition = reason {
            say("no fix in \(misses.counting("report"))")
        } else {
            say(ErrorText(ending.shortfall).message)
        }
    }

    // MARK: The session

    func follow(_ plan: SessionPlan, _ settings: Settings) {
        self.settings = settings
        given = []
        lastFailure = nil
        (shows, needs) = (plan.shows, plan.needs)
        pending = []
        (log, search, progress, skipped, coarse) = (nil, nil, nil, SkippedLines(), CoarsePositions())
        (saysPace, hasRead, hasFinished) = (false, false, false)
        (notesAccuracy, isFollowing, showsProgress) = (false, false, false)
        guard !isQuiet else { return }
        if settings.output.verbosity == .verbose, !shows.steps {
            let style = TextStyle(degrees: settings.output.degrees, units: settings.output.units, glyphs: glyphs)
            log = VerboseLog(style: style, source: source)
        }
        if canShowLine {
            switch shows.line {
            case .none: break
            case .search: search = SearchProgress()
            case .progress:
                if settings.reading.pace == .max, let size = source.recording?.size, size > 0 {
                    progress = ReadingProgress(of: size)
                }
            }
        }
        (isFollowing, showsProgress) = (log != nil || search != nil, progress != nil)
        notesAccuracy =
            source.isLive && shows.failures != .byCommand && (search == nil || !shows.workHasShortfall)
        let isPaced = source.recording?.isPaced(settings) ?? false
        saysPace = isPaced && !console.outputIsTerminal && plan.consumers.contains { $0.channel != nil }
    }

    package func begin(_ loop: SessionLoop) { self.loop = loop }

    package func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        guard !isQuiet else { return nil }
        hasRead = true
        if isFollowing {
            search?.process(update)
            if let words = log?.words(for: update, view) { pending.append(words) }
        }
        noteAccuracy(update, view)
        guard !isTold else { return nil }
        switch update {
        case .update(let event, let standing):
            switch event.event {
            case .notice(let notice): process(notice, view)
            case .failure(let error, _) where standing != .repeated: process(error)
            case .searching(.noDevice, _): adviseOnReceivers(event.event)
            default: break
            }
        case .failureEnded(let run, _):
            // If it ends the session later, it is news.
            lastFailure = nil
            count(run)
        default: break
        }
        return nil
    }

    /// Says that no position is accurate enough, which no output shows, unless the line of the search does.
    private func noteAccuracy(_ update: TrackedUpdate, _ view: SessionView) {
        guard notesAccuracy, case .update(let event, _) = update, let words = coarse.words(for: event, view) else {
            return
        }
        pending.append(words)
    }

    /// Says a message of a track or a live source for people, such as the loss of corrections; those in a recording are old.
    private func process(_ notice: Notice, _ view: SessionView) {
        if !source.isLive { skipped.process(notice) }
        switch notice.content {
        case .message, .corrections:
            if log == nil, !shows.steps, source.isLive || view.isTrack { pending.append(notice.message) }
        default: break
        }
    }

    private func process(_ failure: LocationError) {
        switch shows.failures {
        case .byCommand: return
        case .inOutput: lastFailure = failure
        case .nowhere:
            // The line of the search shows the failure, and the log has it.
            guard search == nil else { return }
            if log == nil { pending.append(ErrorText(failure).message) }
            lastFailure = failure
        }
        if let words = takeAdvice(on: .failure(failure)) { pending.append(words) }
    }

    /// Says which receivers a gpsd without one could read.
    private func adviseOnReceivers(_ event: LocationEvent) {
        guard shows.failures != .byCommand, let words = takeAdvice(on: event) else { return }
        // The line of the search and each step in the output have the reason.
        let isShown = shows.steps || search != nil || log != nil
        pending.append(isShown ? words : "gpsd has no receiver; \(words)")
    }

    private func count(_ run: FailureRun) {
        guard shows.failures != .byCommand, log == nil, search == nil, let words = run.countText else { return }
        pending.append(words)
    }

    package func serve(_ ready: PollSet) -> SessionEnd.Reason? {
        flush()
        guard showsProgress, let loop else { return nil }
        if let line = progress?.line(read: { loop.bytesRead }, columns: console.columns) { console.show(line: line) }
        return nil
    }

    /// Says what belongs to the output that was written before.
    private func flush() {
        guard !pending.isEmpty else { return }
        for words in pending { say(words) }
        pending = []
    }

    package func prepare(_ wait: inout SessionWait) {
        guard !hasFinished else { return }
        if isFollowing, let search, shows.work != nil || search.state.location == nil { wait.shorten(to: .seconds(1)) }
        if !wait.hasInput { refresh(at: wait.now) }
    }

    private func refresh(at now: Moment) {
        // A recording at its own pace looks like a standstill to a program that reads the output.
        if saysPace, hasRead {
            saysPace = false
            say("\(source.place) is played at its recorded pace; --pace max reads it at once")
        }
        guard isFollowing, let search else { return }
        let duration = Duration.seconds(max(0, now.elapsed.components.seconds)).spoken
        let line = search.line(after: shows.work?(duration), at: now, columns: console.columns, glyphs: glyphs)
        if let line { console.show(line: line) } else { console.wipe() }
    }

    /// Says once what is left at the end of the session: the repetitions of a failure, and the lines that could not be read.
    package func linger(_ ending: Ending) -> Bool {
        guard !hasFinished else { return false }
        hasFinished = true
        if !isQuiet, !isTold, let run = loop?.view.failure { count(run) }
        flush()
        if search != nil || progress != nil { wipe() }
        if case .ended = ending.outcome, let words = skipped.words { say("\(source.place): \(words)") }
        return false
    }
}
