/// An error between a receiver and a client that asks for its position.
///
/// A later release can have more cases, so that a `switch` has a `default`:
///
/// ```swift
/// do throws(LocationError) {
///     return try await source.current()
/// } catch {
///     switch error {
///     case .denied: askForPermission()
///     case .unreachable, .connectionLost: retryLater()
///     default: show(error.description)
///     }
/// }
/// ```
///
/// An error carries the facts for a message; advice on what to do is left to the program that prints it.
public enum LocationError: Error, Hashable, Sendable {
    /// The host does not accept a connection on the port, which can have the name of a service.
    case unreachable(host: String, port: String, cause: String)
    /// A stream in a network cannot be opened.
    case streamUnavailable(address: String, cause: String)
    /// The name of the host or of the service cannot be resolved.
    case unresolvable(host: String, port: String, cause: String)
    /// The peer does not speak gpsd's protocol; `answer` is the beginning of its answer, if any.
    case notGPSD(host: String, port: String, answer: String)
    /// An established connection was lost.
    case connectionLost(host: String, port: String, cause: String)
    /// The daemon or the device denies access to something.
    case denied(what: String, cause: String)
    /// The daemon reports an error.
    case daemon(message: String)
    /// The source does not have the requested device; `known` are the devices that it has.
    case deviceUnknown(path: String, known: [String] = [])
    /// A device cannot be used.
    case deviceUnusable(path: String, cause: DeviceFault)
    /// The broker of a fleet cannot be reached, or refuses to serve.
    case broker(address: String, cause: String)
    /// The private daemon cannot be started.
    case daemonUnavailable(cause: String)
    /// A file or stream cannot be read.
    case unreadable(path: String, cause: String)
    /// A file or stream is not a gpsd session; `line` is 0 if the error does not concern a line.
    case notASession(path: String, line: Int, cause: String)
    /// A file or stream ends before its content does, or its content is damaged; everything before was delivered.
    case damaged(path: String, cause: String)
    /// A file is not a track, or is damaged; `line` is 0 if the error does not concern a line.
    case notATrack(path: String, line: Int, cause: String)
    /// No point of a track has a valid time.
    case untimedTrack(path: String, points: Int)
    /// A file is the raw log of a receiver, which the provider cannot decode.
    case rawLog(path: String)
    /// A file that is to be read as the raw log of a receiver is a gpsd recording.
    case notARawLog(path: String)
    /// A file cannot be written.
    case unwritable(path: String, cause: String)
    /// A program that the source needs is not installed; `package` is Debian's package with it.
    case programMissing(name: String, package: String)
    /// A library with which a file is read is not installed; `package` is Debian's package with it.
    case libraryMissing(name: String, package: String, path: String)
    /// A stand-in cannot perform a script or a command.
    case script(cause: String)
    /// The system has refused a thread, a port or the like.
    case system(cause: String)
    /// A request for one position found none that was good enough in time.
    indirect case noFix(Shortfall)
    /// The task of the request was cancelled.
    case cancelled
    /// CoreLocation's error of a position that is unknown at present, while the provider keeps trying.
    ///
    /// The providers of this package report a search with its reason instead.
    case locationUnknown
    /// An error that no other case describes, such as one of a provider of your own, with an identifier for programs and a message for
    /// people.
    case other(code: String, message: String)

    /// The system has refused a thread, a port or the like.
    package static func system(_ failure: any Error) -> Self { .system(cause: "\(failure)") }

    /// The host does not accept a connection on the port.
    public static func unreachable(host: String, port: UInt16, cause: String) -> Self {
        .unreachable(host: host, port: String(port), cause: cause)
    }

    /// The name of the host or of the service cannot be resolved.
    public static func unresolvable(host: String, port: UInt16, cause: String) -> Self {
        .unresolvable(host: host, port: String(port), cause: cause)
    }

    /// An established connection was lost.
    public static func connectionLost(host: String, port: UInt16, cause: String) -> Self {
        .connectionLost(host: host, port: String(port), cause: cause)
    }

    /// The reason why a device cannot be used.
    public enum DeviceFault: Hashable, Sendable {
        /// The path does not exist.
        case missing
        /// This user or the daemon lacks the permission to open the path.
        case notPermitted
        /// Another process uses the device; `holder` names it, if known.
        case busy(holder: String?)
        /// The path is not a terminal device.
        case notASerialDevice
        /// Another error of the system.
        case system(cause: String)
    }

    /// The reason why a request for one position failed.
    public enum Shortfall: Hashable, Sendable {
        /// No report arrived.
        case nothingHeard(after: Duration)
        /// No report had a position; `reason` is the last known search reason.
        case noPosition(after: Duration, reason: SearchReason)
        /// No position was accurate enough; `best` is the most accurate one.
        case tooCoarse(best: Location, wanted: Double)
        /// No position had enough dimensions; `best` is the last one.
        case tooFlat(best: Location, wanted: FixKind)
        /// All positions were too old; `best` is the newest one.
        case tooOld(best: Location, wanted: Duration)
        /// A recording has no position at a time; the others are the times of the nearest ones, if any.
        case notRecorded(at: Timestamp, before: Timestamp?, after: Timestamp?)
        /// The receiver left its place after it had stood there for a while, before the mean of its positions was good enough.
        case moved(after: Duration, distance: Double)
        /// The receiver stood still, and then gave no position for so long that it may have moved.
        case interrupted(after: Duration, silence: Duration)
        /// The receiver did not stand still for long enough; `longest` is zero if it was not known to stand at all.
        case tooBrief(longest: Duration, wanted: Duration)
    }
}

extension LocationError {
    /// A short, stable identifier of what happened, for programs.
    public var code: String {
        switch self {
        case .unreachable, .streamUnavailable: "unreachable"
        case .unresolvable: "unresolvable"
        case .notGPSD: "notGPSD"
        case .connectionLost: "connectionLost"
        case .denied: "denied"
        case .daemon: "daemon"
        case .deviceUnknown: "deviceUnknown"
        case .deviceUnusable: "deviceUnusable"
        case .broker: "broker"
        case .daemonUnavailable: "daemonUnavailable"
        case .unreadable: "unreadable"
        case .notASession, .notARawLog: "notASession"
        case .damaged: "damaged"
        case .notATrack: "track"
        case .untimedTrack: "untimed"
        case .rawLog: "rawLog"
        case .unwritable: "recording"
        case .programMissing: "programMissing"
        case .libraryMissing: "library"
        case .script: "script"
        case .system: "system"
        case .noFix: "noFix"
        case .cancelled: "cancelled"
        case .locationUnknown: "locationUnknown"
        case .other(let code, _): code
        }
    }
}
