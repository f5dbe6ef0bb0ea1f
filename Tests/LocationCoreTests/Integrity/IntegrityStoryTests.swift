import LocationCore
import TestSupport
import Testing

@testable import IntegrityTrials

extension JudgedReceiver {
    /// Reports for some seconds at the rate, with a speed of the positions and a reported one.
    mutating func drive(_ seconds: Int, pace: Double, reported: Double, turn: Double = 0) {
        let interval = interval
        var bearing = 80.0
        run(seconds) {
            bearing += turn * interval
            $0.coordinate = $0.coordinate.destination(distance: pace * interval, bearing: bearing)
            $0.speed = reported
        }
    }
}

/// Stories of receivers, and the changes of their judgement with reasons and messages: none without interference.
@Suite struct IntegrityStoryTests {
    struct Story: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let changes: [String]
        let tell: @Sendable (inout JudgedReceiver) -> Void

        init(_ name: String, _ changes: String..., tell: @escaping @Sendable (inout JudgedReceiver) -> Void) {
            (testDescription, self.changes, self.tell) = (name, changes, tell)
        }
    }

    private static let journeys = [
        Story("a change of place within the errors") {
            $0.run(60)
            $0.run(1) { $0.coordinate = $0.coordinate.destination(distance: 110, bearing: 10) }
        },
        Story("a journey during which the receiver was off") {
            $0.run(60)
            $0.time += 3600
            $0.run(1) { $0.coordinate = $0.coordinate.destination(distance: 200_000, bearing: 0) }
            $0.run(60)
        },
        Story("driving away from a long stay") {
            $0.run(700)
            $0.drive(120, pace: 8, reported: 8)
        },
        Story("a position that is repeated for a minute beside a speed") {
            $0.drive(300, pace: 20, reported: 20)
            $0.drive(60, pace: 0, reported: 20)
            $0.drive(60, pace: 20, reported: 20)
        },
        Story("an error of kilometres that is honest") {
            $0.run(60)
            var random = SplitMix64(seed: 1)
            let place = $0.location.coordinate
            $0.location.horizontalAccuracy = 3000
            $0.run(300) {
                $0.coordinate = place.destination(distance: random.unit() * 2000, bearing: random.unit() * 360)
            }
            $0.location.horizontalAccuracy = 4
            $0.location.coordinate = place
            $0.run(100)
        },
        Story("an epoch that comes late, and a session whose time goes back") {
            $0.run(100)
            $0.location.isLate = true
            $0.run(1) { $0.coordinate = Coordinate(latitude: 0, longitude: 0) }
            $0.location.isLate = false
            $0.location.coordinate = Coordinate(latitude: 52.5163, longitude: 13.3777)
            $0.time = 20
            $0.run(5)
        },
        Story("the shore of the Dead Sea") {
            $0.location.altitudeMSL = -430
            $0.run(60)
        },
    ]

    private static let speeds =
        [1.0, 2, 4].map { speed in
            Story("\(speed) m/s beside a place that does not change") { $0.drive(900, pace: 0, reported: speed) }
        }
        + [1.0, 5, 10].map { rate in
            Story("the noise of a receiver that stands, at \(rate) Hz") {
                var random = SplitMix64(seed: 1)
                $0 = JudgedReceiver(rate: rate)
                let place = $0.location.coordinate
                $0.location.horizontalAccuracy = 20
                $0.run(900) {
                    $0.coordinate = place.destination(distance: random.unit() * 20, bearing: random.unit() * 360)
                    $0.speed = random.unit() * 0.3
                }
            }
        }

    private static let clocks =
        [1.0, -1, -18, 18].map { leap in
            Story("leap seconds: \(leap)") {
                $0.run(100)
                $0.clockOffset = leap
                $0.run(60)
            }
        } + [
            Story("a clock that drifts against the host's") {
                // 200 ppm over eight hours are six seconds.
                for _ in 0..<28_800 {
                    $0.clockOffset += 0.0002
                    $0.run(1)
                }
            }
        ]

    private static let skies = [
        Story("lists of one system each, in turns") {
            $0.run(100)
            for second in 0..<100 {
                $0.run(1)
                let isGPS = second.isMultiple(of: 2)
                let list = isGPS ? JudgedReceiver.openSky : JudgedReceiver.openSky.map { $0 - 15 }
                $0.report(.satellites(JudgedReceiver.sky(list, first: isGPS ? 1 : 70)))
            }
        },
        Story("equal signals of one system beside those of another one") {
            for _ in 0..<60 {
                $0.run(1)
                $0.report(.satellites(JudgedReceiver.sky((0..<8).map { 44 + Double($0) * 0.1 })))
                $0.report(.satellites(JudgedReceiver.sky([38, 37, 35, 30], first: 65)))
            }
        },
        Story("another sky within seconds", "sky: 9 of 9 satellites in use changed while it stood still") {
            $0.run(100, signals: JudgedReceiver.openSky)
            $0.run(20, signals: JudgedReceiver.openSky, first: 15)
        },
        Story("a few signals of a second system") {
            $0.run(600, signals: JudgedReceiver.openSky, others: [22, 21, 20, 19])
        },
    ]

    private static let heights = [
        Story("a leap of the height", "height: its height changed by 2560 m in 1.0 s") {
            $0.run(60)
            $0.run(1) { $0.altitudeMSL = 2600 }
        },
        Story("a small leap of the height") {
            $0.run(60)
            $0.run(1) { $0.altitudeMSL = 200 }
        },
        Story("a parachutist, and then a rocket", "height: its height changed by 900 m in 1.0 s") {
            $0.location.altitudeMSL = 4000
            $0.run(60)
            $0.run(40) { $0.altitudeMSL = ($0.altitudeMSL ?? 0) - 60 }
            $0.run(5) { $0.altitudeMSL = ($0.altitudeMSL ?? 0) + 900 }
        },
        Story("a place far below the Dead Sea", "height: its height is 1200 m below zero") {
            $0.location.altitudeMSL = -1200
            $0.run(2)
        },
    ]

    private static let reports = [
        Story("interference is compared with the lowest level", "receiver: reports interference of 150 of 255") {
            for level in [90, 95, 120, 130, 150] { $0.report(.receiver(ReceiverReport(jamming: level))) }
        },
        Story("interference that is strong and has risen enough", "receiver: reports interference of 100 of 255") {
            for level in [60, 99, 50, 100] { $0.report(.receiver(ReceiverReport(jamming: level))) }
        },
        Story("interference as strong, which has hardly risen") {
            for level in [51, 100] { $0.report(.receiver(ReceiverReport(jamming: level))) }
        },
        Story("strong interference from the beginning", "receiver: reports interference of 200 of 255") {
            for level in [199, 200] { $0.report(.receiver(ReceiverReport(jamming: level))) }
        },
        Story("the details of a position carry interference too", "receiver: reports interference of 220 of 255") {
            $0.location[count: .jamming] = 220
            $0.run(1)
        },
        Story("a passive antenna") { for _ in 0..<5 { $0.report(.receiver(ReceiverReport(antennaStatus: 2))) } },
        Story("an antenna that was fine and is open", "receiver: reports an open antenna") {
            for status in [2, 1, 2] { $0.report(.receiver(ReceiverReport(antennaStatus: status))) }
        },
        Story("a short-circuited antenna", "receiver: reports a short-circuited antenna") {
            $0.report(.receiver(ReceiverReport(antennaStatus: 3)))
        },
    ]

    @Test(arguments: journeys + speeds + clocks + skies + heights + reports)
    func `a receiver is judged as in its story`(story: Story) {
        var receiver = JudgedReceiver()
        story.tell(&receiver)
        #expect(receiver.changes.map { "\($0.reasons.codes.joined(separator: " ")): \($0.message)" } == story.changes)
        #expect(receiver.verdict == (story.changes.isEmpty ? .nominal : .suspect))
    }
}
