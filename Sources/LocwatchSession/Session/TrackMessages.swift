import LocationCore
import LocwatchArguments
import LocwatchTerminal

/// The messages about a track, such as points without a time, on standard error.
///
/// Unlike a recording, a track can hold points that are not read, which must not go unnoticed.
final class TrackMessages: SessionConsumer {
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
