#if canImport(Glibc)
    import Glibc
#endif

/// A reporter of lock operations to ThreadSanitizer, which does nothing in a program without it.
///
/// Whether the program has it is found at run time, because the compiler does not tell: a package that depends on this one
/// needs no flag.
@usableFromInline
struct SanitizerWitness: ~Copyable, @unchecked Sendable {
    // Unchecked, because pointers are not Sendable: the address is only a name, and its memory is never read or written.
    /// The name of the lock, or `nil` without ThreadSanitizer.
    @usableFromInline let name: UnsafeMutableRawPointer?

    @usableFromInline
    init() { name = Sanitizer.found == nil ? nil : .allocate(byteCount: 1, alignment: 1) }

    deinit { name?.deallocate() }

    @inlinable
    func acquire() { if let name { Sanitizer.acquire(name) } }

    @inlinable
    func release() { if let name { Sanitizer.release(name) } }
}

/// The functions of ThreadSanitizer.
@usableFromInline
enum Sanitizer {
    fileprivate typealias Report = @convention(c) (UnsafeMutableRawPointer) -> Void

    fileprivate static let found: (acquire: Report, release: Report)? = {
        #if canImport(Glibc)
            // A handle of nil is RTLD_DEFAULT: any library of the program.
            guard let acquire = dlsym(nil, "__tsan_acquire"), let release = dlsym(nil, "__tsan_release") else {
                return nil
            }
            return (unsafeBitCast(acquire, to: Report.self), unsafeBitCast(release, to: Report.self))
        #else
            return nil
        #endif
    }()

    @usableFromInline
    static func acquire(_ name: UnsafeMutableRawPointer) { found?.acquire(name) }

    @usableFromInline
    static func release(_ name: UnsafeMutableRawPointer) { found?.release(name) }
}
