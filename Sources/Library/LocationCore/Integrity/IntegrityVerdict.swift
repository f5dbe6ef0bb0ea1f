/// A judgement of whether a receiver's reports are to be believed.
public enum IntegrityVerdict: String, Hashable, Sendable, Comparable, CaseIterable {
    /// No rule objects.
    case nominal
    /// One rule objects; a tunnel, a building or a fault of the receiver can be the cause too.
    case suspect
    /// A rule objects by far, or independent rules object at the same time: do not rely on the position.
    case alarm

    /// Returns whether one verdict is better than another.
    public static func < (left: IntegrityVerdict, right: IntegrityVerdict) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .nominal: 0
        case .suspect: 1
        case .alarm: 2
        }
    }
}

/// The rules that object to a receiver's reports.
public struct IntegrityReasons: OptionSet, Hashable, Sendable {
    /// The reasons as bits.
    public let rawValue: UInt16

    /// Creates reasons from their bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The place changed by more than the speed, the errors and the time between explain.
    public static let jump = IntegrityReasons(rawValue: 1 << 0)
    /// The place is far from where the receiver stood still, and no speed was reported on the way.
    public static let teleport = IntegrityReasons(rawValue: 1 << 1)
    /// The receiver's time leapt against the session's clock.
    public static let clock = IntegrityReasons(rawValue: 1 << 2)
    /// The receiver's date is wrong by a rollover of GPS' week number: a multiple of 1,024 weeks.
    public static let rollover = IntegrityReasons(rawValue: 1 << 3)
    /// The signals of all satellites fell together.
    public static let signal = IntegrityReasons(rawValue: 1 << 4)
    /// The signals of all satellites in use are equally strong, as those of a single transmitter are.
    public static let uniform = IntegrityReasons(rawValue: 1 << 5)
    /// Most of the satellites in use changed within seconds while the receiver stood still.
    public static let sky = IntegrityReasons(rawValue: 1 << 6)
    /// The height changed faster than anything moves, or is far below the ground.
    public static let height = IntegrityReasons(rawValue: 1 << 7)
    /// The receiver itself reports interference, or a fault of its antenna.
    public static let receiver = IntegrityReasons(rawValue: 1 << 8)
    /// Two receivers that agreed for a while disagree beyond their errors.
    public static let disagreement = IntegrityReasons(rawValue: 1 << 9)
    /// The place has hardly changed for minutes while the receiver reports a speed.
    public static let frozen = IntegrityReasons(rawValue: 1 << 10)
    /// The signals of one system are far stronger than those of the others, for minutes.
    public static let constellation = IntegrityReasons(rawValue: 1 << 11)

    /// All reasons with their stable names, in the order in which they are listed.
    package static let named: [(reason: IntegrityReasons, code: String)] = [
        (.jump, "jump"), (.teleport, "teleport"), (.clock, "clock"), (.rollover, "rollover"), (.signal, "signal"),
        (.uniform, "uniform"), (.sky, "sky"), (.height, "height"), (.receiver, "receiver"),
        (.disagreement, "disagreement"), (.frozen, "frozen"), (.constellation, "constellation"),
    ]

    /// The short, stable identifiers of the reasons for programs, as in `["jump", "clock"]`.
    public var codes: [String] { Self.named.filter { contains($0.reason) }.map(\.code) }
}

/// A change of the judgement of a receiver: another verdict, or a further reason for the same one.
public struct IntegrityChange: Hashable, Sendable {
    /// The receiver.
    public var device: String?
    /// The previous verdict.
    public var from: IntegrityVerdict
    /// The new verdict.
    public var to: IntegrityVerdict
    /// The reasons for the new verdict; none if it is nominal.
    public var reasons: IntegrityReasons
    /// A sentence in English, without a full stop, that says what was observed; the receiver is its subject.
    public var message: String
    /// The moment of the change.
    public var moment: Moment

    /// Creates a change, for instance to compare with in a test.
    public init(
        device: String? = nil, from: IntegrityVerdict, to: IntegrityVerdict, reasons: IntegrityReasons,
        message: String = "", at moment: Moment
    ) {
        self.device = device
        self.from = from
        self.to = to
        self.reasons = reasons
        self.message = message
        self.moment = moment
    }
}
