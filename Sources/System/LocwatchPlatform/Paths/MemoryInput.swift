import CLocwatchPlatform
import Glibc

/// An unnamed file in memory that a child process reads as its standard input.
///
/// Unlike a pipe it takes everything at once, whether or not the child reads it, and needs neither a reader nor SIGPIPE
/// to be ignored.
package final class MemoryInput: Sendable {
    /// The descriptor, at the beginning of the bytes.
    package let descriptor: Int32

    package init(_ bytes: [UInt8]) throws(SystemFailure) {
        var opened: Int32 = -1
        let failure = bytes.withUnsafeBytes { locwatch_open_memory($0.baseAddress, $0.count, &opened) }
        guard failure == 0 else { throw SystemFailure("make a file in memory", code: failure) }
        descriptor = opened
    }

    deinit { close(descriptor) }
}
