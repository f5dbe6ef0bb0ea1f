import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchTerminal

/// The messages of a track or a live source for people, such as points without a time or the loss of corrections, on
/// standard error.
///
/// The messages in a recording are old ones.
final class SourceMessages: SessionConsumer {
    private let console: Console
    private let isLive: Bool
    /// The failures that are said, or `nil` if the command says them itself.
    private let failures: SaidFailures?

    init(_ console: Console, isLive: Bool, failures: SaidFailures?) {
        self.console = console
        self.isLive = isLive
        self.failures = failures
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        guard isLive || view.isTrack, case .update(let update, let standing) = update else { return nil }
        switch update.event {
        case .notice(let notice):
            switch notice {
            case .message, .corrections: say(notice.message)
            default: break
            }
        case .failure(let error, let retry?) where standing != .repeated && retry > .zero:
            for words in failures?.words(on: error) ?? [] { say(words) }
        default: break
        }
        return nil
    }

    private func say(_ words: String) { console.say("locwatch: \(words.printable)\n") }
}

/// The failures of a session that standard error has, so that the end does not repeat the last one.
final class SaidFailures {
    private var advice: GivenAdvice
    /// The last failure that was said.
    private(set) var last: LocationError?

    init(_ source: SourceWord) { advice = GivenAdvice(for: source) }

    /// Returns the lines about a failure, with the advice the first time.
    func words(on error: LocationError) -> [String] {
        last = error
        return [ErrorText(error).message] + (advice.take(on: error).map { [$0] } ?? [])
    }
}
