import Glibc
import LocationTracks
import LocwatchPlatform

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
            "cannot \(attempt) \(path.printable): \(SystemFailure(attempt, code: code).reason)"
        case .track(.foreign(let path, let cause)): "cannot write to \(path.printable): \(cause)"
        case .track(.exists(let path)): "\(path.printable) is there already; to overwrite it, add --force"
        case .track(.inUse(let path)): "cannot write to \(path.printable): another program is writing to it"
        case .cannotCreate(let message): message
        }
    }

    /// What the program answers.
    var exitCode: ExitCode {
        switch self {
        case .readerGone, .system: .writingFailed
        case .track(.foreign), .track(.exists), .track(.inUse), .cannotCreate: .cannotCreate
        case .track(.system(let attempt, _, let code)):
            // A disk that is full when a file is to be made is full all the same.
            ["open", "create"].contains(attempt) && ![ENOSPC, EDQUOT, EFBIG].contains(code)
                ? .cannotCreate : .writingFailed
        }
    }
}
