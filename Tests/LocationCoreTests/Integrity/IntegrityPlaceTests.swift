import LocationCore
import TestSupport
import Testing

@testable import IntegrityTrials

/// Places and speeds that are suspect.
@Suite struct IntegrityPlaceTests {
    private var receiver = JudgedReceiver()

    @Test mutating func `a place that the speed cannot explain is suspect, and one far away is an alarm`() throws {
        receiver.run(30)
        receiver.run(1) { $0.coordinate = $0.coordinate.destination(distance: 500, bearing: 10) }
        let change = try #require(receiver.changes.first)
        #expect(change.from == .nominal && change.to == .suspect && change.reasons == .jump)
        #expect(change.message == "moved 500 m in 1.0 s, more than its speed explains")
        receiver.run(30)
        receiver.run(1) { $0.coordinate = $0.coordinate.destination(distance: 5000, bearing: 10) }
        #expect(receiver.verdict == .alarm && receiver.changes.count == 2)
    }

    @Test mutating func `a car that starts and brakes between two reports is not suspect`() {
        receiver.run(30)
        receiver.interval = 8
        receiver.run(10) { $0.coordinate = $0.coordinate.destination(distance: 150, bearing: 10) }
        #expect(receiver.changes.isEmpty)
    }

    /// Jams a receiver for some seconds, and reports a place that is some metres away.
    private mutating func jamThenSpoof(_ seconds: Double, away metres: Double) {
        receiver.run(100)
        receiver.time += seconds
        receiver.location.coordinate = receiver.location.coordinate.destination(distance: metres, bearing: 10)
        receiver.run(1)
    }

    @Test mutating func `a jump over an outage stays suspect for as long as an ordinary journey does not explain it`() {
        jamThenSpoof(60, away: 50_000)
        receiver.run(1500)
        #expect(receiver.changes.map(\.to) == [.suspect] && receiver.reasons == .jump)
        // 50 km at 30 m/s are 28 minutes.
        receiver.run(200)
        #expect(receiver.changes.map(\.to) == [.suspect, .nominal])
    }

    @Test mutating func `a receiver that returns to its place after a jump is confirmed by it`() {
        let place = receiver.location.coordinate
        jamThenSpoof(60, away: 50_000)
        receiver.run(120)
        receiver.run(58) { $0.coordinate = place }
        #expect(receiver.verdict == .alarm)
        receiver.run(4)
        #expect(receiver.verdict == .nominal)
    }

    @Test mutating func `a jump by hours of travel is in doubt for an hour`() {
        jamThenSpoof(60, away: 5_000_000)
        receiver.run(3500)
        #expect(receiver.verdict == .suspect)
        receiver.run(100)
        #expect(receiver.verdict == .nominal)
    }

    @Test(arguments: [true, false])
    mutating func `another receiver confirms the place after a jump, unless it has jumped too`(confirms: Bool) {
        let devices = ["/dev/ttyUSB0", "/dev/ttyUSB1"]
        var places = [receiver.location.coordinate, receiver.location.coordinate]
        func report(_ seconds: Int, _ receiver: inout JudgedReceiver) {
            for _ in 0..<seconds {
                receiver.time += 1
                for (device, place) in zip(devices, places) {
                    (receiver.location.device, receiver.location.coordinate) = (device, place)
                    receiver.report()
                }
            }
        }
        let there = places[0].destination(distance: 50_000, bearing: 10)
        // The second one has been there all the time, or goes along.
        if confirms { places[1] = there }
        report(100, &receiver)
        receiver.time += 60
        places = [there, there]
        report(200, &receiver)
        #expect(receiver.monitor.verdict(of: devices[0]) == (confirms ? .nominal : .suspect))
        #expect(receiver.monitor.lastChange(of: devices[0]) != nil)
    }

    @Test(arguments: [1.0, 5, 10])
    mutating func `a position that is frozen for five minutes beside a speed is suspect at every rate`(
        rate: Double
    ) throws {
        receiver = JudgedReceiver(rate: rate)
        receiver.drive(120, pace: 20, reported: 20)
        #expect(receiver.changes.isEmpty)
        receiver.drive(300, pace: 0, reported: 20)
        let change = try #require(receiver.changes.first)
        #expect(change.to == .suspect && change.reasons == .frozen && receiver.verdict == .suspect)
        #expect(change.message.hasPrefix("has not moved, although its speed explains 2"))
        #expect(change.moment.elapsed < .seconds(320))
        receiver.drive(150, pace: 20, reported: 20)
        #expect(receiver.verdict == .nominal)
    }

    @Test mutating func `a position that is frozen from the beginning, and one that trembles, are suspect`() {
        var random = SplitMix64(seed: 1)
        let place = receiver.location.coordinate
        for noise in [0.0, 3] {
            receiver = JudgedReceiver()
            receiver.location.speed = 20
            receiver.run(300) {
                $0.coordinate = place.destination(distance: random.unit() * noise, bearing: random.unit() * 360)
            }
            #expect(receiver.reasons == .frozen)
        }
    }

    @Test(arguments: [1.0, 2, 5, 10])
    mutating func `positions that move faster than the speed says are suspect at every rate`(rate: Double) throws {
        receiver = JudgedReceiver(rate: rate)
        receiver.drive(60, pace: 15, reported: 15)
        #expect(receiver.changes.isEmpty)
        receiver.drive(30, pace: 150, reported: 15)
        let change = try #require(receiver.changes.first)
        #expect(change.reasons == .jump && change.message.hasSuffix("more than its speed explains, within 10 s"))
        #expect(change.moment.elapsed <= .seconds(63))
        // The whole is a kilometre more.
        #expect(receiver.verdict == .alarm)
        receiver = JudgedReceiver(rate: rate)
        receiver.drive(60, pace: 15, reported: 15)
        receiver.drive(60, pace: 20, reported: 15)
        #expect(receiver.changes.map(\.reasons) == [.jump], "within a minute")
        #expect(receiver.verdict == .suspect)
        receiver.drive(90, pace: 15, reported: 15)
        #expect(receiver.verdict == .nominal, "it ends a minute after it was observed")
    }

    @Test(arguments: [1.0, 10])
    mutating func `a kilometre a second, and a fast way around a block, are suspect`(rate: Double) {
        receiver = JudgedReceiver(rate: rate)
        receiver.drive(60, pace: 15, reported: 15)
        receiver.drive(5, pace: 1000, reported: 15)
        #expect(receiver.reasons == .jump)
        receiver = JudgedReceiver(rate: rate)
        receiver.drive(60, pace: 15, reported: 15, turn: 20)
        #expect(receiver.changes.isEmpty)
        // The places stay within some hundred metres.
        receiver.drive(60, pace: 60, reported: 15, turn: 30)
        #expect(receiver.reasons == .jump)
    }

    @Test(arguments: [1.0, 10])
    mutating func `a large error does not hide a jump for long`(rate: Double) throws {
        receiver = JudgedReceiver(rate: rate)
        receiver.run(60)
        receiver.location.horizontalAccuracy = 5000
        receiver.location.coordinate = receiver.location.coordinate.destination(distance: 8000, bearing: 10)
        receiver.run(15)
        #expect(receiver.changes.isEmpty)
        receiver.run(20)
        let change = try #require(receiver.changes.first)
        #expect(change.reasons == .jump && change.to == .suspect)
        // A short time of large errors is over before that, and the places before and after it are compared.
        receiver = JudgedReceiver(rate: rate)
        receiver.run(60)
        receiver.run(5) { $0.horizontalAccuracy = 5000 }
        receiver.location.coordinate = receiver.location.coordinate.destination(distance: 8000, bearing: 10)
        receiver.run(5)
        receiver.run(12) { $0.horizontalAccuracy = 4 }
        #expect(receiver.reasons == .jump && receiver.verdict == .alarm)
    }

    @Test(
        arguments: [
            (86_399, true), (86_400, false), (366 * 86_400 - 1, false), (366 * 86_400, true),
        ] as [(Double, Bool)])
    mutating func `a jump is judged unless the civil time leaps by days, as between two recordings`(
        leap: Double, isJudged: Bool
    ) {
        receiver.run(60)
        receiver.wallOffset = leap
        receiver.run(1) { $0.coordinate = $0.coordinate.destination(distance: 60_000, bearing: 0) }
        #expect(receiver.reasons.contains(.jump) == isJudged)
    }

    @Test mutating func `the steps of a receiver without times have an order`() {
        receiver.location.speed = nil
        (receiver.hasTimes, receiver.interval) = (false, 0)
        for _ in 0..<40 { receiver.report() }
        #expect(receiver.changes.isEmpty)
        receiver.location.coordinate = receiver.location.coordinate.destination(distance: 3000, bearing: 10)
        receiver.report()
        #expect(receiver.changes.map(\.reasons) == [.jump])
    }

    @Test(arguments: [1.0, 5, 10]) mutating func `a drift of 1 m/s away from a stay is a teleport at every rate`(
        rate: Double
    ) throws {
        receiver = JudgedReceiver(rate: rate)
        receiver.run(700)
        receiver.drive(600, pace: 1, reported: 0)
        let change = try #require(receiver.changes.first)
        #expect(change.reasons == .teleport && change.to == .suspect)
        #expect(change.message.hasPrefix("is ") && change.message.hasSuffix("from its stay of 11 min, without a speed"))
        #expect(change.moment.elapsed < .seconds(850))
    }

    @Test(arguments: [1.0, 5, 10], [0.0, 0.15])
    mutating func `a receiver that creeps 0.2 m/s is noticed within half an hour`(
        rate: Double, reported: Double
    ) throws {
        receiver = JudgedReceiver(rate: rate)
        receiver.location.speed = reported
        receiver.run(1200)
        #expect(receiver.changes.isEmpty)
        receiver.drive(1800, pace: 0.2, reported: reported)
        #expect(receiver.changes.first?.reasons == .teleport)
        // Also from the beginning, if its speed says that it stands.
        receiver = JudgedReceiver(rate: rate)
        receiver.drive(1800, pace: 0.2, reported: reported / 3)
        #expect(receiver.changes.first?.reasons == .teleport)
    }

    @Test(arguments: [1.0, 10])
    mutating func `a boat that drifts slowly, and errors that do, are nominal`(rate: Double) {
        receiver = JudgedReceiver(rate: rate)
        receiver.run(700)
        receiver.drive(1800, pace: 0.3, reported: 0.3)
        #expect(receiver.changes.isEmpty)
        receiver.drive(1500, pace: 0.02, reported: 0)
        #expect(receiver.changes.isEmpty && receiver.monitor.isStationary(nil))
    }

    @Test(arguments: [nil, 0.0] as [Double?], [1, 5])
    mutating func `an error that a receiver states just before a jump does not excuse it`(
        speed: Double?, seconds: Int
    ) {
        receiver.location.speed = speed
        receiver.run(120)
        receiver.location.horizontalAccuracy = 200
        receiver.run(seconds)
        #expect(receiver.changes.isEmpty)
        receiver.location.coordinate = receiver.location.coordinate.destination(distance: 1500, bearing: 10)
        receiver.run(1)
        #expect(receiver.changes.map(\.reasons) == [.jump])
        // One that it states with the new place, as where it knows little, does.
        receiver = JudgedReceiver()
        receiver.run(120)
        receiver.location.horizontalAccuracy = 600
        receiver.location.coordinate = receiver.location.coordinate.destination(distance: 1500, bearing: 10)
        receiver.run(10)
        #expect(receiver.changes.isEmpty)
    }
}
