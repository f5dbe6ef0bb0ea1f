/// An error between a receiver and a client that asks for its position.
///
/// The `code` says what happened, and a code is a pattern for its errors. A later release can have more codes, so that a
/// `switch` has a `default`:
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
public struct LocationError: Error, Hashable, Sendable {
    /// The case with its facts, by which the modules of this package tell all errors apart.
    package let detail: Detail

    package init(_ detail: Detail) { self.detail = detail }

    /// Creates an error of a provider, with a code for programs and a message for people.
    ///
    /// A provider has codes of its own for errors that no other code describes.
    public init(_ code: Code, message: String) { self.init(.other(code: code, message: message)) }

    /// A short, stable identifier of what happened.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible, Codable {
        /// The identifier, for programs.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier.
        public var description: String { rawValue }

        /// The host does not accept a connection on the port, or a stream in a network cannot be opened.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The name of the host or of the service cannot be resolved.
        public static let unresolvable = Code(rawValue: "unresolvable")
        /// The peer does not speak gpsd's protocol.
        public static let notGPSD = Code(rawValue: "notGPSD")
        /// An established connection was lost.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The daemon or the device denies access.
        public static let denied = Code(rawValue: "denied")
        /// The daemon reports an error.
        public static let daemon = Code(rawValue: "daemon")
        /// The daemon does not have the requested device.
        public static let deviceUnknown = Code(rawValue: "deviceUnknown")
        /// A device cannot be used; see `deviceFault`.
        public static let deviceUnusable = Code(rawValue: "deviceUnusable")
        /// The broker of a fleet cannot be reached, or refuses to serve.
        public static let broker = Code(rawValue: "broker")
        /// The private daemon cannot be started.
        public static let daemonUnavailable = Code(rawValue: "daemonUnavailable")
        /// A file or stream cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// A file or stream is not a gpsd session.
        public static let notASession = Code(rawValue: "notASession")
        /// A file or stream ends before its content does, or its content is damaged.
        public static let damaged = Code(rawValue: "damaged")
        /// A program that the source needs is not installed.
        public static let programMissing = Code(rawValue: "programMissing")
        /// A request for one position found none that was good enough in time; see `shortfall`.
        public static let noFix = Code(rawValue: "noFix")
        /// The task of the request was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// CoreLocation's code for a position that is unknown at present, while the provider keeps trying.
        ///
        /// The providers of this package report a search with its reason instead.
        public static let locationUnknown = Code(rawValue: "locationUnknown")

        /// A file that is not a track, or is damaged.
        public static let track = Code(rawValue: "track")
        /// A track without times.
        public static let untimed = Code(rawValue: "untimed")
        /// A library that is not installed.
        public static let library = Code(rawValue: "library")
        /// A recording cannot be written or read again.
        package static let recording = Code(rawValue: "recording")
        /// The system has refused a thread, a port or the like.
        public static let system = Code(rawValue: "system")
    }

    /// The cases of an error, with the facts for a message.
    package enum Detail: Hashable, Sendable {
        case unreachable(host: String, port: String, cause: String)
        case streamUnavailable(address: String, cause: String)
        case unresolvable(host: String, port: String, cause: String)
        /// `answer` is the beginning of the peer's answer, if any.
        case notGPSD(host: String, port: String, answer: String)
        case connectionLost(host: String, port: String, cause: String)
        case denied(what: String, cause: String)
        case daemon(message: String)
        /// `known` are the devices that the daemon has listed.
        case deviceUnknown(path: String, known: [String])
        case deviceUnusable(path: String, cause: DeviceFault)
        case broker(address: String, cause: String)
        case daemonUnavailable(cause: String)
        case unreadable(path: String, cause: String)
        /// `line` is 0 if the error does not concern a line.
        case notASession(path: String, line: Int, cause: String)
        /// Everything before the damage was delivered.
        case damaged(path: String, cause: String)
        /// `package` is Debian's package with the program.
        case programMissing(name: String, package: String)
        indirect case noFix(Shortfall)
        case cancelled
        case other(code: Code, message: String)
    }

    /// The reason why a device cannot be used.
    public enum DeviceFault: Hashable, Sendable, Codable {
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
    public enum Shortfall: Hashable, Sendable, Codable {
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
    }
}

// MARK: Matching

extension LocationError {
    /// The identifier of what happened.
    public var code: Code {
        switch detail {
        case .unreachable, .streamUnavailable: .unreachable
        case .unresolvable: .unresolvable
        case .notGPSD: .notGPSD
        case .connectionLost: .connectionLost
        case .denied: .denied
        case .daemon: .daemon
        case .deviceUnknown: .deviceUnknown
        case .deviceUnusable: .deviceUnusable
        case .broker: .broker
        case .daemonUnavailable: .daemonUnavailable
        case .unreadable: .unreadable
        case .notASession: .notASession
        case .damaged: .damaged
        case .programMissing: .programMissing
        case .noFix: .noFix
        case .cancelled: .cancelled
        case .other(let code, _): code
        }
    }

    /// Returns whether an error has a code, for `switch` and `catch`.
    public static func ~= (code: Code, error: LocationError) -> Bool { error.code == code }

    /// The host, or the address of a stream or of a broker, if the error concerns one.
    public var host: String? { facts.host ?? facts.address }

    /// The number of the port, if the error concerns one and does not have the name of its service instead.
    public var port: UInt16? { facts.port.flatMap { UInt16($0) } }

    /// The path of the device or of the file, if the error concerns one.
    public var path: String? { facts.path }

    /// The reason that the system or the peer has given, if any.
    public var cause: String? { facts.cause }

    /// The reason why no position was good enough, for the code `noFix`.
    public var shortfall: Shortfall? { facts.shortfall }

    /// The reason why a device cannot be used, for the code `deviceUnusable`.
    public var deviceFault: DeviceFault? { facts.fault }
}

// MARK: Creating

extension LocationError {
    /// The host does not accept a connection on the port.
    public static func unreachable(host: String, port: UInt16, cause: String) -> Self {
        Self(.unreachable(host: host, port: String(port), cause: cause))
    }

    /// The name of the host or of the service cannot be resolved.
    public static func unresolvable(host: String, port: UInt16, cause: String) -> Self {
        Self(.unresolvable(host: host, port: String(port), cause: cause))
    }

    /// An established connection was lost.
    public static func connectionLost(host: String, port: UInt16, cause: String) -> Self {
        Self(.connectionLost(host: host, port: String(port), cause: cause))
    }

    /// The daemon or the device denies access to something.
    public static func denied(what: String, cause: String) -> Self { Self(.denied(what: what, cause: cause)) }

    /// The source does not have the requested device; `known` are the devices that it has.
    public static func deviceUnknown(path: String, known: [String] = []) -> Self {
        Self(.deviceUnknown(path: path, known: known))
    }

    /// A device cannot be used.
    public static func deviceUnusable(path: String, cause: DeviceFault) -> Self {
        Self(.deviceUnusable(path: path, cause: cause))
    }

    /// A request for one position found none that was good enough in time.
    public static func noFix(_ shortfall: Shortfall) -> Self { Self(.noFix(shortfall)) }

    /// The task of the request was cancelled.
    public static var cancelled: Self { Self(.cancelled) }

    package static func streamUnavailable(address: String, cause: String) -> Self {
        Self(.streamUnavailable(address: address, cause: cause))
    }

    package static func notGPSD(host: String, port: String, answer: String) -> Self {
        Self(.notGPSD(host: host, port: port, answer: answer))
    }

    package static func daemon(message: String) -> Self { Self(.daemon(message: message)) }

    package static func broker(address: String, cause: String) -> Self { Self(.broker(address: address, cause: cause)) }

    package static func daemonUnavailable(cause: String) -> Self { Self(.daemonUnavailable(cause: cause)) }

    package static func unreadable(path: String, cause: String) -> Self { Self(.unreadable(path: path, cause: cause)) }

    package static func notASession(path: String, line: Int, cause: String) -> Self {
        Self(.notASession(path: path, line: line, cause: cause))
    }

    package static func damaged(path: String, cause: String) -> Self { Self(.damaged(path: path, cause: cause)) }

    package static func programMissing(name: String, package: String) -> Self {
        Self(.programMissing(name: name, package: package))
    }
}
