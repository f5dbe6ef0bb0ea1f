import LocationCore

/// A receiver that is not attacked, in circumstances that look unusual, with a random place and noise.
struct HonestJourney: Sendable {
    let summary: String
    let run: @Sendable (inout HonestTrial) -> Void

    /// Returns the changes of its judgement, with a number of positions a second.
    func changes(seed: Int, rate: Int) -> [IntegrityChange] {
        var trial = HonestTrial(seed: seed, rate: rate)
        run(&trial)
        return trial.receiver.changes
    }

    /// Returns its reports, with one position a second.
    func updates(seed: Int) -> [LocationUpdate] {
        var trial = HonestTrial(seed: seed, rate: 1)
        trial.receiver.keepsUpdates = true
        run(&trial)
        return trial.receiver.updates
    }
}

struct HonestTrial {
    var receiver: JudgedReceiver
    var random: SplitMix64
    /// The true place and the true speed.
    var place: Coordinate
    var speed = 0.0
    var bearing: Double
    var hasSpeed = true
    var level = 0.0
    /// The offset of the reported position in metres, and the growth of the offset and of the reported error in a second.
    var offset = 0.0
    var drift = 0.0
    var accuracy = 5.0
    var accuracyGrowth = 0.0
    /// By how many dB the signals of a second system are weaker, if there is one.
    var weakening: Double?
    /// Whether the reports are held back, so that the session's time does not pass.
    var isHeld = false
    private var offsetBearing = 0.0
    private let rate: Int

    init(seed: Int, rate: Int) {
        random = SplitMix64(seed: UInt64(seed), stream: 2)
        self.rate = rate
        receiver = JudgedReceiver(rate: Double(rate))
        place = Coordinate(latitude: random.unit() * 140 - 70, longitude: random.unit() * 360 - 180)
        bearing = random.unit() * 360
        accuracy = 3 + random.unit() * 7
        offsetBearing = random.unit() * 360
    }

    mutating func between(_ low: Double, _ high: Double) -> Double { low + random.unit() * (high - low) }

    /// Moves for some seconds, with changes of the speed, down to a standstill, and of the bearing in degrees, both by
    /// second, and reports positions unless there are none, as in a tunnel.
    mutating func go(
        _ seconds: Double, acceleration: Double = 0, turn: Double = 0, climb: Double = 0, isHidden: Bool = false
    ) {
        let interval = receiver.interval
        for index in 0..<Int(clamping: seconds * Double(rate)) {
            if isHeld { receiver.clockOffset += interval } else { receiver.time += interval }
            let before = speed
            speed = max(0, speed + acceleration * interval)
            bearing += turn * interval
            offset += drift * interval
            accuracy += accuracyGrowth * interval
            if before + speed > 0 {
                place = place.destination(distance: (before + speed) / 2 * interval, bearing: bearing)
            }
            receiver.location.altitudeMSL = (receiver.location.altitudeMSL ?? 0) + climb * interval
            if !isHidden { report(isWhole: index % rate == 0) }
        }
    }

    /// Reports the place with noise, and satellites each second.
    mutating func report(isWhole: Bool) {
        let shown = offset == 0 ? place : place.destination(distance: offset, bearing: offsetBearing)
        receiver.location.coordinate = random.position(around: shown, radius: accuracy * 0.4)
        receiver.location.horizontalAccuracy = accuracy
        receiver.location.speed = hasSpeed ? max(0, speed + (random.unit() - 0.5) * 0.3) : nil
        receiver.report()
        guard isWhole else { return }
        let signals = (0..<10).map { 28 + level + 20 * Double($0) / 9 + random.unit() * 2 }
        let others = weakening.map { weakening in signals.map { $0 - weakening } } ?? []
        receiver.report(.satellites(JudgedReceiver.sky(signals, others: others, of: receiver.location.device)))
    }

    /// Reports satellites that are not heard, as in a tunnel.
    mutating func silence() { receiver.report(.satellites(JudgedReceiver.sky(Array(repeating: 0, count: 10)))) }

    /// Reports an interference between two levels.
    mutating func report(jamming levels: ClosedRange<Int>) {
        let level = levels.lowerBound + random.below(levels.count)
        receiver.report(.receiver(ReceiverReport(device: receiver.location.device, jamming: level)))
    }

    /// Drives through a town: stops, turns and goes on.
    mutating func drive(blocks: Int) {
        for _ in 0..<blocks {
            go(6, acceleration: 2.5)
            go(between(3, 15))
            go(5, acceleration: -3)
            go(between(0, 20))
            speed = 0
            bearing += random.unit() < 0.5 ? -90 : 90
        }
    }
}

extension HonestJourney {
    /// The journeys on which there must be no alarm.
    static let all = [
        Self(summary: "a tunnel without dead reckoning") {
            tunnels(&$0) { trial in
                trial.silence()
                trial.go(trial.between(3, 90), isHidden: true)
                // The first positions after it are worse.
                trial.offset = trial.between(0, 40)
                trial.accuracy += 15
                trial.drift = -trial.offset / 10
                trial.go(10)
                trial.accuracy -= 15
                (trial.offset, trial.drift) = (0, 0)
            }
        },
        Self(summary: "a tunnel with dead reckoning") {
            tunnels(&$0) { trial in
                let accuracy = trial.accuracy
                (trial.drift, trial.accuracyGrowth) = (trial.between(0.2, 1.5), 1)
                trial.silence()
                trial.go(trial.between(20, 120))
                (trial.drift, trial.accuracyGrowth, trial.offset, trial.accuracy) = (0, 0, 0, accuracy)
            }
        },
        Self(summary: "a tunnel with dead reckoning that reports a constant error") {
            tunnels(&$0) { trial in
                trial.drift = trial.between(0.2, 1)
                trial.go(trial.between(20, 80))
                (trial.drift, trial.offset) = (0, 0)
            }
        },
        Self(summary: "an airliner") { fly(&$0) },
        Self(summary: "an airliner without a speed") {
            $0.hasSpeed = false
            fly(&$0)
        },
        Self(summary: "a train without a speed") { trial in
            trial.hasSpeed = false
            for _ in 0..<3 {
                trial.go(trial.between(60, 700))
                trial.go(160, acceleration: 0.5)
                trial.go(60)
                trial.go(trial.between(5, 60), isHidden: true)
                trial.go(60, turn: 0.2)
                trial.go(160, acceleration: -0.5)
            }
        },
        Self(summary: "a flight over the pole") { trial in
            trial.place = Coordinate(latitude: 89.9, longitude: trial.between(-180, 180))
            (trial.bearing, trial.speed) = (0, trial.between(50, 250))
            for _ in 0..<Int(clamping: 900 / trial.receiver.interval) {
                // A course of constant bearing would end at the pole.
                let ahead = trial.place.destination(distance: trial.speed * 2, bearing: trial.bearing)
                trial.go(trial.receiver.interval)
                trial.bearing = trial.place.bearing(to: ahead)
            }
        },
        Self(summary: "a stay at the pole") { trial in
            trial.place = Coordinate(latitude: 90, longitude: 0)
            trial.go(1500)
        },
        Self(summary: "back and forth over the antimeridian") { trial in
            trial.place = Coordinate(latitude: trial.between(-60, 60), longitude: 180)
            trial.bearing = 90
            trial.go(900)
            for _ in 0..<4 {
                trial.go(6, acceleration: 2.5)
                trial.go(30)
                trial.go(6, acceleration: -2.5)
                trial.bearing += 180
            }
        },
        Self(summary: "leap seconds, inserted and removed") { trial in
            trial.drive(blocks: 4)
            trial.receiver.clockOffset -= 1
            trial.drive(blocks: 4)
            trial.receiver.clockOffset += 1
            trial.drive(blocks: 4)
        },
        Self(summary: "the almanac that corrects the time by up to 18 s") { trial in
            trial.receiver.clockOffset = trial.between(1, 18.4)
            trial.go(trial.between(10, 1400))
            trial.receiver.clockOffset = 0
            trial.go(300)
        },
        Self(summary: "the recordings of several days, one after another") { trial in
            for day in 0..<4 {
                trial.drive(blocks: 5)
                // With times of arrival, those of a day after the first begin without a pause.
                if day % 2 == 0 {
                    trial.receiver.wallOffset += 86_400 * trial.between(1, 30)
                } else {
                    trial.receiver.time += 50_000
                }
                trial.level = trial.between(-12, 0)
                trial.place = trial.place.destination(distance: trial.between(10, 100_000), bearing: trial.bearing)
            }
        },
        Self(summary: "a process that is stopped for minutes") { trial in
            for _ in 0..<3 {
                trial.drive(blocks: 4)
                let stop = trial.between(7, 400)
                // The positions of that time arrive together.
                trial.receiver.time += stop
                trial.receiver.clockOffset -= stop
                trial.isHeld = true
                trial.go(6, acceleration: 2)
                trial.go(stop - 6)
                trial.isHeld = false
                trial.receiver.clockOffset = 0
                trial.go(6, acceleration: -2)
            }
        },
        Self(summary: "streets with reflections of up to 60 m") { trial in
            for _ in 0..<8 {
                trial.drive(blocks: 2)
                trial.offset = trial.between(10, 60)
                trial.drive(blocks: 1)
                trial.offset = 0
            }
        },
        Self(summary: "a canyon of houses, with reflections of 60 to 90 m for 3 to 20 s") { trial in
            trial.go(20)
            for turn in 0..<40 {
                trial.speed = turn % 4 == 0 ? 0 : 8
                trial.offset = trial.between(60, 90)
                trial.go(trial.between(3, 20))
                trial.offset = 0
                trial.go(trial.between(3, 20))
                if turn % 3 == 0 { trial.bearing += 90 }
            }
        },
        Self(summary: "a carousel of 3 to 15 m") { trial in
            let radius = trial.between(3, 15)
            trial.speed = trial.between(2, 6)
            trial.go(600, turn: trial.speed / radius * 180 / .pi)
        },
        Self(summary: "a parked car under trees, whose place drifts by 60 to 80 m") { trial in
            trial.accuracy = 4
            trial.go(700)
            trial.drift = trial.between(60, 80) / 400
            trial.go(400)
            trial.drift = 0
            trial.go(300)
        },
        Self(summary: "an antenna that favours one system by 5 to 9 dB") { trial in
            trial.weakening = trial.between(5, 9)
            trial.go(400)
        },
        Self(summary: "heights that reflections shift by 100 to 140 m, ten times a second") { trial in
            trial.receiver.interval = 0.1
            trial.receiver.location.verticalAccuracy = 4
            for turn in 0..<10 {
                trial.go(30)
                let shift = trial.between(100, 140)
                trial.receiver.location.altitudeMSL? += turn % 2 == 0 ? shift : -shift
            }
        },
        Self(summary: "a jet that climbs by 30 m/s, and is heard every ten seconds") { trial in
            trial.speed = 200
            trial.receiver.location.verticalAccuracy = 4
            trial.go(30)
            for _ in 0..<30 {
                trial.go(9, climb: 30, isHidden: true)
                trial.go(1, climb: 30)
            }
        },
        Self(summary: "a van with a radio, whose interference is 10 to 80") { trial in
            for _ in 0..<60 {
                trial.report(jamming: 10...80)
                trial.go(2)
            }
        },
        Self(summary: "a mast whose interference is 120 to 160 throughout") { trial in
            for _ in 0..<60 {
                trial.report(jamming: 120...160)
                trial.go(2)
            }
        },
        Self(summary: "a ship with two receivers 60 to 90 m apart, whose errors shrink") { trial in
            trial.receiver.location.device = "/dev/ttyUSB0"
            let apart = trial.between(60, 90)
            trial.accuracy = 20
            for second in 0..<300 {
                if second == 150 { trial.accuracy = 3 }
                trial.go(1)
                let bow = trial.receiver.location
                trial.receiver.location.device = "/dev/ttyUSB1"
                trial.receiver.location.coordinate = trial.place.destination(distance: apart, bearing: 0)
                trial.receiver.report()
                trial.receiver.location = bow
            }
        },
    ]

    /// Drives through three tunnels.
    private static func tunnels(_ trial: inout HonestTrial, _ pass: (inout HonestTrial) -> Void) {
        trial.speed = trial.between(10, 35)
        trial.go(60)
        for _ in 0..<3 {
            pass(&trial)
            trial.go(60)
        }
    }

    /// Takes off, climbs, turns, and lands.
    private static func fly(_ trial: inout HonestTrial) {
        trial.go(120)
        trial.go(32, acceleration: 2.5)
        trial.go(300, acceleration: 0.55, climb: 12)
        trial.go(120, turn: 1.5)
        trial.go(300)
        trial.go(300, acceleration: -0.6, climb: -11)
        trial.go(40, acceleration: -2)
        trial.go(120)
    }
}
