import LocationCore

extension LocationError {
    /// Whether a file or a stream cannot be read as a session.
    var concernsFile: Bool {
        switch self {
        case .unreadable, .notASession, .damaged, .programMissing: true
        case .other(let code, _): ["notASession", "track", "untimed", "library"].contains(code)
        default: false
        }
    }
}
