/// The pause before the next attempt at a server that cannot be reached, which all targets at that server share.
package final class ServerPause {
    private var end: Duration?

    package init() {}

    /// Returns the time of the next attempt after a failure: that of another target at the server, or the target's own.
    ///
    /// - Parameters:
    ///   - own: The time after the target's own pause.
    ///   - isAsked: Whether the server has asked for that pause, which is then the least one.
    func next(_ own: Duration, isAsked: Bool, at now: Duration) -> Duration {
        if let end, end > now { return isAsked ? max(end, own) : end }
        end = own
        return own
    }

    /// Notes that the server has taken something, so that a later failure of one target does not wait for another one.
    func noteSuccess() { end = nil }
}
