import Glibc
import LocationTracks
import Platform

/// Why nothing more can be written.
enum OutputFailure: Error, Hashable, Sendable {
    /// Whoever read has gone.
    case readerGone
    /// The system's errno, as of a full disk.
    case system(Int32)
    /// The file of a track cannot be made or written.
    case track(TrackFileError)
    /// What is to be made cannot be made, for a reason that says what to do.
    case cannotCreate(String)

    init(errno code: Int32) {
        self = code == EPIPE ? .readerGone : .system(code)
    }

    /// What happened, for people.
    var message: String {
        switch self {
        case .readerGone: "nobody reads the output any more"
        case .system(let code): "writing failed: \(SystemFailure("write", code: code).reason)"
        case .track(.system(let attempt, let path, let code)):
            "cannot \(attempt) \(Self.named(path)): \(SystemFailure(attempt, code: code).reason)"
        case .track(.foreign(let path, let cause)): "cannot write to \(path.printable): \(cause)"
        case .track(.exists(let path)): "\(path.printable) is there already; to overwrite it, add --force"
        case .cannotCreate(let message): message
        }
    }

    /// The file as it was asked for: one is written under a name of its own until it is whole.
    private static func named(_ path: String) -> String {
        let draft = ".partial"
        return (path.hasSuffix(draft) ? String(path.dropLast(draft.count)) : path).printable
    }

    /// What the program answers.
    var exitCode: ExitCode {
        switch self {
        case .readerGone, .system: .writingFailed
        case .track(.foreign), .track(.exists), .cannotCreate: .cannotCreate
        case .track(.system(let attempt, _, let code)):
            // A disk that is full when a file is to be made is full all the same.
            ["open", "create"].contains(attempt) && ![ENOSPC, EDQUOT, EFBIG].contains(code)
                ? .cannotCreate : .writingFailed
        }
    }
}
