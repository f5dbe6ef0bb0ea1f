import Glibc
import LocationCore

/// What a simulated receiver goes through, as data: where it moves, what it hears, and what goes wrong on its line.
public struct ReceiverScenario: Hashable, Sendable {
    /// The word that names it, as in `sim:walk`.
    public var name: String
    /// What it shows, in one line.
    public var summary: String
    /// Where the receiver is carried.
    public var route: Route
    /// How it moves along the route.
    public var motion: Motion
    /// Metres above mean sea level.
    public var altitude = 239.0
    /// Metres of mean sea level above the ellipsoid, here.
    public var geoidSeparation = 48.2
    /// Reports a second: 1 … 20; what lies outside becomes the nearest of them.
    public var rate = 1 { didSet { rate = min(20, max(1, rate)) } }
    /// What the receiver hears, one stage after another; the last one stays, unless they repeat.
    public var stages: [Stage]
    /// Whether the stages begin again after the last.
    public var repeats: Bool
    /// The systems that the receiver knows.
    public var systems = SatelliteSystem.allCases
    /// How often the same instant is reported.
    public var reportsPerInstant = 1
    /// By how many weeks the receiver's date is off; −1,024 is the rollover of GPS' week number.
    public var weeksOff = 0
    /// What goes wrong on the line.
    public var noise: LineNoise?

    /// A scenario that is free of faults.
    public init(
        name: String, summary: String, route: Route, motion: Motion = .standing, stages: [Stage] = [Stage(.fix3D)],
        repeats: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.route = route
        self.motion = motion
        self.stages = stages
        self.repeats = repeats
    }

    /// How a receiver moves along its route.
    public struct Motion: Hashable, Sendable {
        /// Metres a second, in the mean.
        public var speed: Double
        /// How much the speed swings around its mean: 0 not at all, 1 down to a standstill.
        public var swing: Double
        /// How long a swing takes.
        public var period: Duration

        /// A motion of a mean speed that may swing.
        public init(speed: Double, swing: Double = 0, period: Duration = .seconds(60)) {
            self.speed = speed
            self.swing = swing
            self.period = period
        }

        /// No motion.
        public static let standing = Motion(speed: 0)
    }

    /// A time of constant reception.
    public struct Stage: Hashable, Sendable {
        /// What the receiver hears.
        public var reception: Reception
        /// How long it lasts; for ever where it is `nil`.
        public var duration: Duration?

        /// A stage of some length, or the last one.
        public init(_ reception: Reception, for duration: Duration? = nil) {
            self.reception = reception
            self.duration = duration
        }
    }

    /// What a receiver hears.
    public enum Reception: Hashable, Sendable {
        /// Nothing, and it knows of no satellite.
        case dark
        /// Nothing, though it knows which satellites are up.
        case blocked
        /// So many satellites, too weak to compute with.
        case weak(Int)
        /// Enough for a position without altitude.
        case fix2D
        /// Enough for everything.
        case fix3D
        /// The receiver is not there: its device is gone.
        case unplugged

        /// The dimensions of the fix, or `nil` where there is none.
        public var dimensions: Int? {
            switch self {
            case .fix2D: 2
            case .fix3D: 3
            case .dark, .blocked, .weak, .unplugged: nil
            }
        }
    }

    /// The reception at a time since the start, and whether the receiver has been told the time by then.
    func reception(at offset: Duration) -> (now: Reception, knowsTime: Bool) {
        var rest = offset
        var knowsTime = false
        let total = stages.reduce(Duration.zero) { $0 + ($1.duration ?? .zero) }
        if repeats, total > .zero, rest >= total {
            knowsTime = stages.contains { $0.reception.tellsTime }
            rest = .nanoseconds(rest.nanoseconds % total.nanoseconds)
        }
        for stage in stages {
            // Power is lost with the device, but receivers keep their clock on a battery.
            knowsTime = knowsTime || stage.reception.tellsTime
            guard let duration = stage.duration, rest >= duration else { return (stage.reception, knowsTime) }
            rest -= duration
        }
        return (stages.last?.reception ?? .dark, knowsTime)
    }

    /// The metres covered at a time since the start, and the speed then.
    func progress(at offset: Duration) -> (metres: Double, speed: Double) {
        let seconds = Double(offset.nanoseconds) / 1e9
        let turn = 2 * Double.pi / max(1, Double(motion.period.nanoseconds) / 1e9)
        return (
            motion.speed * (seconds - motion.swing * sin(turn * seconds) / turn),
            motion.speed * (1 - motion.swing * sin(turn * seconds + .pi / 2))
        )
    }
}

extension ReceiverScenario.Reception {
    fileprivate var tellsTime: Bool {
        switch self {
        case .weak, .fix2D, .fix3D: true
        case .dark, .blocked, .unplugged: false
        }
    }
}

extension Duration {
    /// The whole length in nanoseconds; simulations are shorter than the 292 years that fit.
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
