import Glibc

/// The limits of this process, as `ulimit` sets them, that are too low for it or for a private gpsd, in words.
package enum UlimitWarnings {
    /// The smallest stack in bytes: with half of it, the threads of gpsd crash.
    private static let leastStack = 256 << 10
    /// The smallest amount of addresses in bytes: gpsd reserves 136 MB for a thread.
    private static let leastMemory = 256 << 20

    /// The lack of a stack, or `nil` if it is large enough.
    package static var stack: String? {
        limit(RLIMIT_STACK, under: leastStack).map { stack in
            "the stack is limited to \(stack >> 10) kB, and \(leastStack >> 10) kB are needed; raise the limit, as in "
                + "'ulimit -s \(leastStack >> 10)'"
        }
    }

    /// The lack of memory, or `nil` if there is enough.
    package static var memory: String? {
        limit(RLIMIT_AS, under: leastMemory).map { memory in
            "the memory is limited to \(memory >> 20) MB, and gpsd can need \(leastMemory >> 20) MB; raise the limit, as in "
                + "'ulimit -v \(leastMemory >> 10)'"
        }
    }

    private static func limit(_ resource: __rlimit_resource, under least: Int) -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur < rlim_t(least) else {
            return nil
        }
        return Int(limit.rlim_cur)
    }
}
