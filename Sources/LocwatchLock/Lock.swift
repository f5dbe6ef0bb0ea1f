package import Synchronization

/// A lock around a value; the one lock of the package.
///
/// It is the standard library's mutex. ThreadSanitizer does not see that one on Linux, as it is a futex in code that is not
/// instrumented, and takes what it guards for a race; so a build for it (`Tools/check/sanitize thread`) tells it of each use.
/// Inlinable, because every module specializes it for its own values.
package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let witness: SanitizerWitness

    /// Creates a lock around a value.
    @inlinable
    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
        witness = SanitizerWitness()
    }

    /// Calls `body` with the value while no other thread has it.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { (value) throws(Failure) in
            witness.acquire()
            defer { witness.release() }
            return try body(&value)
        }
    }
}
