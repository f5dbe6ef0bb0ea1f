/// Why a track cannot be written to a file.
public enum TrackFileError: Error, Hashable, Sendable {
    /// A call of the system failed; `attempt` says what was to be done, and `code` is the system's errno.
    case system(attempt: String, path: String, code: Int32)
    /// The file is there and holds something that cannot be continued.
    case foreign(path: String, cause: String)
    /// The file is there, and was not to be touched.
    case exists(path: String)
    /// Another program is writing to the file.
    case inUse(path: String)

    /// The file that is meant.
    public var path: String {
        switch self {
        case .system(_, let path, _), .foreign(let path, _), .exists(let path), .inUse(let path): path
        }
    }
}
