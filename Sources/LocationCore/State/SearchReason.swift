/// Why there is no current position.
public enum SearchReason: Hashable, Sendable, Codable {
    /// The session has just begun.
    case starting
    /// On the way to the source; attempts are counted from 1.
    case connecting(attempt: Int)
    /// The source answers, and nothing has been said about a position yet; `release` names the daemon's version.
    case connected(release: String?)
    /// The source has no receiver.
    case noDevice
    /// The receiver works and has no fix; what it sees, where it tells.
    case noFix(seen: Int?, used: Int?, best: Double?)
    /// The receiver has gone.
    case deviceLost(path: String)
    /// The receiver cannot be opened.
    case deviceUnopenable(path: String)
    /// The receiver is open and does not send a byte.
    case deviceSilent(path: String)
    /// The receiver sends bytes that are no packets.
    case deviceBabbling(path: String)
    /// There was a position, and nothing has followed it for so long.
    case silent(for: Duration)

    /// Which of the reasons it is, whatever it carries; a change of it is a transition.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// See the cases of `SearchReason`.
        case starting, connecting, connected, noDevice, noFix, deviceLost, deviceUnopenable, deviceSilent
        /// See the cases of `SearchReason`.
        case deviceBabbling, silent
    }

    /// Which of the reasons it is, whatever it carries.
    public var kind: Kind {
        switch self {
        case .starting: .starting
        case .connecting: .connecting
        case .connected: .connected
        case .noDevice: .noDevice
        case .noFix: .noFix
        case .deviceLost: .deviceLost
        case .deviceUnopenable: .deviceUnopenable
        case .deviceSilent: .deviceSilent
        case .deviceBabbling: .deviceBabbling
        case .silent: .silent
        }
    }
}
