package import LocationCore
package import LocwatchArguments
package import LocwatchPlatform
package import LocwatchTerminal

/// A part of a command that processes the updates of a session, such as a printer or a recorder.
///
/// A session has any number of consumers: those of the command, in whatever order, and after them the companions that the session
/// adds, such as the narrator, whose messages follow the output to which they belong. No consumer may wait in these functions for a reader, a disk or a peer: each
/// has its own queue, and is served when its descriptors are ready or its time has come.
package protocol SessionConsumer: AnyObject {
    /// Prepares the consumer before the first update.
    func begin(_ loop: SessionLoop) throws(OutputFailure)
    /// Processes an update or a change of state; returns the reason to end the session, if any.
    ///
    /// - Parameter view: What the session amounts to after the update.
    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason?
    /// The session time at which `expire` is called if nothing arrives before.
    var deadline: Moment? { get }
    /// Performs the work that is due at the deadline; returns the reason to end the session, if any.
    func expire(at moment: Moment) throws(OutputFailure) -> SessionEnd.Reason?
    /// Serves the descriptors that are ready and writes the gathered output, as far as that is possible without waiting; returns the
    /// reason to end the session, if any, such as a key.
    func serve(_ ready: PollSet) throws(OutputFailure) -> SessionEnd.Reason?
    /// Adds the descriptors and times for which the consumer waits, and updates its display.
    func prepare(_ wait: inout SessionWait)
    /// Works on after the end of the session; returns whether something is left to do.
    ///
    /// Every consumer is asked before each wait, until none has anything left. `prepare` and `serve` go on meanwhile.
    func linger(_ ending: Ending) -> Bool
    /// The channel to standard output through which the consumer prints, if it prints.
    var channel: OutputChannel? { get }
}

extension SessionConsumer {
    package func begin(_ loop: SessionLoop) throws(OutputFailure) {}
    package var deadline: Moment? { nil }
    package func expire(at moment: Moment) throws(OutputFailure) -> SessionEnd.Reason? { nil }
    package func serve(_ ready: PollSet) throws(OutputFailure) -> SessionEnd.Reason? { nil }
    package func prepare(_ wait: inout SessionWait) {}
    package func linger(_ ending: Ending) -> Bool { false }
    package var channel: OutputChannel? { nil }
}
