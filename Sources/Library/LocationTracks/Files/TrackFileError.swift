import LocationCore

/// An error of writing a track to a file.
public enum TrackFileError: Error, Hashable, Sendable {
    /// A system call failed; `attempt` is a verb such as "open" that names the operation, and `code` is errno.
    case system(attempt: String, path: String, code: Int32)
    /// The existing file holds something that cannot be continued.
    case foreign(path: String, cause: String)
    /// The file exists, and overwriting it was not permitted.
    case exists(path: String)
    /// Another program is writing to the file.
    case inUse(path: String)

    package var path: String {
        switch self {
        case .system(_, let path, _), .foreign(let path, _), .exists(let path), .inUse(let path): path
        }
    }
}

extension TrackFileError: CustomStringConvertible {
    /// A sentence without a full stop that says what happened, in English.
    public var description: String {
        let (path, reason) = (VisibleText.of(path), VisibleText.of(reason))
        return switch self {
        case .system(let attempt, _, _): "cannot \(attempt) \(path): \(reason)"
        case .foreign, .inUse: "cannot write to \(path): \(reason)"
        case .exists: "\(path) already exists"
        }
    }
}
