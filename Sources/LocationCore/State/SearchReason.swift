/// The reason why there is no current position.
///
/// The `code` is a pattern for the reasons with it, as in `case .searching(.noFix)`. A later release can have more codes, so
/// that a `switch` has a `default`.
public struct SearchReason: Hashable, Sendable {
    /// The case with its values, by which the modules of this package tell all reasons apart.
    package let detail: Detail

    package init(_ detail: Detail) { self.detail = detail }

    /// A short, stable identifier of a reason, without its values; a change of the code is a change of state.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible, Codable {
        /// The identifier, for programs.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The identifier.
        public var description: String { rawValue }

        /// The session has just begun.
        public static let starting = Code(rawValue: "starting")
        /// Connecting to the source.
        public static let connecting = Code(rawValue: "connecting")
        /// The source answers but has not reported on a position yet.
        public static let connected = Code(rawValue: "connected")
        /// The source has no receiver.
        public static let noDevice = Code(rawValue: "noDevice")
        /// The receiver works but has no fix.
        public static let noFix = Code(rawValue: "noFix")
        /// The receiver has a fix, but none of its positions has the accuracy, the age and the dimensions that the request
        /// demands.
        public static let unsuitable = Code(rawValue: "unsuitable")
        /// The receiver has disappeared.
        public static let deviceLost = Code(rawValue: "deviceLost")
        /// The receiver cannot be opened.
        public static let deviceUnopenable = Code(rawValue: "deviceUnopenable")
        /// The receiver is open but sends nothing.
        public static let deviceSilent = Code(rawValue: "deviceSilent")
        /// The receiver sends bytes that are not packets.
        public static let deviceBabbling = Code(rawValue: "deviceBabbling")
        /// The last position has become stale because nothing followed it.
        public static let silent = Code(rawValue: "silent")
    }

    /// The cases of a reason.
    package enum Detail: Hashable, Sendable {
        case starting
        case connecting(attempt: Int)
        case connected(release: String?)
        case noDevice
        case noFix(seen: Int?, used: Int?, best: Double?)
        case unsuitable
        case deviceLost(path: String)
        case deviceUnopenable(path: String)
        case deviceSilent(path: String)
        case deviceBabbling(path: String)
        case silent(for: Duration)
    }
}

// MARK: Matching

extension SearchReason {
    /// The identifier of the reason.
    public var code: Code {
        switch detail {
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

    /// Returns whether a reason has a code, for `switch` and `if case`.
    public static func ~= (code: Code, reason: SearchReason) -> Bool { reason.code == code }

    /// The number of the attempt to connect, counted from 1, for the code `connecting`.
    public var attempt: Int? { if case .connecting(let attempt) = detail { attempt } else { nil } }

    /// The number of satellites in view and in use and the best signal in dB-Hz, as far as they are known, for the code
    /// `noFix`.
    public var satellites: (seen: Int?, used: Int?, best: Double?)? {
        if case .noFix(let seen, let used, let best) = detail { (seen, used, best) } else { nil }
    }

    /// Whether the receiver has stopped reporting, and is not known to be away.
    package var isSilence: Bool { code == .silent || code == .deviceSilent }

    /// The receiver that is lost, silent, or cannot be used, if the reason is one of these.
    public var path: String? {
        switch detail {
        case .deviceLost(let path), .deviceUnopenable(let path), .deviceSilent(let path), .deviceBabbling(let path):
            path
        case .starting, .connecting, .connected, .noDevice, .noFix, .unsuitable, .silent: nil
        }
    }
}

// MARK: Creating

extension SearchReason {
    /// The session has just begun.
    public static var starting: Self { Self(.starting) }

    /// Connecting to the source; attempts are counted from 1.
    public static func connecting(attempt: Int) -> Self { Self(.connecting(attempt: attempt)) }

    /// The source answers but has not reported on a position yet; `release` is the daemon's version.
    public static func connected(release: String?) -> Self { Self(.connected(release: release)) }

    /// The source has no receiver.
    public static var noDevice: Self { Self(.noDevice) }

    /// The receiver works but has no fix; the satellites in view and in use and the best signal, if reported.
    public static func noFix(seen: Int?, used: Int?, best: Double?) -> Self {
        Self(.noFix(seen: seen, used: used, best: best))
    }

    /// The receiver has a fix, but no position that meets the request.
    public static var unsuitable: Self { Self(.unsuitable) }

    /// The receiver has disappeared.
    public static func deviceLost(path: String) -> Self { Self(.deviceLost(path: path)) }

    /// The receiver cannot be opened.
    public static func deviceUnopenable(path: String) -> Self { Self(.deviceUnopenable(path: path)) }

    /// The receiver is open but sends nothing.
    public static func deviceSilent(path: String) -> Self { Self(.deviceSilent(path: path)) }

    /// The receiver sends bytes that are not packets.
    public static func deviceBabbling(path: String) -> Self { Self(.deviceBabbling(path: path)) }

    /// The last position has become stale because nothing followed it for the given time.
    public static func silent(for time: Duration) -> Self { Self(.silent(for: time)) }
}

// MARK: Coding

/// The form of a reason when encoded, without the values that it does not have.
private struct SearchReasonValues: Codable {
    var code: SearchReason.Code
    var attempt: Int?
    var release: String?
    var seen: Int?
    var used: Int?
    var best: Double?
    var path: String?
    var duration: Duration?
}

extension SearchReason: Codable {
    /// Encodes the code and the values that the reason has.
    public func encode(to encoder: any Encoder) throws {
        var values = SearchReasonValues(code: code)
        switch detail {
        case .starting, .noDevice, .unsuitable: break
        case .connecting(let attempt): values.attempt = attempt
        case .connected(let release): values.release = release
        case .noFix(let seen, let used, let best): (values.seen, values.used, values.best) = (seen, used, best)
        case .deviceLost(let path), .deviceUnopenable(let path), .deviceSilent(let path), .deviceBabbling(let path):
            values.path = path
        case .silent(let duration): values.duration = duration
        }
        try values.encode(to: encoder)
    }

    /// Decodes a reason; one that is not known here is an error.
    public init(from decoder: any Decoder) throws {
        let values = try SearchReasonValues(from: decoder)
        switch (values.code, values.path) {
        case (.starting, _): self = .starting
        case (.connecting, _): self = .connecting(attempt: values.attempt ?? 1)
        case (.connected, _): self = .connected(release: values.release)
        case (.noDevice, _): self = .noDevice
        case (.noFix, _): self = .noFix(seen: values.seen, used: values.used, best: values.best)
        case (.unsuitable, _): self = .unsuitable
        case (.deviceLost, let path?): self = .deviceLost(path: path)
        case (.deviceUnopenable, let path?): self = .deviceUnopenable(path: path)
        case (.deviceSilent, let path?): self = .deviceSilent(path: path)
        case (.deviceBabbling, let path?): self = .deviceBabbling(path: path)
        case (.silent, _): self = .silent(for: values.duration ?? .zero)
        default:
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "not a reason: \(values.code.rawValue)"))
        }
    }
}
