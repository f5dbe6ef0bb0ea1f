import Glibc
import LocationCore

/// The behaviour of a simulated receiver, as data: its motion, its reception, and the noise on its line.
public struct ReceiverScenario: Hashable, Sendable {
    /// The name of the scenario, as in `sim:walk`.
    public var name: String
    /// A one-line description of the scenario.
    public var summary: String
    package var route: Route
    /// The motion of the receiver along the route.
    package var motion: Motion
    /// The path with times on which the receiver moves instead of the route, if any.
    package var path: TrackPath?
    /// The standard deviation of the reported position in metres, in each direction and independent at each epoch, or
    /// `nil` for an error that drifts slowly as that of a real receiver does.
    package var positionError: Double?
    /// The altitude in metres above mean sea level.
    package var altitude = 239.0
    /// The height of mean sea level above the ellipsoid at the route, in metres.
    package var geoidSeparation = 48.2
    /// The number of epochs per second, clamped to 1 … 20.
    package var rate = 1 { didSet { rate = min(20, max(1, rate)) } }
    /// The speed of a serial line in bits per second on which each epoch ends before the next one; an epoch of many satellites
    /// has more than a kilobyte, and a receiver that takes commands can be asked for another rate.
    package var sufficientLineSpeed: Int { rate * reportsPerEpoch > 5 || commands != nil ? 460_800 : 115_200 }
    /// The stages of reception, in order; the last one continues unless they repeat.
    package var stages: [Stage]
    /// Whether the stages begin again after the last one.
    package var repeats: Bool
    package var systems = SatelliteSystem.allCases
    package var reportsPerEpoch = 1
    /// Whether the receiver sends the binary messages of a u-blox with two bands instead of sentences.
    package var isUBlox = false
    /// The error of the receiver's date in weeks; −1,024 is the rollover of GPS' week number.
    package var weeksOff = 0
    package var corrections: ScenarioCorrections?
    package var noise: LineNoise?
    /// The commands that the receiver takes, if any.
    package var commands: ScenarioCommands?
    /// The compass beside the receiver, if any.
    package var compass: ScenarioCompass?

    /// Creates a scenario without faults.
    package init(
        name: String, summary: String, route: Route, motion: Motion = .standing,
        stages: [Stage] = [Stage(.fix3D)],
        repeats: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.route = route
        self.motion = motion
        self.stages = stages
        self.repeats = repeats
    }

    /// The motion of a receiver along its route.
    package struct Motion: Hashable, Sendable {
        /// The mean speed in metres per second.
        package var speed: Double
        /// The relative swing of the speed around its mean: 0 for a constant speed, 1 for swings down to a standstill.
        var swing = 0.0
        var period = Duration.seconds(60)

        package static let standing = Motion(speed: 0)
    }

    /// A period of constant reception.
    package struct Stage: Hashable, Sendable {
        package var reception: Reception
        /// The duration of the stage, or `nil` if it has no end.
        package var duration: Duration?

        /// Creates a stage, which has no end without a duration.
        package init(_ reception: Reception, for duration: Duration? = nil) {
            self.reception = reception
            self.duration = duration
        }
    }

    package enum Reception: Hashable, Sendable {
        /// No signals, and the receiver does not know which satellites are in view.
        case dark
        /// No signals, but the receiver knows which satellites are in view.
        case blocked
        /// A number of satellites, all too weak for a fix.
        case weak(Int)
        /// Enough satellites for a position without an altitude.
        case fix2D
        /// Enough satellites for a position with an altitude.
        case fix3D
        /// Noise covers the signals: each is weaker by 15 dB.
        case jammed
        /// One transmitter imitates all satellites with equal strength, 3 km east of the receiver.
        case spoofed
        /// The position is 3 km east of the receiver, and nothing else is unusual.
        case displaced
        /// The receiver is unplugged, so its device does not exist.
        case unplugged

        /// The distance of the reported position from the true one, eastwards in metres, apart from errors.
        package var displacement: Double { self == .spoofed || self == .displaced ? 3000 : 0 }

        /// The dimensions of the fix, or `nil` without a fix.
        package var dimensions: Int? {
            switch self {
            case .fix2D: 2
            case .fix3D, .jammed, .spoofed, .displaced: 3
            case .dark, .blocked, .weak, .unplugged: nil
            }
        }
    }

    /// Returns the reception at a time since the start, and whether the receiver knows the time by then.
    package func reception(at offset: Duration) -> (now: Reception, knowsTime: Bool) {
        var rest = offset
        var knowsTime = false
        let total = stages.reduce(Duration.zero) { $0 + ($1.duration ?? .zero) }
        if repeats, total > .zero, rest >= total {
            knowsTime = stages.contains { $0.reception.tellsTime }
            rest = .nanoseconds(rest.nanoseconds % total.nanoseconds)
        }
        for stage in stages {
            // An unplugged receiver has no power, but its clock runs on a battery.
            knowsTime = knowsTime || stage.reception.tellsTime
            guard let duration = stage.duration, rest >= duration else { return (stage.reception, knowsTime) }
            rest -= duration
        }
        return (stages.last?.reception ?? .dark, knowsTime)
    }

    /// Returns the distance covered at a time since the start, in metres, and the speed then.
    package func progress(at offset: Duration) -> (metres: Double, speed: Double) {
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
        case .weak, .fix2D, .fix3D, .jammed, .spoofed, .displaced: true
        case .dark, .blocked, .unplugged: false
        }
    }
}

extension Duration {
    /// The duration in nanoseconds; simulations are shorter than the 292 years that fit into 64 bits.
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
