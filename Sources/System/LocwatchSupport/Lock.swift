public import Synchronization

/// A lock around a value; the only lock of the package.
///
/// It wraps the standard library's mutex. On Linux that is a futex in code that is not instrumented, so ThreadSanitizer
/// would report races on the values it guards; so each use is reported to it, if the program has it. The lock is inlinable and public for the reason that `PerDevice` states.
public struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let witness: SanitizerWitness

    /// Creates a lock around a value.
    @inlinable
    public init(_ value: consuming sending Value) {
        mutex = Mutex(value)
        witness = SanitizerWitness()
    }

    /// Calls `body` with exclusive access to the value.
    ///
    /// Return a closure that `body` replaces, as with `exchange`: what it captures may need this lock as it ends, and the result is
    /// released outside the lock.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { (value) throws(Failure) in
            witness.acquire()
            defer { witness.release() }
            return try body(&value)
        }
    }
}
