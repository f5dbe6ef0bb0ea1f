package import LocationCore

/// The state of a session or a receiver in one word, which lists, the monitor and bars show alike.
package enum StateWord {
    package static let found = "found"
    package static let error = "error"
    /// The word for a receiver that has reported nothing in this session, and whose position is from before it.
    package static let lastKnown = "last known"

    /// Returns the word for a search.
    ///
    /// - Parameter hasPosition: Whether there was a position before.
    package static func searching(_ reason: SearchReason?, hasPosition: Bool) -> String {
        switch reason {
        case .deviceLost: "offline"
        case _ where !hasPosition: "searching"
        case .starting: lastKnown
        case let reason? where reason.isSilence: "stale"
        default: "lost"
        }
    }
}
