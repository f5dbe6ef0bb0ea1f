#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The clocks of the system, which the standard library does not read as civil time.
private enum SystemTime {
    static var civil: Int64 { nanoseconds(CLOCK_REALTIME) }

    /// Time that includes the suspension of the machine, as in `ContinuousClock`.
    static var continuous: Int64 {
        #if os(Linux)
            nanoseconds(CLOCK_BOOTTIME)
        #else
            nanoseconds(CLOCK_MONOTONIC)
        #endif
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        // The members of `timespec` belong to a module that only some builds import, so it is read as its two numbers.
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2) { numbers in
            numbers.initialize(repeating: 0)
            numbers.withMemoryRebound(to: timespec.self) { times in
                if let time = times.baseAddress { clock_gettime(clock, time) }
            }
            return Int64(numbers[0]) * 1_000_000_000 + Int64(numbers[1])
        }
    }
}

extension Timestamp {
    /// The current civil time of the system's clock.
    public static var now: Timestamp { Timestamp(nanosecondsSince1970: SystemTime.civil) }
}

extension SessionClock {
    /// Returns the clock of a session that begins now, on the system's clocks.
    ///
    /// The civil time is that of the system's clock at each moment, so it follows a correction of that clock.
    public static func system() -> SessionClock {
        system(on: ContinuousClock()) { SystemTime.continuous }
    }

    /// Returns the clock of a session that begins now, whose time is in nanoseconds, and which sleeps on a clock of the same pace.
    static func system<C: Clock>(on clock: C, time: @escaping @Sendable () -> Int64) -> SessionClock
    where C.Duration == Duration {
        // The own time first: a thread can be preempted between the two, and a sleep that ended early would miss its deadline.
        let began = time()
        let start = clock.now
        return SessionClock(
            elapsed: { .nanoseconds(time() - began) },
            wall: { _ in .now },
            sleepUntil: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) })
    }
}
