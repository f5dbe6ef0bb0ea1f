import CLocwatchPlatform
import Glibc

/// An event that one thread waits for together with other descriptors, and another thread triggers.
public final class Event: Sendable {
    /// A descriptor that is readable from the event until `clear()`.
    public let descriptor: Int32

    /// Creates an event that has not happened yet.
    public init() throws(SystemFailure) {
        var opened: Int32 = -1
        let failure = locwatch_open_event(&opened)
        guard failure == 0 else { throw SystemFailure("make an event", code: failure) }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Triggers the event; callable from any thread, any number of times.
    public func happen() {
        var one: UInt64 = 1
        write(descriptor, &one, 8)
    }

    /// Resets the event to one that has not happened.
    public func clear() {
        var count: UInt64 = 0
        read(descriptor, &count, 8)
    }

    package var hasHappened: Bool { happens(within: .zero) }

    /// Waits until the event has happened, for at most `limit`; returns whether it has.
    package func happens(within limit: Duration) -> Bool { PollSet.wait(for: descriptor, within: limit) }

    /// Waits until the event has happened.
    public func wait() { while !PollSet.wait(for: descriptor) {} }
}
