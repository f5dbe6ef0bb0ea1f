/// The reason why there is no current position.
///
/// A later release can have more cases, so that a `switch` has a `default`.
public enum SearchReason: Hashable, Sendable {
    /// The session has just begun, or none runs.
    case starting
    /// Connecting to the source; attempts are counted from 1.
    case connecting(attempt: Int)
    /// The source has accepted the connection but sends nothing, so that it is perhaps not a gpsd.
    case unanswered
    /// The source answers but has not reported on a position yet; `release` is the daemon's version.
    case connected(release: String?)
    /// The source has no receiver.
    case noDevice
    /// The receiver works but has no fix; the satellites in view and in use and the best signal in dB-Hz, if reported.
    case noFix(seen: Int?, used: Int?, best: Double?)
    /// The receiver has a fix, but none of its positions has the accuracy, the age and the dimensions that the request demands.
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
}

extension SearchReason {
    /// A short, stable identifier of the reason, without its values; a change of it is a change of state.
    public var code: String {
        switch self {
        case .starting: "starting"
        case .connecting: "connecting"
        case .unanswered: "unanswered"
        case .connected: "connected"
        case .noDevice: "noDevice"
        case .noFix: "noFix"
        case .unsuitable: "unsuitable"
        case .deviceLost: "deviceLost"
        case .deviceUnopenable: "deviceUnopenable"
        case .deviceSilent: "deviceSilent"
        case .deviceBabbling: "deviceBabbling"
        case .silent: "silent"
        }
    }

    /// The number of satellites in view and in use and the best signal in dB-Hz, as far as they are known, for `noFix`.
    public var satellites: (seen: Int?, used: Int?, best: Double?)? {
        if case .noFix(let seen, let used, let best) = self { (seen, used, best) } else { nil }
    }

    /// Whether the receiver has stopped reporting, and is not known to be away.
    package var isSilence: Bool {
        switch self {
        case .silent, .deviceSilent: true
        default: false
        }
    }

    /// The receiver that is lost, silent, or cannot be used, if the reason is one of these.
    public var path: String? {
        switch self {
        case .deviceLost(let path), .deviceUnopenable(let path), .deviceSilent(let path), .deviceBabbling(let path):
            path
        case .starting, .connecting, .unanswered, .connected, .noDevice, .noFix, .unsuitable, .silent: nil
        }
    }
}
