/// The reason why there is no current position.
public enum SearchReason: Hashable, Sendable, Codable {
    /// The session has just begun.
    case starting
    /// Connecting to the source; attempts are counted from 1.
    case connecting(attempt: Int)
    /// The source answers but has not reported on a position yet; `release` is the daemon's version.
    case connected(release: String?)
    /// The source has no receiver.
    case noDevice
    /// The receiver works but has no fix; the satellites in view and in use and the best signal, if reported.
    case noFix(seen: Int?, used: Int?, best: Double?)
    /// The receiver has a fix, but none of its positions has the accuracy, the age and the dimensions that the request
    /// demands.
    case unsuitable
    /// The receiver has disappeared.
    case deviceLost(path: String)
    /// The receiver cannot be opened.
    case deviceUnopenable(path: String)
    /// The receiver is open but sends nothing.
    case deviceSilent(path: String)
    /// The receiver sends bytes that are not packets.
    case deviceBabbling(path: String)
    /// The last position has become stale because nothing followed it for the given time.
    case silent(for: Duration)

    /// The kind of a reason, without its values; a change of the kind is a transition.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// See the cases of `SearchReason`.
        case starting, connecting, connected, noDevice, noFix, unsuitable, deviceLost, deviceUnopenable, deviceSilent
        /// See the cases of `SearchReason`.
        case deviceBabbling, silent
    }

    /// The kind of the reason, without its values.
    public var kind: Kind {
        switch self {
        case .starting: .starting
        case .connecting: .connecting
        case .connected: .connected
        case .noDevice: .noDevice
        case .noFix: .noFix
        case .unsuitable: .unsuitable
        case .deviceLost: .deviceLost
        case .deviceUnopenable: .deviceUnopenable
        case .deviceSilent: .deviceSilent
        case .deviceBabbling: .deviceBabbling
        case .silent: .silent
        }
    }
}
