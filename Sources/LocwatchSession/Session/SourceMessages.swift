import LocationCore
import LocwatchArguments
import LocwatchTerminal

/// The messages of a track or a live source for people, such as points without a time, on standard error.
///
/// The messages in a recording are old ones.
final class SourceMessages: SessionConsumer {
    private let console: Console

    init(_ console: Console) { self.console = console }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        if case .update(let update, _) = update, case .notice(let notice) = update.event,
            case .message(let text) = notice.detail
        {
            console.say("locwatch: \(text.printable)\n")
        }
        return nil
    }
}
