package import LocationCore
package import LocwatchArguments
package import LocwatchTerminal

/// A part of a command that processes the updates of a session, such as a printer or a recorder.
///
/// A session has any number of consumers. No consumer may wait in these functions for a reader, a disk or a peer: each
/// has its own queue, and is called when its descriptors are ready or its deadline has passed.
package protocol SessionConsumer: AnyObject {
    /// Prepares the consumer before the first update.
    func begin(_ loop: SessionLoop) throws(OutputFailure)
    /// Processes an update or a change of state; returns the reason to end the session, if any.
    ///
    /// - Parameter view: What the session amounts to after the update.
    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason?
    /// Whether the consumer can take no more updates for now; the loop then reads no further from a recording.
    ///
    /// A live source is never stopped. A full consumer is asked again when a descriptor is ready or at its next refresh.
    var isFull: Bool { get }
    /// The session time at which `expire` is called if nothing arrives before.
    var deadline: Moment? { get }
    /// Performs the work that is due at the deadline.
    func expire(at moment: Moment) throws(OutputFailure)
    /// Writes the gathered output, as far as that is possible without waiting.
    func flush() throws(OutputFailure)
    /// The reason to end the session at the next opportunity, if any, such as a key.
    var requestedEnd: SessionEnd.Reason? { get }
    /// The real time after which `refresh` is called again, or `nil` if there is nothing to refresh.
    var refreshInterval: Duration? { get }
    /// Updates the display while the session waits.
    func refresh(at now: Moment)
    /// Adds the descriptors that the loop polls for the consumer.
    func addDescriptors(to set: inout PollSet)
    /// Serves the descriptors that are ready.
    func respond(to set: PollSet) throws(OutputFailure)
}

extension SessionConsumer {
    package func begin(_ loop: SessionLoop) throws(OutputFailure) {}
    package var isFull: Bool { false }
    package var deadline: Moment? { nil }
    package func expire(at moment: Moment) throws(OutputFailure) {}
    package func flush() throws(OutputFailure) {}
    package var requestedEnd: SessionEnd.Reason? { nil }
    package var refreshInterval: Duration? { nil }
    package func refresh(at now: Moment) {}
    package func addDescriptors(to set: inout PollSet) {}
    package func respond(to set: PollSet) throws(OutputFailure) {}
}
