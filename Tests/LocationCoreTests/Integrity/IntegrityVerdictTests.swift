import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import IntegrityTrials

/// Several receivers, verdicts, and what a session tells of them.
@Suite struct IntegrityVerdictTests {
    private var receiver = JudgedReceiver()

    private mutating func together(_ seconds: Int, apart metres: Double, speed: Double = 0) {
        for _ in 0..<seconds {
            receiver.location.device = "/dev/ttyUSB0"
            receiver.run(1)
            let place = receiver.location.coordinate
            receiver.location.device = "/dev/ttyUSB1"
            receiver.time -= 1
            receiver.run(1) {
                $0.coordinate = place.destination(distance: metres, bearing: 90)
                $0.speed = speed
            }
            (receiver.location.coordinate, receiver.location.speed) = (place, 0)
        }
    }

    @Test mutating func `receivers that part after they agreed disagree`() throws {
        together(70, apart: 20)
        #expect(receiver.changes.isEmpty)
        for metres in stride(from: 20.0, through: 600, by: 20) { together(1, apart: metres, speed: 20) }
        together(10, apart: 600)
        let change = try #require(receiver.changes.first)
        #expect(change.reasons == .disagreement && change.to == .suspect)
        #expect(change.message.hasSuffix("from /dev/ttyUSB1, with which it agreed before"))
    }

    @Test mutating func `receivers at two places are nominal, and so are those of a fleet`() {
        together(200, apart: 4000)
        #expect(receiver.changes.isEmpty)
        receiver = JudgedReceiver()
        receiver.isOfFleet = true
        together(70, apart: 20)
        for metres in stride(from: 20.0, through: 600, by: 20) { together(1, apart: metres, speed: 20) }
        together(30, apart: 600)
        #expect(receiver.changes.isEmpty)
    }

    @Test func `each device of a fleet has its own judgement`() {
        var session = TrackedSession(ofFleet: true)
        let place = Coordinate(latitude: 45.07, longitude: 7.68)
        for second in 0...40 {
            let now = Moment.after(.seconds(second))
            for (device, metres) in [("a", second > 30 ? 5000 : 0), ("b", 3)] as [(String, Double)] {
                let location = Location(
                    coordinate: place.destination(distance: metres, bearing: 0), timestamp: now.wall, device: device,
                    horizontalAccuracy: 4, speed: 0)
                session.process(.location(location), at: now)
            }
        }
        #expect(session.view["a"]?.verdict == .alarm && session.view["b"]?.verdict == .nominal)
    }

    @Test mutating func `two independent reasons are an alarm, and it ends a minute after them`() {
        receiver.run(100, signals: JudgedReceiver.openSky)
        receiver.run(20, signals: JudgedReceiver.openSky.map { $0 - 14 })
        #expect(receiver.verdict == .suspect)
        receiver.report(.receiver(ReceiverReport(jamming: 230)))
        #expect(receiver.verdict == .alarm && receiver.reasons == [.signal, .receiver])
        receiver.run(200, signals: JudgedReceiver.openSky)
        #expect(receiver.changes.map(\.to) == [.suspect, .alarm, .suspect, .nominal])
        #expect(receiver.changes.last?.message == "nothing objects to it any longer")
        #expect(receiver.changes.last?.reasons == [])
    }

    @Test mutating func `a reason that is observed again and again makes one change`() {
        receiver.run(60)
        for turn in 0..<100 {
            let bearing = Double(turn % 2) * 180
            receiver.run(1) { $0.coordinate = $0.coordinate.destination(distance: 400, bearing: bearing) }
        }
        #expect(receiver.changes.count == 1 && receiver.verdict == .suspect)
    }

    @Test mutating func `numbers that no receiver can mean are survived`() {
        let numbers: [Double?] = [nil, .nan, .infinity, -.infinity, 1e308, -1e308, 0, -0.0, .leastNonzeroMagnitude]
        for (index, number) in numbers.enumerated() {
            for other in numbers {
                receiver.time = [0, 1e9, -5, 1e18][index % 4]
                receiver.location.altitudeMSL = number
                receiver.location.altitudeHAE = other
                receiver.location.speed = other
                receiver.location.horizontalAccuracy = number
                receiver.location.verticalAccuracy = other
                receiver.clockOffset = number ?? 0
                let pole = index.isMultiple(of: 2) ? 90.0 : -90
                receiver.run(2) { $0.coordinate = Coordinate(latitude: pole, longitude: -180) }
                receiver.report(.satellites(JudgedReceiver.sky([number ?? 0, other ?? 0, 40, 41, 42, 43, 44, 45, 46])))
                receiver.report(.receiver(ReceiverReport(antennaStatus: .min, jamming: index % 2 == 0 ? .max : .min)))
            }
        }
        let extreme = Satellite(constellation: .navic, number: .max, signal: 40, isUsed: true)
        receiver.report(.satellites(SkyView(satellites: [extreme, Satellite(number: .min, isUsed: true)])))
        #expect(receiver.changes.allSatisfy { !$0.message.isEmpty })
    }

    @Test func `a session tells a change before the position that caused it, and its view has it`() async throws {
        let clock = ManualClock()
        let place = Coordinate(latitude: 52.5163, longitude: 13.3777)
        let source = ScriptedLocationSource([.spoofed(at: place, after: 70), .end], clock: clock)
        let judged = Task { try await self.changes(of: source) }
        let changes = try await clock.advance(untilEndOf: judged)
        #expect(changes.first?.to == .alarm && changes.first?.reasons == .jump)
        #expect(changes.last?.reasons.contains(.uniform) == true)
    }

    /// Returns the changes of a session, which its view has at the same time.
    private func changes(of source: ScriptedLocationSource) async throws -> [IntegrityChange] {
        var updates = source.tracked().makeAsyncIterator()
        var changes: [IntegrityChange] = []
        while let update = try await updates.next() {
            if case .integrity(let change) = update {
                changes.append(change)
                #expect(updates.view[nil]?.integrity == change)
            }
            if update.position != nil { #expect(updates.view.verdict == changes.last?.to ?? .nominal) }
        }
        return changes
    }

    @Test func `a receiver is stationary after a minute and no longer when it moves`() {
        var receiver = JudgedReceiver()
        receiver.run(50)
        #expect(!receiver.monitor.isStationary(nil))
        receiver.run(20)
        #expect(receiver.monitor.isStationary(nil))
        receiver.run(15) {
            $0.speed = 1.4
            $0.coordinate = $0.coordinate.destination(distance: 1.4, bearing: 90)
        }
        #expect(!receiver.monitor.isStationary(nil))
        receiver.run(100) { $0.coordinate = $0.coordinate.destination(distance: 1.4, bearing: 90) }
        #expect(!receiver.monitor.isStationary(nil))
    }

    @Test mutating func `judgements and the lowest level of interference do not outlast a recording`() {
        receiver.report(.receiver(ReceiverReport(jamming: 10)))
        receiver.run(100, signals: JudgedReceiver.openSky)
        receiver.run(20, signals: JudgedReceiver.openSky.map { $0 - 14 })
        #expect(receiver.verdict == .suspect && receiver.reasons == .signal)
        // The recording of another day follows, of a place with more interference.
        receiver.wallOffset += 5 * 86_400
        receiver.report(.receiver(ReceiverReport(jamming: 110)))
        #expect(receiver.changes.map(\.to) == [.suspect, .nominal] && receiver.reasons == [])
        receiver.run(30, signals: JudgedReceiver.openSky)
        #expect(receiver.changes.count == 2)
    }
}
