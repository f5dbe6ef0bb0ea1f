import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchTerminal

/// The messages of `--verbose`, about everything except positions and satellites.
struct VerboseLog {
    private let style: TextStyle
    private let source: SourceWord?
    /// The last change of state, which the events that caused it would repeat.
    private var state = LocationState.searching(.starting)
    private var last = ""

    init(style: TextStyle = TextStyle(), source: SourceWord? = nil) {
        self.style = style
        self.source = source
    }

    /// Returns the message for an update, or `nil` if there is none or it repeats the last one.
    mutating func words(for update: TrackedUpdate, _ view: SessionView = SessionView()) -> String? {
        guard let words = text(for: update, view), words != last else { return nil }
        last = words
        return words
    }

    private mutating func text(for update: TrackedUpdate, _ view: SessionView) -> String? {
        switch update {
        case .transition(let transition):
            state = transition.to
            let text = TransitionText(transition, style: style, source: source, hasSearch: !view.isTrack)
            return "\(transition.to.code): \(text.words)"
        case .deviceTransition, .handover, .fence, .integrity, .failureEnded: return nil
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
            case .location, .satellites, .attitude, .receiver, .clock, .line, .other: return nil
            }
        }
    }
}
