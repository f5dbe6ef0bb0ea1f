import Glibc
package import LocationTracks
import LocwatchPlatform

/// The reason why nothing more can be written.
package enum OutputFailure: Error, Hashable, Sendable {
    case readerGone
    /// A system call failed with this errno, for example because the disk is full.
    case system(Int32)
    /// The file of a track cannot be created or written.
    case track(TrackFileError)
    /// The output cannot be created; the message says what to do.
    case cannotCreate(String)

    package init(errno code: Int32) {
        self = code == EPIPE ? .readerGone : .system(code)
    }

    /// Whether a signal ended the wait for the reader of a pipe.
    package var isInterruption: Bool { if case .track(.system(_, _, EINTR)) = self { true } else { false } }

    package var message: String {
        switch self {
        case .readerGone: "the reader has closed the output"
        case .system(let code): "writing failed: \(SystemFailure("write", code: code).reason)"
        case .track(let error):
            if case .exists = error { "\(error); to overwrite it, add --force" } else { "\(error)" }
        case .cannotCreate(let message): message
        }
    }

    package var exitCode: ExitCode {
        switch self {
        case .readerGone, .system: .writingFailed
        case .track(.foreign), .track(.exists), .track(.inUse), .cannotCreate: .cannotCreate
        case .track(.system(let attempt, _, let code)):
            // A disk that is full when a file is created is a failed write all the same.
            ["open", "create"].contains(attempt) && ![ENOSPC, EDQUOT, EFBIG].contains(code)
                ? .cannotCreate : .writingFailed
        }
    }
}
