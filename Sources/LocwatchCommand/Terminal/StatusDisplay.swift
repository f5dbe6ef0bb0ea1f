import LocationCore

/// The line on the terminal that describes the search while there is no position, rewritten in place.
final class StatusDisplay: SessionConsumer {
    private let console: Console
    private let glyphs: Glyphs
    private var since = Duration.zero
    private var state = LocationState.searching(.starting)
    private var sky: SkyView?

    init(_ console: Console, glyphs: Glyphs) {
        self.console = console
        self.glyphs = glyphs
    }

    func process(_ update: TrackedUpdate) -> SessionEnd.Reason? {
        switch update {
        case .transition(let transition):
            if transition.to.location != nil {
                sky = nil
            } else if state.location != nil {
                since = transition.moment.elapsed
            }
            state = transition.to
        case .update(let update):
            if case .satellites(let sky) = update.event { self.sky = sky }
        case .deviceTransition, .handover: break
        }
        return nil
    }

    var refreshInterval: Duration? { state.location == nil ? .seconds(1) : nil }

    func refresh(at now: Moment) {
        let text = StatusLine.text(
            for: state, elapsed: max(.zero, now.elapsed - since), sky: sky, columns: console.columns, glyphs: glyphs)
        if let text { console.show(line: text) } else { console.wipe() }
    }
}
