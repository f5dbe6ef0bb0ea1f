package import LocationCore

/// An attack on a receiver, with a random place, noise, size and time, by which the rules of integrity are measured.
package struct IntegrityAttack: Sendable {
    /// The answer of the rules to one attack.
    package enum Outcome: Hashable, Sendable {
        /// The rule has noticed the attack after a number of seconds.
        case noticed(after: Double)
        case unnoticed
        /// A rule has objected to the receiver before the attack.
        case objectedEarly(IntegrityChange)
    }

    /// The rule that is to notice it.
    package let reason: IntegrityReasons
    package let summary: String
    /// The least share of the attacks that must be noticed.
    package let share: Double
    /// The seconds before the attack, and those of it.
    var before = 90
    var during = 120
    /// The speed of the receiver, in metres a second.
    var driving = 0.0
    /// Whether a second receiver reports the true place.
    var isWitnessed = false
    /// Changes the receiver before a report, with the seconds since the attack began.
    let apply: @Sendable (inout AttackedTrial, _ seconds: Double) -> Void

    /// Makes the attack with a number of positions a second, and returns what the rules have said of it.
    package func outcome(seed: Int, rate: Int) -> Outcome {
        var trial = AttackedTrial(seed: seed, rate: rate)
        (trial.speed, trial.pace, trial.isWitnessed) = (driving, driving, isWitnessed)
        for index in -before * rate..<during * rate {
            let seconds = Double(index) / Double(rate)
            let isWhole = index % rate == 0
            trial.begin(isWhole: isWhole)
            if index >= 0 { apply(&trial, seconds) }
            trial.report(isWhole: isWhole)
            guard !trial.receiver.changes.isEmpty else { continue }
            if index < 0 { return .objectedEarly(trial.receiver.changes[0]) }
            if trial.receiver.changes.contains(where: { $0.reasons.contains(reason) }) {
                return .noticed(after: seconds)
            }
        }
        return .unnoticed
    }
}

struct AttackedTrial {
    var receiver: JudgedReceiver
    /// The size of the attack, from 0 to 1, and its direction.
    let size: Double
    let side: Double
    /// The error that the receiver reports before the attack.
    let error: Double
    /// The place that the receiver reports, without noise.
    var place: Coordinate
    let truth: Coordinate
    /// The speed that the receiver reports, and that of its positions.
    var speed = 0.0
    var pace = 0.0
    /// The signals of this second, and the number of the first satellite.
    var signals: [Double] = []
    var first = 1
    /// By how many dB the signals of a second system are weaker, if there is one.
    var weakening: Double?
    /// Whether a second receiver reports the true place.
    var isWitnessed = false
    private var bearing: Double
    private var random: SplitMix64

    init(seed: Int, rate: Int) {
        // The place and the attack are the same at every rate.
        random = SplitMix64(seed: UInt64(seed), stream: 1)
        receiver = JudgedReceiver(rate: Double(rate))
        receiver.location.device = "/dev/ttyUSB0"
        place = Coordinate(latitude: random.unit() * 160 - 80, longitude: random.unit() * 360 - 180)
        truth = place
        error = 2 + random.unit() * 8
        receiver.location.horizontalAccuracy = error
        receiver.location.altitudeMSL = random.unit() * 2000
        bearing = random.unit() * 360
        size = random.unit()
        side = random.unit() < 0.5 ? -1 : 1
        receiver.report(
            .receiver(ReceiverReport(device: "/dev/ttyUSB0", antennaStatus: 1, jamming: Int(random.unit() * 40))))
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

    mutating func report(jamming: Int) {
        receiver.report(.receiver(ReceiverReport(device: "/dev/ttyUSB0", jamming: jamming)))
    }

    mutating func begin(isWhole: Bool) {
        receiver.time += receiver.interval
        if isWhole { signals = (0..<10).map { 30 + 18 * Double($0) / 9 + random.normal() } }
        guard pace > 0 else { return }
        bearing += (random.unit() - 0.5) * 20 * receiver.interval
        place = place.destination(distance: pace * receiver.interval, bearing: bearing)
    }

    /// Reports the place and the speed with noise, and satellites each second.
    mutating func report(isWhole: Bool) {
        let truthful = receiver.location
        receiver.location.coordinate = PositionNoise.position(around: place, radius: 3, &random)
        receiver.location.speed = speed + random.unit() * 0.2
        receiver.location.altitudeMSL = (truthful.altitudeMSL ?? 0) + random.unit() * 4 - 2
        receiver.report()
        receiver.location = truthful
        guard isWhole else { return }
        let others = weakening.map { weakening in signals.map { max(0, $0 - weakening) } } ?? []
        receiver.report(.satellites(JudgedReceiver.sky(signals, others: others, first: first, of: "/dev/ttyUSB0")))
        if isWitnessed { witness() }
    }

    private mutating func witness() {
        let reported = receiver.location
        receiver.location.device = "/dev/ttyUSB1"
        receiver.location.coordinate = truth.destination(distance: random.unit() * 3, bearing: 0)
        receiver.report()
        receiver.location = reported
    }
}

extension IntegrityAttack {
    /// The attacks, whose sizes begin below the thresholds.
    package static let all = [
        IntegrityAttack(reason: .jump, summary: "a leap of 100 m to 20 km", share: 0.8) { trial, seconds in
            if seconds == 0 { trial.move(by: trial.scale(100, 20_000)) }
        },
        IntegrityAttack(
            reason: .jump, summary: "a car that reports 15 m/s, and whose positions move 2 to 200 m/s faster",
            share: 0.65,
            driving: 15
        ) { trial, _ in trial.pace = 15 + trial.scale(2, 200) },
        IntegrityAttack(
            reason: .jump, summary: "a leap of 8 km below errors of 1 to 100 km, for 2 to 120 s", share: 0.9
        ) { trial, seconds in
            if seconds == 0 { trial.move(by: 8000) }
            let isOver = seconds >= 2 + 118 * trial.size
            trial.receiver.location.horizontalAccuracy = isOver ? trial.error : trial.scale(1000, 100_000)
        },
        IntegrityAttack(
            reason: .frozen, summary: "a car that reports 5 to 40 m/s, and whose positions freeze", share: 0.5,
            during: 300, driving: 15
        ) { trial, _ in (trial.speed, trial.pace) = (trial.scale(5, 40), 0) },
        IntegrityAttack(
            reason: .teleport, summary: "dragged away at 1 to 8 m/s while the speed says that it stands", share: 0.95,
            before: 700, during: 300
        ) { trial, _ in trial.move(by: (1 + 7 * trial.size) * trial.receiver.interval) },
        IntegrityAttack(
            reason: .teleport, summary: "the same at 0.1 to 1 m/s, for half an hour", share: 0.7, before: 700,
            during: 1800
        ) { trial, _ in trial.move(by: trial.scale(0.1, 1) * trial.receiver.interval) },
        IntegrityAttack(reason: .clock, summary: "a leap of 2 s to 3 h, either way", share: 0.5) { trial, seconds in
            if seconds == 0 { trial.receiver.clockOffset += trial.scale(2, 10_800) * trial.side }
        },
        IntegrityAttack(
            reason: .clock, summary: "a clock that is 5 to 50 % fast or slow for 40 s", share: 0.7
        ) { trial, seconds in
            let drift = trial.scale(0.05, 0.5) * trial.side
            if seconds < 40 { trial.receiver.clockOffset += drift * trial.receiver.interval }
        },
        IntegrityAttack(reason: .rollover, summary: "1,024 weeks", share: 1) { trial, seconds in
            if seconds == 0 { trial.receiver.clockOffset -= 1024 * 7 * 86_400 }
        },
        IntegrityAttack(reason: .signal, summary: "a fall of 5 to 25 dB within 8 s", share: 0.6) { trial, seconds in
            let fall = (5 + 20 * trial.size) * min(1, (seconds + 1) / 8)
            trial.signals = trial.signals.map { max(0, $0 - fall) }
        },
        IntegrityAttack(reason: .uniform, summary: "a spread of 0.5 to 4 dB", share: 0.3) { trial, _ in
            let spread = 0.5 + 3.5 * trial.size
            trial.signals = (0..<10).map { 45 + spread * Double($0) / 9 }
        },
        IntegrityAttack(
            reason: .constellation, summary: "signals of one system 5 to 25 dB above those of another one", share: 0.55,
            during: 240
        ) { trial, _ in trial.weakening = 5 + 20 * trial.size },
        IntegrityAttack(reason: .sky, summary: "other satellites", share: 0.95) { trial, _ in trial.first = 15 },
        IntegrityAttack(reason: .height, summary: "a leap of 100 m to 20 km upwards", share: 0.45) { trial, seconds in
            let leap = trial.scale(100, 20_000)
            if seconds == 0 { trial.receiver.location.altitudeMSL? += leap }
        },
        IntegrityAttack(
            reason: .receiver, summary: "an interference of 50 to 255 (`jam`)", share: 0.6
        ) { trial, _ in trial.report(jamming: 50 + Int(clamping: 205 * trial.size)) },
        IntegrityAttack(
            reason: .receiver, summary: "an interference that rises to 255 within 10 to 100 s", share: 1
        ) { trial, seconds in
            trial.report(jamming: Int(clamping: min(255, 40 + seconds * 215 / (10 + 90 * trial.size))))
        },
        IntegrityAttack(
            reason: .receiver, summary: "an antenna that is open or short-circuited after up to 10 s (`ant`)", share: 1
        ) { trial, seconds in
            guard seconds >= 10 * trial.size else { return }
            let report = ReceiverReport(device: "/dev/ttyUSB0", antennaStatus: trial.side > 0 ? 2 : 3)
            trial.receiver.report(.receiver(report))
        },
        IntegrityAttack(
            reason: .disagreement, summary: "one of two receivers dragged away at 1 to 8 m/s with a matching speed",
            share: 0.85, isWitnessed: true
        ) { trial, _ in
            trial.speed = 1 + 7 * trial.size
            trial.move(by: trial.speed * trial.receiver.interval)
        },
    ]
}
