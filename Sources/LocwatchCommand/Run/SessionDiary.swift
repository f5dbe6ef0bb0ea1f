import LocationCore

/// What `--verbose` adds on standard error: all that a session tells besides positions and satellites, in words.
struct SessionDiary {
    private let style: TextStyle
    private var state = LocationState.searching(.starting)
    private var last = ""

    /// A diary of a session that has told nothing yet.
    init(style: TextStyle = TextStyle()) {
        self.style = style
    }

    /// What is to be said of an update; `nil` where it is nothing, or what was said last.
    mutating func words(for update: TrackedUpdate) -> String? {
        guard let words = text(for: update), words != last else { return nil }
        last = words
        return words
    }

    private mutating func text(for update: TrackedUpdate) -> String? {
        switch update {
        case .transition(let transition):
            state = transition.to
            return "\(state.word): \(TransitionText(transition, style: style).words)"
        case .update(let update):
            switch update.event {
            // The change of state has said it.
            case .searching(let reason, _) where state == .searching(reason): return nil
            case .searching(let reason, let device):
                let words = ReasonText(reason)
                let name = words.namesDevice ? nil : device
                return "searching: " + (name.map { "\($0.printable): " } ?? "") + words.words
            case .failure(let error) where state == .error(error): return nil
            case .failure(let error): return "error: \(ErrorText(error).message)"
            case .device(let status): return "device: \(DeviceText(status).words)"
            case .authorization(let status): return "positions: \(status.rawValue)"
            case .notice(let notice): return "notice: \(notice.message.printable)"
            case .location, .satellites: return nil
            }
        }
    }
}
