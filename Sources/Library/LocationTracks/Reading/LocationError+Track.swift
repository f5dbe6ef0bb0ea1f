package import LocationCore

// The reasons why a file cannot be read as a track. `TrackReader` adds the name of the file, which the readers of the formats do
// not know.
extension LocationError {
    /// The file is not a track, or is damaged; `line` is 0 if the fault does not concern a line.
    package static func malformedTrack(line: Int = 0, _ cause: String) -> LocationError {
        .notATrack(path: "", line: line, cause: cause)
    }

    /// Returns the error with the name of the file.
    package func ofTrack(_ name: String) -> LocationError {
        switch self {
        case .notATrack(_, let line, let cause): .notATrack(path: name, line: line, cause: cause)
        case .untimedTrack(_, let points): .untimedTrack(path: name, points: points)
        case .libraryMissing(let library, let package, _): .libraryMissing(name: library, package: package, path: name)
        default: self
        }
    }
}
