import LocationCore

/// An attack on a receiver, with a random place, noise, size and time, by which the rules of integrity are measured.
struct IntegrityAttack: Sendable {
    /// The rule that is to notice it.
    let reason: IntegrityReasons
    let summary: String
    /// The least share of the attacks that must be noticed.
    let share: Double
    /// The seconds before the attack, and those of it.
    var before = 90
    var during = 120
    /// The speed of the receiver, in metres a second.
    var driving = 0.0
    /// Whether a second receiver reports the true place.
    var isWitnessed = false
    /// Changes the receiver before a report.
    let apply: @Sendable (inout AttackedTrial) -> Void

    /// The result of a trial of an attack.
    enum Outcome: Equatable {
        /// The seconds from the beginning of the attack until its rule noticed it.
        case noticed(after: Double)
        case missed
        /// The change with which a rule objected before the attack.
        case objectedBefore(IntegrityChange)
    }

    /// Makes the attack with a number of positions a second, and returns whether its rule noticed it.
    func outcome(seed: Int, rate: Int = 1, rules: IntegrityRules = IntegrityRules()) -> Outcome {
        var trial = AttackedTrial(seed: seed, rate: rate, rules: rules)
        (trial.speed, trial.pace) = (driving, driving)
        for index in -before * rate..<during * rate {
            trial.seconds = Double(index) / Double(rate)
            trial.begin(isWhole: index % rate == 0)
            if index >= 0 { apply(&trial) }
            trial.report(isWhole: index % rate == 0, isWitnessed: isWitnessed)
            if index < 0, let change = trial.receiver.changes.first { return .objectedBefore(change) }
            if trial.receiver.changes.contains(where: { $0.reasons.contains(reason) }) {
                return .noticed(after: trial.seconds)
            }
        }
        return .missed
    }
}

struct AttackedTrial {
    var receiver: JudgedReceiver
    /// The seconds since the attack began.
    var seconds = 0.0
    /// The size of the attack, from 0 to 1, and its direction.
    let size: Double
    let side: Double
    /// The error that the receiver reports before the attack.
    let error: Double
    /// The place that the receiver reports, without noise.
    var place: Coordinate
    private let truth: Coordinate
    /// The speed that the receiver reports, and that of its positions.
    var speed = 0.0
    var pace = 0.0
    /// The signals of this second, and the number of the first satellite.
    var signals: [Double] = []
    var first = 1
    /// By how many dB the signals of a second system are weaker, if there is one.
    var weakening: Double?
    private var bearing: Double
    private var random: SplitMix64

    init(seed: Int, rate: Int, rules: IntegrityRules = IntegrityRules()) {
        // The place and the attack are the same at every rate.
        random = SplitMix64(seed: UInt64(seed), stream: 1)
        receiver = JudgedReceiver(rate: Double(rate), rules: rules)
        receiver.location.device = "/dev/ttyUSB0"
        place = Coordinate(latitude: random.unit() * 160 - 80, longitude: random.unit() * 360 - 180)
        truth = place
        error = 2 + random.unit() * 8
        receiver.location.horizontalAccuracy = error
        receiver.location.altitudeMSL = random.unit() * 2000
        bearing = random.unit() * 360
        size = random.unit()
        side = random.unit() < 0.5 ? -1 : 1
        report(jamming: Int(random.unit() * 40), antenna: 1)
    }

    /// Returns a size between two limits, of which the doubles are as frequent as the halves.
    func scale(_ low: Double, _ high: Double) -> Double {
        var (value, factor, rest) = (low, high / low, size)
        for _ in 0..<20 {
            (factor, rest) = (factor.squareRoot(), rest * 2)
            if rest >= 1 { (value, rest) = (value * factor, rest - 1) }
        }
        return value
    }

    mutating func move(by metres: Double) { place = place.destination(distance: metres, bearing: 60) }

    mutating func report(jamming: Int? = nil, antenna: Int? = nil) {
        receiver.report(.receiver(ReceiverReport(device: "/dev/ttyUSB0", antennaStatus: antenna, jamming: jamming)))
    }

    mutating func begin(isWhole: Bool) {
        receiver.time += receiver.interval
        if isWhole { signals = (0..<10).map { 30 + 18 * Double($0) / 9 + random.normal() } }
        guard pace > 0 else { return }
        bearing += (random.unit() - 0.5) * 20 * receiver.interval
        place = place.destination(distance: pace * receiver.interval, bearing: bearing)
    }

    /// Reports the place and the speed with noise, and each second satellites and, if asked, the true place as another
    /// receiver's.
    mutating func report(isWhole: Bool, isWitnessed: Bool) {
        let truthful = receiver.location
        receiver.location.coordinate = random.position(around: place, radius: 3)
        receiver.location.speed = speed + random.unit() * 0.2
        receiver.location.altitudeMSL = (truthful.altitudeMSL ?? 0) + random.unit() * 4 - 2
        receiver.report()
        receiver.location = truthful
        guard isWhole else { return }
        let others = weakening.map { weakening in signals.map { max(0, $0 - weakening) } } ?? []
        receiver.report(.satellites(JudgedReceiver.sky(signals, others: others, first: first, of: "/dev/ttyUSB0")))
        guard isWitnessed else { return }
        receiver.location.device = "/dev/ttyUSB1"
        receiver.location.coordinate = truth.destination(distance: random.unit() * 3, bearing: 0)
        receiver.report()
        receiver.location = truthful
    }
}

extension IntegrityAttack {
    /// The attacks, whose sizes begin below the thresholds.
    static let all = [
        Self(reason: .jump, summary: "a leap of 100 m to 20 km", share: 0.8) {
            if $0.seconds == 0 { $0.move(by: $0.scale(100, 20_000)) }
        },
        Self(
            reason: .jump, summary: "a car that reports 15 m/s, and whose positions move 2 to 200 m/s faster",
            share: 0.65, driving: 15
        ) { $0.pace = 15 + $0.scale(2, 200) },
        Self(reason: .jump, summary: "a leap of 8 km below errors of 1 to 100 km, for 2 to 120 s", share: 0.9) {
            if $0.seconds == 0 { $0.move(by: 8000) }
            let isOver = $0.seconds >= 2 + 118 * $0.size
            $0.receiver.location.horizontalAccuracy = isOver ? $0.error : $0.scale(1000, 100_000)
        },
        Self(
            reason: .frozen, summary: "a car that reports 5 to 40 m/s, and whose positions freeze", share: 0.5,
            during: 300, driving: 15
        ) { ($0.speed, $0.pace) = ($0.scale(5, 40), 0) },
        Self(
            reason: .teleport, summary: "dragged away at 1 to 8 m/s while the speed says that it stands", share: 0.95,
            before: 700, during: 300
        ) { $0.move(by: (1 + 7 * $0.size) * $0.receiver.interval) },
        Self(
            reason: .teleport, summary: "the same at 0.1 to 1 m/s, for half an hour", share: 0.7, before: 700,
            during: 1800
        ) { $0.move(by: $0.scale(0.1, 1) * $0.receiver.interval) },
        Self(reason: .clock, summary: "a leap of 2 s to 3 h, either way", share: 0.5) {
            if $0.seconds == 0 { $0.receiver.clockOffset += $0.scale(2, 10_800) * $0.side }
        },
        Self(reason: .clock, summary: "a clock that is 5 to 50 % fast or slow for 40 s", share: 0.7) {
            let drift = $0.scale(0.05, 0.5) * $0.side
            if $0.seconds < 40 { $0.receiver.clockOffset += drift * $0.receiver.interval }
        },
        Self(reason: .rollover, summary: "1,024 weeks", share: 1) {
            if $0.seconds == 0 { $0.receiver.clockOffset -= 1024 * 7 * 86_400 }
        },
        Self(reason: .signal, summary: "a fall of 5 to 25 dB within 8 s", share: 0.6) {
            let fall = (5 + 20 * $0.size) * min(1, ($0.seconds + 1) / 8)
            $0.signals = $0.signals.map { max(0, $0 - fall) }
        },
        Self(reason: .uniform, summary: "a spread of 0.5 to 4 dB", share: 0.3) {
            let spread = 0.5 + 3.5 * $0.size
            $0.signals = (0..<10).map { 45 + spread * Double($0) / 9 }
        },
        Self(
            reason: .constellation, summary: "signals of one system 5 to 25 dB above those of another one", share: 0.55,
            during: 240
        ) { $0.weakening = 5 + 20 * $0.size },
        Self(
            reason: .signal, summary: "a fall of 10 to 30 dB within 5 minutes", share: 0.4, before: 120, during: 480
        ) {
            let fall = (10 + 20 * $0.size) * min(1, ($0.seconds + 1) / 300)
            $0.signals = $0.signals.map { max(0, $0 - fall) }
        },
        Self(reason: .sky, summary: "other satellites", share: 0.95) { $0.first = 15 },
        Self(reason: .sky, summary: "7 to 9 of ten satellites are others", share: 0.95) {
            $0.first = 8 + Int(clamping: $0.size * 3)
        },
        Self(reason: .height, summary: "a leap of 100 m to 20 km upwards", share: 0.45) {
            let leap = $0.scale(100, 20_000)
            if $0.seconds == 0 { $0.receiver.location.altitudeMSL? += leap }
        },
        Self(reason: .receiver, summary: "an interference of 50 to 255 (`jam`)", share: 0.6) {
            $0.report(jamming: 50 + Int(clamping: 205 * $0.size))
        },
        Self(reason: .receiver, summary: "an interference that rises to 255 within 10 to 100 s", share: 1) {
            $0.report(jamming: Int(clamping: min(255, 40 + $0.seconds * 215 / (10 + 90 * $0.size))))
        },
        Self(
            reason: .receiver, summary: "an antenna that is open or short-circuited after up to 10 s (`ant`)", share: 1
        ) { if $0.seconds >= 10 * $0.size { $0.report(antenna: $0.side > 0 ? 2 : 3) } },
        Self(
            reason: .disagreement, summary: "one of two receivers dragged away at 1 to 8 m/s with a matching speed",
            share: 0.85, isWitnessed: true
        ) {
            $0.speed = 1 + 7 * $0.size
            $0.move(by: $0.speed * $0.receiver.interval)
        },
    ]
}
