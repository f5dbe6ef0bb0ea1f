import CLocwatchPlatform
import Glibc

/// A set of descriptors that is waited for as one descriptor.
package final class PollGroup {
    /// A descriptor that is readable while one of the set is ready.
    package let descriptor: Int32

    package init() throws(SystemFailure) {
        var opened: Int32 = -1
        let failure = locwatch_open_poll_group(&opened)
        guard failure == 0 else { throw SystemFailure("watch descriptors", code: failure) }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Adds a descriptor, or changes the events of `poll(2)` for which it is watched; returns false if that fails.
    package func watch(_ member: Int32, for events: Int32) -> Bool {
        locwatch_poll_group_set(descriptor, member, Int16(truncatingIfNeeded: events)) == 0
    }

    /// Removes a descriptor, which must be done before it is closed.
    package func remove(_ member: Int32) { locwatch_poll_group_remove(descriptor, member) }

    /// Returns the descriptors that are ready, without waiting; at most 64, the others follow with the next call.
    package func ready() -> [Int32] {
        [Int32](unsafeUninitializedCapacity: 64) { buffer, count in
            count = Int(locwatch_poll_group_ready(descriptor, buffer.baseAddress, Int32(buffer.count)))
        }
    }
}
