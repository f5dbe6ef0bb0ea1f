/// Something that can tell where it is: a daemon, a recording, a script in a test.
public protocol LocationProvider: Sendable {
    /// The events of one session. Iterating starts it; cancelling the task or dropping the iterator stops it.
    func updates(for request: LocationRequest) -> LocationUpdates
}

/// One running session of a provider, as `LocationUpdates` uses it.
///
/// Most providers need not write one: `LocationMailbox` is a session into which a provider puts its events.
public protocol LocationSession: AnyObject, Sendable {
    /// What the session's clock shows.
    var now: Moment { get }

    /// The next thing to happen, at the latest when `deadline` has come.
    ///
    /// Cancelling the task that waits here ends the session: the answer is then `.end`. Only one task waits at a time.
    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep

    /// Ends the session and frees what it holds, without waiting; may be called more than once and from any thread.
    func stop()
}

/// What a session answers when it is asked for the next thing to happen.
public enum SessionStep: Hashable, Sendable {
    /// Something happened.
    case update(LocationUpdate)
    /// Nothing happened until the deadline.
    case quiet
    /// Nothing will happen any more.
    case end
}
