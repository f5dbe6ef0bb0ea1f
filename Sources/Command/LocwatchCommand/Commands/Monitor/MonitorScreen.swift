import Glibc
import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The consumer of a session that shows it on a terminal and obeys its keys.
///
/// It draws at most ten times a second whatever the receiver's rate, at most once a second while nothing arrives, and
/// writes only what has changed. A comparison of clocks is shown with the next epoch, or by the next tick.
final class MonitorScreen: SessionConsumer {
    /// The least time between two frames.
    static let frameInterval = Duration.milliseconds(100)
    /// The time for which the parts of one epoch are gathered before they are drawn.
    private static let gathering = Duration.milliseconds(10)
    /// The interval at which ages and clocks are updated while nothing arrives.
    private static let tick = Duration.seconds(1)
    /// The time after a change in which the next epoch of a receiver with one a second makes a tick unnecessary.
    private static let epoch = Duration.milliseconds(1300)
    /// The time after which an escape character is a key and not the start of a sequence, however slow the line.
    private static let escapeTime = Duration.milliseconds(500)

    private let terminal: any ScreenTerminal
    private let source: SourceWord
    private let settings: Settings
    private let playback: PlaybackClock?
    /// The time in the recording at which the session begins.
    private let start: Duration
    private var output: ScreenOutput
    private var decoder = KeyDecoder()
    private(set) var state: MonitorState
    private(set) var view: MonitorView
    /// The state that is shown while the screen is frozen.
    private var frozen: MonitorState?
    private var updateLines = UpdateLines()
    private var files: [MonitorFile] = []
    private static let mostFiles = 4
    /// The time that files have at the end, on a disk that may not answer.
    private static let savingTime = Duration.seconds(5)
    private weak var loop: SessionLoop?
    /// Reads the clock of the frames and keys.
    private let instant: () -> ContinuousClock.Instant
    private var drawn: ContinuousClock.Instant?
    /// Whether the last frame was drawn because something had changed, and not because time had passed.
    private var hasDrawnChange = false
    /// The time of the first change that is not drawn yet.
    private var changed: ContinuousClock.Instant?
    /// The parts of an epoch that are not drawn yet.
    private var gathered = (position: false, satellites: false)
    private var escaped: ContinuousClock.Instant?
    /// The time in the recording at which the session is to be played again, after a move backwards.
    private(set) var restart: Duration?
    private var requestedEnd: SessionEnd.Reason?
    /// Returns the advice on an event, if any is left to give.
    private let advice: (LocationEvent) -> String?
    /// The time at which the end of the session waits no longer for a disk; `nil` before the end.
    private var giveUp: ContinuousClock.Instant?

    init(
        _ terminal: any ScreenTerminal, _ source: SourceWord, _ settings: Settings, view: MonitorView,
        depth: ColorDepth, playback: PlaybackClock?, start: Duration = .zero, now: Moment,
        instant: @escaping () -> ContinuousClock.Instant = { .now },
        advice: @escaping (LocationEvent) -> String? = { _ in nil }
    ) {
        (self.terminal, self.source, self.settings, self.view) = (terminal, source, settings, view)
        self.playback = playback
        self.instant = instant
        self.start = start
        self.advice = advice
        output = ScreenOutput(terminal, depth: depth)
        state = MonitorState(
            place: source.place, word: source.description, reference: settings.output.events.reference, now: now)
    }

    func begin(_ loop: SessionLoop) {
        self.loop = loop
        changed = instant()
        // A recording that is played again has its first frame when the old time has been reached.
        if start > .zero { drawn = instant() }
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        state.process(update, view)
        let lines = updateLines.lines(for: update, view)
        if case .update(let event, _) = update {
            switch event.event {
            case .line:
                // A line changes nothing on the screen unless it is shown.
                if self.view.showsRaw == true { requestFrame() }
                return nil
            case .clock:
                // A receiver's message comes late in the second: a frame of its own would double their number.
                return nil
            case .location: gathered.position = true
            case .satellites: gathered.satellites = true
            default: break
            }
            if let words = advice(event.event) { state.advise(words, at: update.moment) }
        }
        for line in lines { state.keep(Array(line), at: update.moment) }
        requestFrame()
        return nil
    }

    private func requestFrame() { if changed == nil { changed = instant() } }

    // MARK: Drawing

    /// The time at which the next frame is due.
    private var due: ContinuousClock.Instant? {
        guard let drawn else { return changed }
        let tick = frozen == nil ? drawn + (hasDrawnChange ? Self.epoch : Self.tick) : nil
        // With a position and its satellites there is nothing more to wait for.
        let gathering = gathered.position && gathered.satellites ? .zero : Self.gathering
        let change = changed.map { max($0 + gathering, drawn + Self.frameInterval) }
        guard let tick, let change else { return tick ?? change }
        return min(tick, change)
    }

    private func drawWhatIsDue() throws(OutputFailure) {
        if let escaped, instant() >= escaped + Self.escapeTime {
            self.escaped = nil
            if let key = decoder.expire() { process(key) }
        }
        try output.flush()
        guard !output.isWaiting, let due, instant() >= due else { return }
        try draw()
    }

    /// Draws the current state, unless the screen is frozen.
    func draw() throws(OutputFailure) {
        drawn = instant()
        hasDrawnChange = changed != nil
        changed = nil
        gathered = (false, false)
        state.advance(to: now)
        if let playback {
            view.playback = PlaybackStatus(
                rate: playback.rate, isPaused: playback.isPaused, isAtEnd: isAtEnd, position: position(playback))
        }
        try output.show(Monitor.render(frozen ?? state, view, size: terminal.size))
    }

    /// The position in a recording, which ends with its last line even if playback has jumped further.
    private func position(_ playback: PlaybackClock) -> Duration {
        isAtEnd ? state.now.elapsed : min(max(playback.elapsed, start), .seconds(86_400 * 365))
    }

    private var isAtEnd: Bool { playback?.hasEnded ?? false }

    /// The current moment: that of the session, or of the playback between two lines of a recording.
    private var now: Moment {
        guard let playback else { return loop?.now ?? state.now }
        // The history would have a gap where lines have not been read yet.
        guard !playback.isCatchingUp else { return state.now }
        let ahead = playback.elapsed - state.now.elapsed
        guard ahead > .zero, state.now.elapsed > .zero, !isAtEnd, ahead < .seconds(3600) else { return state.now }
        return state.now.advanced(by: ahead)
    }

    // MARK: Keys

    func prepare(_ wait: inout SessionWait) {
        if let giveUp {
            // The screen is left, and only files are waited for.
            for file in files where !file.done.hasHappened { wait.add(file.done.descriptor, POLLIN) }
            return wait.shorten(to: max(.zero, giveUp - instant()) + .milliseconds(1))
        }
        wait.add(terminal.descriptor, POLLIN | (output.isWaiting ? POLLOUT : 0))
        wait.add(terminal.changeDescriptor, POLLIN)
        for file in files { wait.add(file.done.descriptor, POLLIN) }
        // Milliseconds are rounded down, so that one is added.
        if !output.isWaiting, let due { wait.shorten(to: max(.zero, due - instant()) + .milliseconds(1)) }
        if let escaped { wait.shorten(to: max(.zero, escaped + Self.escapeTime - instant()) + .milliseconds(1)) }
    }

    func serve(_ ready: PollSet) throws(OutputFailure) -> SessionEnd.Reason? {
        guard giveUp == nil else { return nil }
        if ready.isReady(terminal.changeDescriptor), terminal.takeChanges() {
            output.forget()
            requestFrame()
        }
        let saved = files.filter { ready.isReady($0.done.descriptor) }
        if let words = saved.last?.words {
            view.message = words
            requestFrame()
        }
        files.removeAll { ready.isReady($0.done.descriptor) }
        // Keys that were typed before a hangup are still read.
        if ready.isReady(terminal.descriptor, POLLIN | POLLHUP | POLLERR) {
            for key in decoder.keys(in: try terminal.read()) { process(key) }
            escaped = decoder.isWaiting ? escaped ?? instant() : nil
        }
        try drawWhatIsDue()
        return requestedEnd
    }

    func process(_ key: Key) {
        requestFrame()
        let shown = frozen ?? state
        let layout = Monitor.layout(shown, view, size: terminal.size)
        switch view.process(
            key, shown, logRows: layout?.rows(of: LogBox.self) ?? 1,
            showsGround: layout?.rows(of: GroundBox.self) != nil, showsRaw: layout?.rows(of: RawBox.self) != nil,
            hiddenHelp: HelpBox.hiddenLines(on: terminal.size))
        {
        case .quit: requestedEnd = .interrupted
        case .freeze: freeze()
        case .redraw: output.forget()
        case .saveRecording: save(ending: ".json") { [state, source] in state.recording(of: source) }
        case .savePicture:
            save(ending: ".svg") { [state, source, settings, units = view.units] in
                state.picture(of: source, staleAfter: settings.limits.staleAfter, units: units)
            }
        case .scrub(let distance): scrub(distance)
        case .changePace(let factor):
            guard let playback else { break }
            let rate = playback.rate >= PlaybackClock.fastest ? 1 : playback.rate
            playback.setRate(min(rate * factor, 1024))
        case .choose(let device):
            state.choose(device)
            if frozen != nil { freeze() }
        case nil: break
        }
    }

    private func freeze() {
        if let playback {
            if !isAtEnd { playback.setPaused(!playback.isPaused) }
            return
        }
        if frozen == nil {
            frozen = state
            view.frozen = state.now.wall
        } else {
            frozen = nil
            view.frozen = nil
        }
    }

    private func scrub(_ distance: Duration) {
        guard let playback else { return }
        if distance > .zero, restart == nil {
            if !isAtEnd { playback.skip(distance) }
        } else if source.recording?.size == nil {
            view.message = "a pipe cannot be played again"
        } else {
            // Several keys can arrive at once.
            restart = max(.zero, (restart ?? position(playback)) + distance)
            requestedEnd = .interrupted
        }
    }

    private func save(ending: String, _ content: sending @escaping () -> [UInt8]) {
        guard files.count < Self.mostFiles else {
            view.message = "\(files.count.counting("file")) are still being saved"
            return
        }
        guard !state.raw.kept.isEmpty else {
            view.message = "there is nothing to save yet"
            return
        }
        do throws(SystemFailure) {
            let name = MonitorFile.name(state.now.wall, view.localTime, ending: ending)
            files.append(try MonitorFile(path: name, content))
            view.message = "saving \(name)"
        } catch {
            view.message = "\(error)"
        }
    }

    // MARK: The end

    /// Shows the end, leaves the screen unless the recording is played again, and lets the session linger for the files.
    func linger(_ ending: Ending) -> Bool {
        let giveUp = self.giveUp ?? instant() + Self.savingTime
        if self.giveUp == nil {
            self.giveUp = giveUp
            // The last frame shows the end, if the terminal takes it.
            try? draw()
            if restart == nil { terminal.leave() }
        }
        return restart == nil && instant() < giveUp && files.contains { !$0.done.hasHappened }
    }

    /// The outcome of each file that was being written at the end, in words.
    var savedFiles: [String] { files.map(\.words) }
}
