import Glibc

/// A failed system call: its purpose and its errno.
public struct SystemFailure: Error, Hashable, Sendable {
    /// The purpose of the call, as in "open a pseudo terminal".
    public var attempt: String
    /// The errno of the failure.
    public var code: Int32

    /// Creates a failure with its errno.
    public init(_ attempt: String, code: Int32) {
        self.attempt = attempt
        self.code = code
    }
}

extension SystemFailure: CustomStringConvertible {
    /// A message for people with the purpose and the reason.
    public var description: String { "cannot \(attempt): \(reason)" }

    /// The system's text for the errno.
    public var reason: String {
        // strerror_r of Glibc (the GNU one is not imported) fills the buffer and ends it with a zero.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            guard let start = text.baseAddress, strerror_r(code, start, text.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: start)
        }
    }
}

extension SystemFailure {
    /// Whether an errno of `accept` says that no descriptor or memory is left.
    ///
    /// The connection then stays in the queue, and its listener readable: a loop that goes on polling it does so without pause.
    package static func isShortage(_ code: Int32) -> Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) }
}
