import LocationCore

extension LocationError {
    /// Whether a file or a stream cannot be read as a session.
    var concernsFile: Bool {
        switch self {
        case .unreadable, .notASession, .damaged, .programMissing, .other(code: Self.trackCode, _),
            .other(code: Self.untimedCode, _), .other(code: Self.libraryCode, _):
            true
        default: false
        }
    }
}
