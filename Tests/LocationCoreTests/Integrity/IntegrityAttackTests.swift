import Foundation
import LocationCore
import LocationTesting
import Testing

/// Generated attacks on a receiver that reports each second, with random places, noise, sizes and times.
///
/// Set `LOCWATCH_ATTACKS` to a number of seeds to measure with more of them; the figures are then printed.
@Suite struct IntegrityAttackTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let reason: IntegrityReasons
        /// The kind of the attack, if the same rule notices others.
        var kind = ""
        /// The least share of the attacks that must be noticed.
        let share: Double
        /// The time before the attack, in seconds.
        var before = 90
        /// Changes the receiver at a second of the attack, with a size from 0 to 1.
        let apply: @Sendable (inout JudgedReceiver, _ second: Int, _ size: Double, inout [Double]) -> Void

        var testDescription: String { kind.isEmpty ? reason.codes[0] : "\(reason.codes[0]), \(kind)" }
    }

    private static let count = ProcessInfo.processInfo.environment["LOCWATCH_ATTACKS"].flatMap { Int($0) } ?? 30

    static let attacks = [
        // 100 m to 20 km.
        Attack(reason: .jump, share: 0.8) { receiver, second, size, _ in
            if second == 0 { move(&receiver, by: 100 * pow(200, size)) }
        },
        // Dragged away with 1 to 8 m/s, while the speed stays that of a receiver that stands.
        Attack(reason: .teleport, share: 0.85, before: 700) { receiver, _, size, _ in move(&receiver, by: 1 + 7 * size)
        },
        // 2 s to 3 h, either way.
        Attack(reason: .clock, share: 0.5) { receiver, second, size, _ in
            if second == 0 { receiver.clockOffset += 2 * pow(5400, size) * (size * 1000 < 500 ? 1 : -1) }
        },
        Attack(reason: .rollover, share: 1) { receiver, second, _, _ in
            if second == 0 { receiver.clockOffset -= 1024 * 7 * 86_400 }
        },
        // 5 to 25 dB within up to 8 seconds.
        Attack(reason: .signal, share: 0.6) { _, second, size, signals in
            let fall = (5 + 20 * size) * min(1, Double(second + 1) / 8)
            signals = signals.map { max(0, $0 - fall) }
        },
        // A spread of 0.5 to 4 dB.
        Attack(reason: .uniform, share: 0.3) { _, _, size, signals in
            let spread = 0.5 + 3.5 * size
            signals = signals.indices.map { 45 + spread * Double($0) / Double(signals.count - 1) }
        },
        Attack(reason: .sky, share: 0.95) { _, _, _, _ in },
        // 100 m to 20 km.
        Attack(reason: .height, share: 0.45) { receiver, second, size, _ in
            guard second == 0, let height = receiver.location.altitudeMSL else { return }
            receiver.location.altitudeMSL = height + 100 * pow(200, size)
        },
        // A level of 50 to 255.
        Attack(reason: .receiver, kind: "interference", share: 0.6) { receiver, _, size, _ in
            receiver.report(.receiver(ReceiverReport(device: "/dev/ttyUSB0", jamming: 50 + Int(205 * size))))
        },
        // A level that rises from the usual one to 255 within 10 to 100 seconds, as that of a jammer that comes nearer.
        Attack(reason: .receiver, kind: "rising interference", share: 1) { receiver, second, size, _ in
            let level = min(255, 40 + Double(second) * 215 / (10 + 90 * size))
            receiver.report(.receiver(ReceiverReport(device: "/dev/ttyUSB0", jamming: Int(level))))
        },
        // An antenna that is cut off or short-circuited; it was reported as fine at first.
        Attack(reason: .receiver, kind: "antenna", share: 1) { receiver, second, size, _ in
            guard second >= Int(10 * size) else { return }
            receiver.report(
                .receiver(ReceiverReport(device: "/dev/ttyUSB0", antennaStatus: size * 1000 < 500 ? 2 : 3)))
        },
        // One of two receivers is dragged away with 1 to 8 m/s and a matching speed.
        Attack(reason: .disagreement, share: 0.85) { receiver, _, size, _ in
            move(&receiver, by: 1 + 7 * size)
            receiver.location.speed = 1 + 7 * size
        },
    ]

    private static func move(_ receiver: inout JudgedReceiver, by metres: Double) {
        receiver.location.coordinate = receiver.location.coordinate.destination(distance: metres, bearing: 60)
    }

    @Test(arguments: attacks) func `most attacks are noticed, and nothing before them`(_ attack: Attack) {
        var delays: [Int] = []
        for seed in 0..<Self.count {
            var random = SplitMix64(seed: UInt64(seed))
            var receiver = JudgedReceiver()
            receiver.location.device = "/dev/ttyUSB0"
            receiver.location.coordinate = Coordinate(
                latitude: random.unit() * 160 - 80, longitude: random.unit() * 360 - 180)
            receiver.location.horizontalAccuracy = 2 + random.unit() * 8
            receiver.location.altitudeMSL = random.unit() * 2000
            let size = random.unit()
            receiver.report(
                .receiver(ReceiverReport(device: "/dev/ttyUSB0", antennaStatus: 1, jamming: Int(random.unit() * 40))))
            let truth = receiver.location
            for second in 0..<attack.before + 120 {
                var signals = (0..<10).map { 30 + 18 * Double($0) / 9 + random.normal() }
                let step = second - attack.before
                if step >= 0 { attack.apply(&receiver, step, size, &signals) }
                self.second(of: &receiver, signals, first: attack.reason == .sky && step >= 0 ? 15 : 1, &random)
                if attack.reason == .disagreement { witness(truth, of: &receiver, &random) }
                if step < 0 { #expect(receiver.changes.isEmpty, "seed \(seed)") }
                if receiver.changes.contains(where: { $0.reasons.contains(attack.reason) }) {
                    delays.append(step)
                    break
                }
            }
        }
        let share = Double(delays.count) / Double(Self.count)
        #expect(share >= attack.share)
        guard ProcessInfo.processInfo.environment["LOCWATCH_ATTACKS"] != nil, !delays.isEmpty else { return }
        delays.sort()
        let (median, worst) = (delays[delays.count / 2], delays[delays.count - 1])
        print("attack \(attack.testDescription): noticed \(share), after \(median) s (median), \(worst) s (worst)")
    }

    /// Reports one second of a receiver whose position and speed scatter.
    private func second(
        of receiver: inout JudgedReceiver, _ signals: [Double], first: Int, _ random: inout SplitMix64
    ) {
        let place = receiver.location
        receiver.location.coordinate = place.coordinate.destination(
            distance: random.unit() * 3, bearing: random.unit() * 360)
        receiver.location.speed = (place.speed ?? 0) + random.unit() * 0.2
        receiver.location.altitudeMSL = (place.altitudeMSL ?? 0) + random.normal() * 2
        receiver.run(1, signals: signals, first: first)
        receiver.location = place
    }

    /// Reports the true place by a second receiver.
    private func witness(_ truth: Location, of receiver: inout JudgedReceiver, _ random: inout SplitMix64) {
        let reported = receiver.location
        receiver.location = truth
        receiver.location.device = "/dev/ttyUSB1"
        receiver.time -= 1
        receiver.run(1) { $0.coordinate = truth.coordinate.destination(distance: random.unit() * 3, bearing: 0) }
        receiver.location = reported
    }

    @Test func `a receiver that stands, walks or drives for an hour is nominal`() {
        for (speed, seed) in [(0.0, 1), (1.4, 2), (14, 3), (36, 4)] {
            var random = SplitMix64(seed: UInt64(seed))
            var receiver = JudgedReceiver()
            var bearing = 0.0
            receiver.location.speed = speed
            for _ in 0..<3600 {
                bearing += random.normal() * 5
                receiver.location.coordinate = receiver.location.coordinate.destination(
                    distance: speed, bearing: bearing)
                self.second(
                    of: &receiver, (0..<10).map { 28 + 20 * Double($0) / 9 + random.normal() * 2 }, first: 1, &random)
            }
            #expect(receiver.changes.isEmpty, "at \(speed) m/s")
        }
    }
}
