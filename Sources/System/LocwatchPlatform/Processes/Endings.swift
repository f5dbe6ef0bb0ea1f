import LocwatchSupport

/// The work that ends what this process has started, such as a child, on threads of its own.
///
/// A child can take its grace time to end, which must not hold up the thread that serves sessions.
package enum Endings {
    private struct State {
        var running = 0
        /// The event of the thread that waits for the end of all work, if any.
        var idle: Event?
    }

    private static let state = Lock(State())

    /// Does some work on a thread of its own; without a thread it is done here, so that it is done in any case.
    package static func run(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.running += 1 }
        do throws(SystemFailure) {
            try NativeThread.start {
                work()
                finish()
            }
        } catch {
            work()
            finish()
        }
    }

    private static func finish() {
        state.withLock { state in
            state.running -= 1
            if state.running == 0 { state.idle?.happen() }
        }
    }

    /// Waits until all work is done, as far as it is soon, before the program ends.
    ///
    /// A gpsd gets one second to end, before its receiver and its files are removed.
    package static func waitAtExit() { _ = wait(within: .seconds(3)) }

    /// Waits until all work is done; returns whether it is done within a time.
    static func wait(within limit: Duration) -> Bool {
        let idle = try? Event()
        let isIdle = state.withLock { state in
            state.idle = idle
            return state.running == 0
        }
        return isIdle || idle?.happens(within: limit) == true
    }
}
