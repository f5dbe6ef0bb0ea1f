/// A session that a poll loop serves on its own thread, without a task and without a hand-over.
///
/// The loop waits until `descriptor` is readable or the time that `timeLeft(until:)` returned has passed, and then
/// calls `step`. A session is used by one thread at a time. Releasing it frees what it holds, as `stop()` does.
package protocol PolledSession: AnyObject {
    /// The current moment of the session.
    var now: Moment { get }
    /// The descriptor to poll for reading, or −1 if there is none at present.
    var descriptor: Int32 { get }
    /// Returns how long the loop may wait before it calls `step`, in real time; `nil` is as long as nothing is readable.
    ///
    /// - Parameter deadline: the moment of the session at which the loop itself has something to do, if any.
    func timeLeft(until deadline: Moment?) -> Duration?
    /// Returns whether session time has reached a moment by itself, without an update of that moment or a later one.
    func hasReached(_ moment: Moment) -> Bool
    /// The real time that the session has lasted, if its own time stands still while nothing arrives.
    var realTime: Duration? { get }
    /// The bytes read so far, for a display of progress.
    var bytesRead: Int { get }
    /// Whether a peer has accepted the connection, even if it has not said anything yet.
    var isConnected: Bool { get }
    /// Performs the pending work and emits the resulting updates; returns `false` when the session has ended.
    func step(isReady: Bool, emit: (LocationUpdate) -> Void) throws(LocationError) -> Bool
    /// Ends the session and frees what it holds outside the program.
    func stop()
}

extension PolledSession {
    /// Session time is real time unless a session says otherwise.
    package func hasReached(_ moment: Moment) -> Bool { now >= moment }

    package var realTime: Duration? { nil }

    package var bytesRead: Int { 0 }

    package var isConnected: Bool { false }
}
