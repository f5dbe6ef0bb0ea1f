/// The reason why a file cannot be read as a track.
package enum TrackFault: Error, Hashable, Sendable {
    /// The file is not a track, or is damaged; `line` is 0 if the fault does not concern a line.
    case malformed(line: Int, cause: String)
    /// No point has a time.
    case untimed(points: Int)
    /// A library is not installed.
    case libraryMissing(library: String, package: String)
}

extension TrackFault: CustomStringConvertible {
    /// The fault as a phrase, without the name of the file.
    package var description: String {
        switch self {
        case .malformed(let line, let cause): (line > 0 ? "line \(line): " : "") + cause
        case .untimed(let points):
            points == 1 ? "its only point has no valid time" : "none of its \(points) points has a valid time"
        case .libraryMissing(let library, let package): "it needs \(library), which is in the package \(package)"
        }
    }
}
