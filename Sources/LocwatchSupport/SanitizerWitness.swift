#if WATCHED_BY_THREAD_SANITIZER
    @_silgen_name("__tsan_acquire") private func sanitizerAcquire(_ address: UnsafeRawPointer)
    @_silgen_name("__tsan_release") private func sanitizerRelease(_ address: UnsafeRawPointer)

    /// A reporter of lock operations to ThreadSanitizer.
    @usableFromInline
    struct SanitizerWitness: ~Copyable, @unchecked Sendable {
        // Unchecked, because pointers are not Sendable: the address is only a name, and its memory is never read or
        // written.
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
    /// A stand-in that does nothing, for builds without ThreadSanitizer.
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
