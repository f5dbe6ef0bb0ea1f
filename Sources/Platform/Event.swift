import CPlatform
import Glibc

/// Something that one thread can wait for together with other descriptors, and another can bring about.
public final class Event: Sendable {
    /// Readable for `poll` once the event has happened, until `clear()`.
    public let descriptor: Int32

    /// An event that has not happened yet.
    public init() throws(SystemFailure) {
        var opened: Int32 = -1
        let failure = locwatch_open_event(&opened)
        guard failure == 0 else { throw SystemFailure("make an event", code: failure) }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Lets the event happen; from any thread, also when it has happened already.
    public func happen() {
        var one: UInt64 = 1
        write(descriptor, &one, 8)
    }

    /// Makes the event one that has not happened, for the next time.
    public func clear() {
        var count: UInt64 = 0
        read(descriptor, &count, 8)
    }

    /// Waits until the event has happened.
    public func wait() {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&watched, 1, -1) < 0, errno == EINTR {}
    }
}
