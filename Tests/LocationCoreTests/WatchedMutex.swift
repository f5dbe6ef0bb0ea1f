#if WATCHED_BY_THREAD_SANITIZER
    import LocwatchLock
    import Synchronization

    // ThreadSanitizer does not see the standard library's Mutex on Linux (it is a futex in code that is not instrumented) and
    // takes what it guards for a race. In a build for it every module has this Mutex instead, which tells it: the file is
    // linked into each of them.

    @_silgen_name("__tsan_acquire") private func sanitizerAcquire(_ address: UnsafeRawPointer)
    @_silgen_name("__tsan_release") private func sanitizerRelease(_ address: UnsafeRawPointer)

    /// The standard library's mutex, made visible to ThreadSanitizer.
    struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
        // Proof: the value is reached through the standard library's lock only, and the address is never written to.
        private let lock: Synchronization.Lock<Value>
        private let address = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

        init(_ value: consuming sending Value) { lock = Synchronization.Lock(value) }

        deinit { address.deallocate() }

        borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            try lock.withLock { (value) throws(Failure) in
                sanitizerAcquire(address)
                defer { sanitizerRelease(address) }
                return try body(&value)
            }
        }
    }
#endif
