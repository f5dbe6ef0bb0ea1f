package import LocationCore

// The reasons why a file cannot be read as a track. `TrackReader` adds the name of the file, which the readers of the formats do
// not know.
extension LocationError {
    /// The file is not a track, or is damaged; `line` is 0 if the fault does not concern a line.
    package static func malformedTrack(line: Int = 0, _ cause: String) -> LocationError {
        .other(code: "track", message: (line > 0 ? "line \(line): " : "") + cause)
    }

    static func untimedTrack(points: Int) -> LocationError {
        .other(
            code: "untimed",
            message: points == 1 ? "its only point has no valid time" : "none of its \(points) points has a valid time")
    }

    static func missingForTrack(library: String, package: String) -> LocationError {
        .other(code: "library", message: "it needs \(library), which is in the package \(package)")
    }

    /// Returns the error with the name of the file.
    package func ofTrack(_ name: String) -> LocationError {
        guard case .other(let code, let message) = self else { return self }
        return .other(code: code, message: "cannot read the track \(name): \(message)")
    }
}
