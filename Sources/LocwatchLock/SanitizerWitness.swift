#if WATCHED_BY_THREAD_SANITIZER
    @_silgen_name("__tsan_acquire") private func sanitizerAcquire(_ address: UnsafeRawPointer)
    @_silgen_name("__tsan_release") private func sanitizerRelease(_ address: UnsafeRawPointer)

    /// Tells ThreadSanitizer when a lock is taken and released.
    @usableFromInline
    struct SanitizerWitness: ~Copyable, @unchecked Sendable {
        // Unchecked, because pointers are not Sendable: the address is a name, and nothing reads or writes its memory.
        private let address = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

        @usableFromInline
        init() {}

        deinit { address.deallocate() }

        @usableFromInline
        func acquire() { sanitizerAcquire(address) }

        @usableFromInline
        func release() { sanitizerRelease(address) }
    }
#else
    /// Does nothing: only a build for ThreadSanitizer has to be told of a lock.
    @usableFromInline
    struct SanitizerWitness: Sendable {
        @inlinable
        init() {}

        @inlinable
        func acquire() {}

        @inlinable
        func release() {}
    }
#endif
