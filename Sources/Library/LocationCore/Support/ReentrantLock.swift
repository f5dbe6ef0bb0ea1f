import LocwatchSupport
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock that the thread that holds it can take again.
///
/// Code that runs within the lock can so call a function that otherwise waits until the lock is free.
final class ReentrantLock: Sendable {
    private let lock = Lock(())
    /// The thread within the lock, or zero, which no thread is.
    private let holder = Atomic<UInt>(0)

    /// The lock for which each thread waits in `waitUntilFree`.
    private static let waits = Lock<[UInt: ReentrantLock]>([:])

    /// Calls `body` while no other thread is within the lock.
    ///
    /// Return a closure that `body` calls: what it captures may need this lock as it ends, and the result is released outside.
    func withLock<Result: Sendable>(_ body: () -> Result) -> Result {
        let thread = Self.currentThread
        // Only this thread stores its own number, so the order of other memory does not matter.
        if holder.load(ordering: .relaxed) == thread { return body() }
        return lock.withLock { _ in
            holder.store(thread, ordering: .relaxed)
            defer { holder.store(0, ordering: .relaxed) }
            return body()
        }
    }

    /// Waits until no other thread is within the lock, unless that thread waits for one that this thread holds.
    ///
    /// Two threads that each hold a lock and wait for that of the other would wait for ever.
    func waitUntilFree() {
        let thread = Self.currentThread
        let canWait = Self.waits.withLock { waits in
            var lock = self
            while true {
                let holder = lock.holder.load(ordering: .relaxed)
                if holder == thread { return false }
                guard let next = waits[holder] else { break }
                lock = next
            }
            waits[thread] = self
            return true
        }
        guard canWait else { return }
        lock.withLock { _ in }
        Self.waits.withLock { $0[thread] = nil }
    }

    private static var currentThread: UInt {
        #if canImport(Glibc)
            pthread_self()
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}
