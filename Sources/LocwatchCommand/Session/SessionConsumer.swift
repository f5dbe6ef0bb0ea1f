import Glibc
import LocationCore

/// A part of a command that takes the updates of a session, such as a printer or a recorder.
///
/// A session has any number of consumers. None of them may wait in these functions for a reader, a disk or a peer: each has
/// a queue of its own, and is called when its descriptors are ready or its time has come.
protocol SessionConsumer: AnyObject {
    /// Whether the session ends when the consumer fails; if not, the session continues without it.
    var isEssential: Bool { get }
    /// Called before the first update.
    func begin(_ loop: SessionLoop)
    /// Processes an update or a change of state; returns why the session ends, if it does.
    func process(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason?
    /// The moment of the session at which to call `expire`, if nothing arrives before.
    var deadline: Moment? { get }
    /// Does what is due at the deadline.
    func expire(at moment: Moment) throws(OutputFailure)
    /// Writes what has been gathered, as far as it can be written without waiting.
    func flush() throws(OutputFailure)
    /// The real time after which to call `refresh` again; `nil` if there is nothing to refresh.
    var refreshInterval: Duration? { get }
    /// Draws what changes by itself; called while the session waits.
    func refresh(at now: Moment)
    /// Adds the descriptors that the loop is to poll for the consumer.
    func addDescriptors(to set: inout PollSet)
    /// Serves the descriptors that are ready.
    func respond(to set: PollSet) throws(OutputFailure)
}

extension SessionConsumer {
    var isEssential: Bool { true }
    func begin(_ loop: SessionLoop) {}
    var deadline: Moment? { nil }
    func expire(at moment: Moment) throws(OutputFailure) {}
    func flush() throws(OutputFailure) {}
    var refreshInterval: Duration? { nil }
    func refresh(at now: Moment) {}
    func addDescriptors(to set: inout PollSet) {}
    func respond(to set: PollSet) throws(OutputFailure) {}
}

/// Descriptors to poll together; its room is used again, so that waiting allocates nothing.
struct PollSet {
    private var entries: [pollfd] = []

    /// Adds a descriptor, unless it is negative; without events only its failures are reported.
    mutating func add(_ descriptor: Int32, _ events: Int32 = 0) {
        guard descriptor >= 0 else { return }
        entries.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }

    /// Whether something is reported of a descriptor; `events` chooses what.
    func isReady(_ descriptor: Int32, _ events: Int32 = ~0) -> Bool {
        entries.contains { $0.fd == descriptor && Int32($0.revents) & events != 0 }
    }

    /// Waits until something is reported, at most so many milliseconds; −1 is without a limit.
    mutating func wait(_ milliseconds: Int32) {
        let count = poll(&entries, nfds_t(entries.count), milliseconds)
        // After a signal the results are those of the last call.
        if count < 0 { for index in entries.indices { entries[index].revents = 0 } }
    }

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
