import Foundation
import TestSupport
import Testing

/// A named pipe that is open and not read.
final class UnreadPipe: Sendable {
    private let descriptor: Int32

    fileprivate init(_ path: String) throws {
        try #require(mkfifo(path, 0o600) == 0)
        descriptor = open(path, O_RDWR | O_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// The number of bytes that wait in it.
    var byteCount: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }
}

extension Scratch {
    /// Makes a pipe that is open and not read.
    func unreadPipe(_ name: String) throws -> UnreadPipe { try UnreadPipe(path(name)) }
}
