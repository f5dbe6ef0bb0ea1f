import LocationCore
import LocwatchArguments
import LocwatchTerminal

/// The message that a file is played at its recorded pace, which looks like a standstill to a program that reads the output.
final class PaceMessage: SessionConsumer {
    private let console: Console
    private let place: String
    private var isDue = false
    private var isSaid = false

    /// Creates the message, or returns `nil` if the source does not wait or a terminal shows the output.
    init?(_ source: SourceWord, _ settings: Settings, _ console: Console) {
        guard let recording = source.source.recording, recording.isPaced(settings), settings.verbosity > .quiet,
            !console.outputIsTerminal
        else { return nil }
        self.console = console
        place = source.place.printable
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        isDue = !isSaid
        return nil
    }

    /// Says it at the first wait after something was read.
    func refresh(at now: Moment) {
        guard isDue else { return }
        (isDue, isSaid) = (false, true)
        console.say("locwatch: \(place) is played at its recorded pace; --pace max reads it at once\n")
    }
}
