/// A source of positions, such as a daemon, a recording or a script in a test.
public protocol LocationProvider: Sendable {
    /// Returns the events of one session. Iterating starts it; cancelling the task or releasing the iterator stops it.
    func updates(for request: LocationRequest) -> LocationUpdates
}
