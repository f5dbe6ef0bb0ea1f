public import LocationCore

/// A call that a scripted source received; the case follows from the request's `purpose`.
public enum SourceCall: Hashable, Sendable {
    /// A session for continuous updates was started.
    case started(LocationRequest)
    /// A session for one position was started.
    case oneShotAsked(LocationRequest)
    /// A session for the authorization status was started.
    case authorizationAsked
    /// A session was stopped: its task was cancelled, its iterator was dropped, or it had ended.
    case stopped

    /// The request of the session that was started, if it has one.
    public var request: LocationRequest? {
        switch self {
        case .started(let request), .oneShotAsked(let request): request
        case .authorizationAsked, .stopped: nil
        }
    }

    init(_ request: LocationRequest) {
        self =
            switch request.purpose {
            case .updates: .started(request)
            case .once: .oneShotAsked(request)
            case .authorization: .authorizationAsked
            }
    }
}
