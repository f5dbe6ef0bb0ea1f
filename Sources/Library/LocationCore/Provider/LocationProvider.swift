/// A source of positions, such as a daemon, a recording or a script in a test.
public protocol LocationProvider: Sendable {
    /// Returns the events of one session. Iterating starts it; cancelling the task or releasing the iterator stops it.
    func updates(for request: LocationRequest) -> LocationUpdates
}

/// A running session of a provider, as `LocationUpdates` uses it.
package protocol LocationSession: AnyObject, Sendable {
    /// The current moment of the session's clock.
    var now: Moment { get }

    /// Returns the next step, at the latest when `deadline` has passed.
    ///
    /// Cancelling the waiting task ends the session and returns `.end`. Only one task waits at a time.
    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep

    /// Ends the current wait, or else the next one, with `.woken`, so that it begins again with an earlier deadline; callable from
    /// any thread.
    func wake()

    /// Ends the session and frees its resources without waiting; may be called repeatedly and from any thread.
    func stop()
}

/// The result of waiting for the next event of a session.
package enum SessionStep: Hashable, Sendable {
    /// An event happened.
    case update(LocationUpdate)
    /// Nothing happened until the deadline.
    case quiet
    /// Another thread ended the wait, which may begin again.
    case woken
    /// The session has ended.
    case end
}
