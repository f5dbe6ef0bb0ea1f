import Glibc
import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// The hooks of a session, each of which runs for one event at a time, and which no session waits for while it lasts.
///
/// `CommandSession.run` adds it to the consumers of every command that takes `--on`, so a command only lists the options of
/// hooks.
final class HookConsumer: SessionConsumer {
    private let session: CommandSession
    private var detector: HookDetector
    private var queue = HookQueue()
    private var failures: HookFailures
    private var running: [HookProcess] = []
    private var hasSummarized = false

    private var hooks: [Hook] { session.settings.reactions.hooks }
    private var narrator: Narrator { session.narrator }

    /// Creates the consumer, or returns `nil` if there are no hooks or the session runs none.
    init?(_ session: CommandSession) {
        self.session = session
        detector = HookDetector(session.settings)
        failures = HookFailures(session.settings.reactions.hooks)
        guard !hooks.isEmpty else { return nil }
        guard session.source.isLive || session.settings.reactions.runsHooksOnReplay else {
            narrator.say("hooks run over a recording only at a pace that is given, as in --pace recorded")
            return nil
        }
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        for event in detector.events(of: update, view) { queue.add(event, for: hooks) }
        return nil
    }

    func serve(_ ready: PollSet) -> SessionEnd.Reason? {
        step()
        return nil
    }

    func prepare(_ wait: inout SessionWait) {
        let now = Self.now
        for process in running {
            process.addDescriptors(to: &wait.descriptors)
            wait.shorten(to: process.wait(at: now))
        }
    }

    private var isIdle: Bool { running.isEmpty && queue.isEmpty }

    /// Serves the hooks that run, and starts those that can start.
    private func step() {
        running = running.filter { process in
            let hook = process.entry.hook
            let state = process.step(at: Self.now) { narrator.say("\(failures.name(of: hook)): \($0)") }
            guard case .ended(let failure) = state else { return true }
            note(hook, failure)
            return false
        }
        while let entry = queue.next(running: running.map(\.entry.hook)) { start(entry) }
    }

    private func start(_ entry: HookQueue.WaitingEvent) {
        let (hook, output) = (hooks[entry.hook], session.settings.output)
        do throws(SystemFailure) {
            let process = try HookProcess(
                entry, command: hook.command,
                environment: entry.event.environment(session.context.environment, precision: output.precision),
                showsOutput: output.verbosity > .quiet, timeout: session.settings.reactions.hookLimit, now: Self.now)
            running.append(process)
        } catch {
            note(entry.hook, "\(error)".printable)
        }
    }

    private func note(_ hook: Int, _ failure: String?) {
        if let message = failures.note(hook, failure: failure) { narrator.sayFailure(message) }
    }

    /// Runs the hooks of a session that has ended, unless a signal comes, and then reports what was only counted before.
    func linger(_ ending: Ending) -> Bool {
        switch ending.outcome {
        case .signal, .output: (queue, running) = (HookQueue(), [])
        case .ended, .failed: step()
        }
        guard isIdle else { return true }
        if !hasSummarized { summarize() }
        return false
    }

    private func summarize() {
        hasSummarized = true
        for message in failures.summary { narrator.sayFailure(message) }
        if queue.dropped > 0 {
            narrator.sayFailure("--on: dropped \(queue.dropped) events, because too many others waited")
        }
    }

    /// The time on the clock of hooks, which advances also while a recording is played as fast as possible.
    private static var now: Duration { .nanoseconds(HostClock.nanoseconds(.sinceBoot)) }
}
