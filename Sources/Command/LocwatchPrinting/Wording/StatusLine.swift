package import LocationCore
package import LocwatchTerminal

/// The terminal line that is rewritten in place while there is no position.
package struct StatusLine {
    /// Returns the line, or `nil` while there is a position.
    ///
    /// - Parameters:
    ///   - elapsed: the time without a position.
    ///   - columns: the width of the terminal; the line stays narrower so that it never wraps.
    package static func text(
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
        return String(parts.joined(separator: " \(glyphs.separator) ").prefix(max(0, columns - 1)))
    }
}
