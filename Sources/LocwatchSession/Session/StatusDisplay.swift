package import LocationCore
import LocwatchArguments
import LocwatchPrinting
package import LocwatchTerminal

/// The line on the terminal that describes the search while there is no position, rewritten in place.
final class StatusDisplay: SessionConsumer {
    private let console: Console
    private let glyphs: Glyphs
    private var search = SearchProgress()

    init(_ console: Console, glyphs: Glyphs) {
        self.console = console
        self.glyphs = glyphs
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        search.process(update)
        return nil
    }

    var refreshInterval: Duration? { search.state.location == nil ? .seconds(1) : nil }

    func refresh(at now: Moment) {
        let text = search.text(at: now, columns: console.columns, glyphs: glyphs)
        if let text { console.show(line: text) } else { console.wipe() }
    }
}

/// The search for a position as a status line shows it.
package struct SearchProgress {
    private(set) var state = LocationState.searching(.starting)
    private var since = Duration.zero
    private var sky: SkyView?

    package init() {}

    package mutating func process(_ update: TrackedUpdate) {
        if case .transition(let transition) = update {
            if transition.to.location != nil { sky = nil }
            if transition.from.location != nil { since = transition.moment.elapsed }
            state = transition.to
        } else if case .update(let update, _) = update, case .satellites(let sky) = update.event {
            self.sky = sky
        }
    }

    /// Returns the line, or `nil` while there is a position.
    package func text(at now: Moment, columns: Int, glyphs: Glyphs) -> String? {
        StatusLine.text(
            for: state, elapsed: max(.zero, now.elapsed - since), sky: sky, columns: columns, glyphs: glyphs)
    }
}
