import TestSupport
import Testing

@testable import LocationCore

/// The motion that a session shows while it runs; what statistics know afterwards is tested with them.
@Suite struct MotionTests {
    /// A receiver on its way, whose positions are passed on with the stillness that a session's tracker notes.
    private struct Journey {
        var motion: Motion
        private var stillness = Stillness()
        private var place = Coordinate(latitude: 45, longitude: 7)
        private var draw = SplitMix64(seed: 5)
        private var second: Int64 = 0

        init(tellsDecisions: Bool = false) { motion = Motion(tellsDecisions: tellsDecisions) }

        /// Passes on a position a second; a drift is one of a receiver that stands.
        mutating func go(_ seconds: Int, at speed: Double, drift: Double = 1, told: Double? = nil) {
            for _ in 0..<seconds {
                place = place.destination(distance: speed, bearing: 90)
                let shown = speed > 0 ? place : place.destination(distance: drift, bearing: draw.uniform(0...360))
                let location = Location(
                    coordinate: shown, timestamp: Timestamp(nanosecondsSince1970: second * 1_000_000_000),
                    horizontalAccuracy: 5, altitudeMSL: 100, speed: told ?? speed)
                stillness.process(location, speed: location.speed, after: 1)
                motion.process(location, isStationary: stillness.isStill, at: second * 1_000_000_000)
                second += 1
            }
        }

        mutating func pass(_ seconds: Int64) { second += seconds }
    }

    @Test func `each stop of many is one, and the distance is that of the ways between them`() {
        var journey = Journey()
        journey.go(100, at: 0)
        for trip in 1...5 {
            #expect(!journey.motion.isUnderway)
            journey.go(60, at: 12)
            #expect(journey.motion.isUnderway)
            journey.go(120, at: 0)
            #expect(!journey.motion.isUnderway && !journey.motion.suspectsDeparture)
            #expect(abs(journey.motion.distance - Double(trip * 720)) < Double(5 * trip), "\(journey.motion.distance)")
        }
        #expect(journey.motion.rawDistance > journey.motion.distance + 100)
        journey.motion.settle()
        let (moving, standing) = (journey.motion.movingTime, journey.motion.standingTime)
        #expect(moving + standing == .seconds(999) && moving >= .seconds(300) && moving < .seconds(320))
    }

    @Test func `a motion within the place of a standstill counts only once the receiver has left it`() {
        var journey = Journey()
        journey.go(100, at: 0)
        // Speeds of a walk, while the positions stay within their accuracy.
        journey.go(12, at: 0, drift: 5.5, told: 0.8)
        #expect(journey.motion.suspectsDeparture && !journey.motion.isUnderway && journey.motion.distance == 0)
        journey.go(30, at: 0)
        #expect(journey.motion.distance == 0 && !journey.motion.suspectsDeparture)
        journey.go(30, at: 5)
        #expect(journey.motion.isUnderway && abs(journey.motion.distance - 150) < 5)
    }

    @Test func `the motion after an interruption is detected anew, and the way between does not count`() {
        var journey = Journey()
        journey.go(60, at: 10)
        let before = journey.motion.distance
        for restart in 1...3 {
            journey.motion.interrupt()
            #expect(!journey.motion.isUnderway && abs(journey.motion.distance - before * Double(restart)) < 10)
            journey.pass(300)
            journey.go(60, at: 10)
            #expect(journey.motion.isUnderway)
        }
    }

    @Test func `a step of the receiver's time interrupts the motion`() {
        var journey = Journey()
        journey.go(60, at: 10)
        journey.pass(86_400)
        journey.go(1, at: 10)
        #expect(!journey.motion.isUnderway)
    }

    @Test func `decisions are told only if they are wanted, each position in one of them`() {
        var (silent, telling) = (Journey(), Journey(tellsDecisions: true))
        var counts = (stands: 0, moves: 0, departs: 0, stops: 0)
        for (seconds, speed) in [(100, 0.0), (60, 12), (120, 0), (60, 12), (30, 0)] {
            silent.go(seconds, at: speed)
            telling.go(seconds, at: speed)
            silent.motion.takeDecisions { _ in Issue.record("a decision") }
            telling.motion.takeDecisions { decision in
                switch decision {
                case .stands: counts.stands += 1
                case .moves: counts.moves += 1
                case .departs(let steps, _): counts.departs += steps.count
                case .stops: counts.stops += 1
                case .breaks, .excursionBegins, .excursionCounts, .excursionIsTakenBack: break
                }
            }
        }
        // The position at which motion ends is told twice: it moves to a standstill, which begins with it.
        #expect(counts.stands + counts.moves + counts.departs == 370 && counts.stops == 2)
        #expect(silent.motion.distance == telling.motion.distance)
    }

    @Test func `a position carries whether its receiver stands still`() throws {
        var tracker = Tracker()
        var carried: [Bool] = []
        for second in 0..<100 {
            let location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), device: "a", speed: 0)
            let moment = Moment(
                elapsed: .seconds(second), wall: Timestamp(nanosecondsSince1970: Int64(second) * 1_000_000_000))
            for case .update(let update, _) in tracker.results(of: LocationUpdate(.location(location), at: moment)) {
                carried.append(update.isStationary)
                #expect(update.isStationary == tracker.view["a"]?.isStationary)
            }
        }
        #expect(carried.count == 100 && carried.firstIndex(of: true) == 60)
    }

    @Test func `nanoseconds of a duration are clamped to 64 bits`() {
        #expect(Duration.seconds(5).clampedNanoseconds == 5_000_000_000)
        #expect((Duration.seconds(86_400 * 365) + .nanoseconds(7)).clampedNanoseconds == 31_536_000_000_000_007)
        #expect(Duration.seconds(9_223_372_036).clampedNanoseconds == 9_223_372_036_000_000_000)
        #expect(Duration.seconds(9_300_000_000).clampedNanoseconds == .max)
        #expect(Duration.seconds(Int64.max).clampedNanoseconds == .max)
        #expect(Duration.seconds(-5).clampedNanoseconds == 0)
    }
}
