import Glibc
import Platform

/// Why nothing more can be written.
enum OutputFailure: Error, Hashable, Sendable {
    /// Whoever read has gone.
    case readerGone
    /// The system's errno, as of a full disk.
    case system(Int32)

    init(errno code: Int32) {
        self = code == EPIPE ? .readerGone : .system(code)
    }

    /// What happened, for people.
    var message: String {
        switch self {
        case .readerGone: "nobody reads the output any more"
        case .system(let code): "writing failed: \(SystemFailure("write", code: code).reason)"
        }
    }
}
