/// What can fail between a receiver and whoever asks where it is.
///
/// Each case carries what a message needs; what to do next is for the one who prints it.
public enum LocationError: Error, Hashable, Sendable, Codable {
    /// Nothing accepts a connection there.
    case unreachable(host: String, port: String, cause: String)
    /// The name of the host or of the service cannot be resolved.
    case unresolvable(host: String, port: String, cause: String)
    /// What answers there does not speak gpsd's language; `answer` holds the beginning of what it said, if anything.
    case notGPSD(host: String, port: String, answer: String)
    /// The connection was there and broke.
    case connectionLost(host: String, port: String, cause: String)
    /// The daemon or the device refuses.
    case denied(what: String, cause: String)
    /// The daemon reports an error of its own.
    case daemon(message: String)
    /// The daemon does not have the device that was asked for; `known` are those that it listed.
    case deviceUnknown(path: String, known: [String] = [])
    /// A device that cannot be used, and why.
    case deviceUnusable(path: String, cause: DeviceFault)
    /// The private daemon cannot be started.
    case daemonUnavailable(cause: String)
    /// A file or stream that cannot be read.
    case unreadable(path: String, cause: String)
    /// A file or stream that holds no gpsd session; the line is 0 where it is no line's fault.
    case notASession(path: String, line: Int, cause: String)
    /// Asked for one position, and none was good enough in time.
    indirect case noFix(Shortfall)
    /// The task that asked was cancelled.
    case cancelled
    /// A failure of a provider that is not gpsd's, with a code for programs and a message for people.
    case other(code: String, message: String)

    /// Why a device cannot be used.
    public enum DeviceFault: Hashable, Sendable, Codable {
        /// There is no such path.
        case missing
        /// The path may not be opened by this user or by the daemon.
        case notPermitted
        /// Another process holds it, named where it is known.
        case busy(holder: String?)
        /// The path is no terminal line.
        case notASerialDevice
        /// Anything else that the system said.
        case system(String)
    }

    /// What was missing when one position was asked for.
    public enum Shortfall: Hashable, Sendable, Codable {
        /// No report of any kind came.
        case nothingHeard(after: Duration)
        /// Reports came and none held a position; `reason` is the last that was said about it.
        case noPosition(after: Duration, reason: SearchReason)
        /// Positions came and none was accurate enough; `best` is the most accurate of them.
        case tooCoarse(best: Location, wanted: Double)
        /// Positions came and none had as many dimensions as wanted; `best` is the last of them.
        case tooFlat(best: Location, wanted: FixKind)
        /// Positions came and all were older than allowed; `best` is the newest of them.
        case tooOld(best: Location, wanted: Duration)
    }

    /// A short stable word for programs.
    public var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .unresolvable: "unresolvable"
        case .notGPSD: "notGPSD"
        case .connectionLost: "connectionLost"
        case .denied: "denied"
        case .daemon: "daemon"
        case .deviceUnknown: "deviceUnknown"
        case .deviceUnusable: "deviceUnusable"
        case .daemonUnavailable: "daemonUnavailable"
        case .unreadable: "unreadable"
        case .notASession: "notASession"
        case .noFix: "noFix"
        case .cancelled: "cancelled"
        case .other(let code, _): code
        }
    }
}
