package import LocationCore
import LocwatchPrinting
package import LocwatchTerminal

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

    /// The room below which the search is left out of a line.
    private static let leastColumns = 20

    /// Returns a line with what the command does, if anything, and the search while there is no position.
    ///
    /// - Parameter now: The moment of the session, or `nil` after its end.
    package func line(after work: String?, at now: Moment?, columns: Int, glyphs: Glyphs) -> String? {
        let work = work.map { ShortenedText.middle($0, to: max(0, columns - 1), glyphs) }
        let beginning = work.map { "\($0) \(glyphs.separator) " } ?? ""
        let room = columns - DisplayWidth.of(beginning)
        guard let now, work == nil || room > Self.leastColumns,
            let search = Self.text(
                for: state, elapsed: max(.zero, now.elapsed - since), sky: sky, columns: room, glyphs: glyphs)
        else { return work }
        return beginning + search
    }

    /// Returns the search as a part of a line, or `nil` while there is a position.
    ///
    /// - Parameters:
    ///   - elapsed: The time without a position.
    ///   - columns: The room for it; the text stays narrower so that a line never wraps.
    static func text(
        for state: LocationState, elapsed: Duration, sky: SkyView? = nil, columns: Int, glyphs: Glyphs
    ) -> String? {
        let seconds = Duration.seconds(elapsed.components.seconds).spoken
        let parts: [String]
        switch state {
        case .found: return nil
        case .error(let error): parts = ["waiting \(seconds)", ErrorText(error).message]
        case .searching(let reason):
            guard let signals = reason.satellites else {
                parts = ["searching \(seconds)", ReasonText(reason).words]
                break
            }
            let seen = ReasonText.sky(
                seen: sky?.seen ?? signals.seen, used: sky?.used ?? signals.used, best: sky?.bestSignal ?? signals.best)
            parts = ["searching \(seconds)"] + (seen.isEmpty ? [] : [seen.joined(separator: ", ")])
        }
        return ShortenedText.beginning(of: parts.joined(separator: " \(glyphs.separator) "), to: columns - 1)
    }
}
