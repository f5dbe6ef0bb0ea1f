public import LocationCore

/// What somebody asked of a scripted source; the kind follows from the request's `purpose`.
public enum Call: Hashable, Sendable {
    /// A session to follow the position was started.
    case started(LocationRequest)
    /// A session to learn one position was started.
    case oneShotAsked(LocationRequest)
    /// A session to learn whether positions may be had was started.
    case authorizationAsked
    /// A session was let go of: by cancelling its task, by dropping its iterator, or as its end had come.
    case stopped

    init(_ request: LocationRequest) {
        self =
            switch request.purpose {
            case .updates: .started(request)
            case .once: .oneShotAsked(request)
            case .authorization: .authorizationAsked
            }
    }
}
