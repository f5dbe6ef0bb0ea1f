/// The authorization to receive positions.
public enum AuthorizationStatus: String, Hashable, Sendable {
    /// Not requested yet.
    case notDetermined
    /// Positions are available.
    case authorized
    /// The daemon or the device denies access.
    case denied
}

extension LocationEvent {
    /// The answer to whether positions may be read that the event is, if any.
    package var authorization: AuthorizationStatus? {
        switch self {
        case .authorization(let status): status
        case .location: .authorized
        // A refusal is final; a provider that reports it as a failure sends no status.
        case .failure(.denied, _): .denied
        default: nil
        }
    }
}
