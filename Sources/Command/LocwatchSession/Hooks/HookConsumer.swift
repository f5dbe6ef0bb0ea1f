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
    private var hasSummarized = false

    /// Creates the consumer, or returns `nil` if there are no hooks or the session runs none.
    init?(_ session: CommandSession) {
        let (settings, narrator) = (session.settings, session.narrator)
        guard !settings.plan.hooks.isEmpty else { return nil }
        guard session.source.isLive || settings.plan.runsHooksOnReplay else {
            narrator.say("hooks run over a recording only at a pace that is given, as in --pace recorded")
            return nil
        }
        detector = HookDetector(settings)
        runner = HookRunner(
            settings, environment: session.context.environment, say: { narrator.say($0) },
            sayFailure: { narrator.sayFailure($0) })
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        detector.process(update, view) { runner.add($0) }
        return nil
    }

    func serve(_ ready: PollSet) -> SessionEnd.Reason? {
        runner.step()
        return nil
    }

    func prepare(_ wait: inout SessionWait) {
        if let ending = wait.ending {
            finish(ending)
            wait.isBusy = wait.isBusy || !runner.isIdle
        }
        runner.addDescriptors(to: &wait.descriptors)
        wait.shorten(to: runner.wait)
    }

    /// Runs the hooks of a session that has ended, unless a signal comes.
    private func finish(_ ending: Ending) {
        switch ending.outcome {
        case .signal, .output: runner.abandon()
        case .ended, .failed: runner.step()
        }
        guard runner.isIdle, !hasSummarized else { return }
        hasSummarized = true
        runner.summarize()
    }
}
