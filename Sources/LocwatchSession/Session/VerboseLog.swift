import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchTerminal

/// The messages of `--verbose` on standard error, about everything except positions and satellites.
final class VerboseLog: SessionConsumer {
    private let console: Console
    private let style: TextStyle
    /// The source of the session, if the messages name it instead of a gpsd.
    private let source: SourceWord?
    /// The last change of state, which the events that caused it would repeat.
    private var state = LocationState.searching(.starting)
    private var last = ""
    private var search = SearchClock()

    init(_ console: Console, style: TextStyle = TextStyle(), source: SourceWord? = nil) {
        self.console = console
        self.style = style
        self.source = source
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        if let words = words(for: update, view) { console.say("locwatch: \(words)\n") }
        return nil
    }

    /// Returns the message for an update, or `nil` if there is none or it repeats the last one.
    func words(for update: TrackedUpdate, _ view: SessionView = SessionView()) -> String? {
        guard let words = text(for: update, view), words != last else { return nil }
        last = words
        return words
    }

    private func text(for update: TrackedUpdate, _ view: SessionView) -> String? {
        switch update {
        case .transition(let transition):
            state = transition.to
            let text = TransitionText(
                transition, after: search.process(transition), style: style, source: source, hasSearch: !view.isTrack)
            return "\(transition.to.word): \(text.words)"
        case .deviceTransition, .handover, .settled, .fence, .integrity, .failureEnded: return nil
        case .update(let update, _):
            switch update.event {
            // The change of state has already been reported.
            case .searching(let reason, _) where state == .searching(reason): return nil
            case .searching(let reason, let device):
                let words = ReasonText(reason, source: source)
                let name = words.namesDevice ? nil : device
                return "searching: " + (name.map { "\($0.printable): " } ?? "") + words.words
            case .failure(let error, _) where state == .error(error): return nil
            case .failure(let error, _): return "error: \(ErrorText(error).message)"
            case .device(let status): return "device: \(DeviceText(status).words)"
            case .authorization(let status): return "positions: \(status.rawValue)"
            case .notice(let notice): return "notice: \(notice.message.printable)"
            case .location, .satellites, .receiver, .clock, .line, .other: return nil
            }
        }
    }
}
