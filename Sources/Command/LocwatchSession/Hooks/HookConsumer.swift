import Glibc
import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// The hooks of a session.
///
/// `CommandSession.run` adds it to the consumers of every command that takes `--on`, so a command only lists the options of
/// hooks.
final class HookConsumer: SessionConsumer {
    private var detector: HookDetector
    private let runner: HookRunner

    /// Creates the consumer, or returns `nil` if there are no hooks or the session runs none.
    init?(_ source: SourceWord, _ settings: Settings, _ context: CommandContext, _ narrator: Narrator) {
        guard !settings.hooks.hooks.isEmpty else { return nil }
        guard source.isLive || settings.hooks.runsOnReplay else {
            narrator.say("hooks run over a recording only at a pace that is given, as in --pace recorded")
            return nil
        }
        detector = HookDetector(settings)
        runner = HookRunner(
            settings, environment: context.environment, say: { narrator.say($0) },
            sayFailure: { narrator.sayFailure($0) })
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        detector.process(update, view) { runner.add($0) }
        return nil
    }

    func flush() { runner.step() }

    var refreshInterval: Duration? { runner.wait }

    func addDescriptors(to set: inout PollSet) { runner.addDescriptors(to: &set) }

    func respond(to set: PollSet) { runner.step() }

    /// Waits for the hooks of a session that has ended, and returns its outcome, or that of a signal that has come since.
    func finish(_ outcome: SessionOutcome, signals: Event) -> SessionOutcome {
        defer { runner.summarize() }
        switch outcome {
        case .signal, .output:
            runner.abandon()
            return outcome
        case .ended, .failed: break
        }
        runner.step()
        while !runner.isIdle {
            var set = PollSet()
            set.add(signals.descriptor, POLLIN)
            runner.addDescriptors(to: &set)
            set.wait(runner.wait?.wholeMilliseconds ?? -1)
            if let number = CaughtSignals.first {
                runner.abandon()
                return .signal(number)
            }
            // Another thread may have asked for the attention of the session, which is over.
            if set.isReady(signals.descriptor) { signals.clear() }
            runner.step()
        }
        return outcome
    }
}
