import LocationCore

extension LocationError {
    /// Whether a file or a stream cannot be read as a session.
    var concernsFile: Bool {
        ["unreadable", "notASession", "damaged", "programMissing", "track", "untimed", "library"].contains(code)
    }
}
