import LocationCore
import LocationTesting
import Testing

@Suite struct IntegrityMonitorTests {
    private var receiver = JudgedReceiver()

    // MARK: Jump and teleport

    @Test mutating func `a change of place within the errors is nominal`() {
        receiver.run(60)
        receiver.run(1) { $0.coordinate = $0.coordinate.destination(distance: 110, bearing: 10) }
        #expect(receiver.changes.isEmpty && receiver.verdict == .nominal)
    }

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

    @Test mutating func `an aircraft is nominal, with and without a speed`() {
        for speed in [250.0, nil] {
            receiver = JudgedReceiver()
            receiver.run(120) {
                $0.coordinate = $0.coordinate.destination(distance: 250, bearing: 80)
                $0.speed = speed
                $0.altitudeMSL = ($0.altitudeMSL ?? 0) + 20
            }
            #expect(receiver.changes.isEmpty)
        }
    }

    @Test mutating func `a journey during which the receiver was off is nominal`() {
        receiver.run(60)
        receiver.time += 3600
        receiver.run(1) { $0.coordinate = $0.coordinate.destination(distance: 200_000, bearing: 0) }
        receiver.run(60)
        #expect(receiver.changes.isEmpty)
    }

    @Test mutating func `a place that moves away from a long stay without a speed is a teleport`() throws {
        receiver.run(700)
        // Five metres a second are within the errors each time.
        receiver.run(60) { $0.coordinate = $0.coordinate.destination(distance: 5, bearing: 45) }
        let change = try #require(receiver.changes.first)
        #expect(change.to == .suspect && change.reasons == .teleport)
        #expect(
            change.message.hasPrefix("is 1") && change.message.hasSuffix("from its stay of 11 min, without a speed"))
    }

    @Test mutating func `driving away from a long stay is nominal`() {
        receiver.run(700)
        receiver.run(120) {
            $0.speed = 8
            $0.coordinate = $0.coordinate.destination(distance: 8, bearing: 45)
        }
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
        #expect(receiver.verdict == .alarm || receiver.verdict == .suspect)
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

    @Test mutating func `another receiver confirms the place after a jump, unless it has jumped too`() {
        for confirms in [true, false] {
            receiver = JudgedReceiver()
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
    }

    // MARK: A place that is frozen

    @Test(arguments: [1.0, 5, 10])
    mutating func `a position that is frozen for five minutes beside a speed is suspect at every rate`(
        rate: Double
    ) throws {
        receiver.interval = 1 / rate
        drive(120, pace: 20, reported: 20)
        #expect(receiver.changes.isEmpty)
        drive(300, pace: 0, reported: 20)
        let change = try #require(receiver.changes.first)
        #expect(change.to == .suspect && change.reasons == .frozen && receiver.verdict == .suspect)
        #expect(change.message.hasPrefix("has not moved, although its speed explains 2"))
        #expect(change.moment.elapsed < .seconds(320))
        drive(150, pace: 20, reported: 20)
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

    @Test(arguments: [1.0, 2, 4]) mutating func `a slow speed beside a place that does not change is nominal`(
        speed: Double
    ) {
        drive(900, pace: 0, reported: speed)
        #expect(receiver.changes.isEmpty)
    }

    @Test mutating func `a position that is repeated for a minute beside a speed is nominal`() {
        drive(300, pace: 20, reported: 20)
        drive(60, pace: 0, reported: 20)
        drive(60, pace: 20, reported: 20)
        #expect(receiver.changes.isEmpty)
    }

    // MARK: Motion that adds up

    /// Reports for some seconds at a rate, with a speed of the positions and a reported one.
    private mutating func drive(_ seconds: Int, pace: Double, reported: Double, turn: Double = 0) {
        let interval = receiver.interval
        var bearing = 80.0
        receiver.run(seconds) {
            bearing += turn * interval
            $0.coordinate = $0.coordinate.destination(distance: pace * interval, bearing: bearing)
            $0.speed = reported
        }
    }

    @Test(arguments: [1.0, 2, 5, 10])
    mutating func `positions that move faster than the speed says are suspect at every rate`(rate: Double) throws {
        receiver.interval = 1 / rate
        drive(60, pace: 15, reported: 15)
        #expect(receiver.changes.isEmpty)
        drive(30, pace: 150, reported: 15)
        let change = try #require(receiver.changes.first)
        #expect(change.reasons == .jump && change.message.hasSuffix("more than its speed explains, within 10 s"))
        #expect(change.moment.elapsed <= .seconds(63))
        // The whole is a kilometre more.
        #expect(receiver.verdict == .alarm)
        receiver = JudgedReceiver()
        receiver.interval = 1 / rate
        drive(60, pace: 15, reported: 15)
        drive(60, pace: 20, reported: 15)
        #expect(receiver.changes.map(\.reasons) == [.jump], "within a minute")
        #expect(receiver.verdict == .suspect)
        drive(90, pace: 15, reported: 15)
        #expect(receiver.verdict == .nominal, "it ends a minute after it was observed")
    }

    @Test(arguments: [1.0, 10])
    mutating func `a kilometre a second, and a fast way around a block, are suspect`(rate: Double) {
        receiver.interval = 1 / rate
        drive(60, pace: 15, reported: 15)
        drive(5, pace: 1000, reported: 15)
        #expect(receiver.reasons == .jump)
        receiver = JudgedReceiver()
        receiver.interval = 1 / rate
        drive(60, pace: 15, reported: 15, turn: 20)
        #expect(receiver.changes.isEmpty)
        // The places stay within some hundred metres.
        drive(60, pace: 60, reported: 15, turn: 30)
        #expect(receiver.reasons == .jump)
    }

    @Test(arguments: [1.0, 5, 10])
    mutating func `noise of a receiver that stands does not add up`(rate: Double) {
        var random = SplitMix64(seed: 1)
        receiver.interval = 1 / rate
        let place = receiver.location.coordinate
        receiver.location.horizontalAccuracy = 20
        receiver.run(900) {
            $0.coordinate = place.destination(distance: random.unit() * 20, bearing: random.unit() * 360)
            $0.speed = random.unit() * 0.3
        }
        #expect(receiver.changes.isEmpty)
    }

    @Test(arguments: [1.0, 10])
    mutating func `a large error does not hide a jump for long`(rate: Double) throws {
        receiver.interval = 1 / rate
        receiver.run(60)
        receiver.location.horizontalAccuracy = 5000
        receiver.location.coordinate = receiver.location.coordinate.destination(distance: 8000, bearing: 10)
        receiver.run(15)
        #expect(receiver.changes.isEmpty)
        receiver.run(20)
        let change = try #require(receiver.changes.first)
        #expect(change.reasons == .jump && change.to == .suspect)
        // A short time of large errors is over before that, and the places before and after it are compared.
        receiver = JudgedReceiver()
        receiver.interval = 1 / rate
        receiver.run(60)
        receiver.run(5) { $0.horizontalAccuracy = 5000 }
        receiver.location.coordinate = receiver.location.coordinate.destination(distance: 8000, bearing: 10)
        receiver.run(5)
        receiver.run(12) { $0.horizontalAccuracy = 4 }
        #expect(receiver.reasons == .jump && receiver.verdict == .alarm)
    }

    @Test mutating func `an error of kilometres that is honest is nominal`() {
        receiver.run(60)
        var random = SplitMix64(seed: 1)
        let place = receiver.location.coordinate
        receiver.location.horizontalAccuracy = 3000
        receiver.run(300) {
            $0.coordinate = place.destination(distance: random.unit() * 2000, bearing: random.unit() * 360)
        }
        receiver.location.horizontalAccuracy = 4
        receiver.location.coordinate = place
        receiver.run(100)
        #expect(receiver.changes.isEmpty)
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
        receiver.interval = 1 / rate
        receiver.run(700)
        drive(600, pace: 1, reported: 0)
        let change = try #require(receiver.changes.first)
        #expect(change.reasons == .teleport && change.to == .suspect)
        #expect(change.moment.elapsed < .seconds(850))
    }

    @Test(arguments: [1.0, 5, 10], [0.0, 0.15])
    mutating func `a receiver that creeps 0.2 m/s is noticed within half an hour`(
        rate: Double, reported: Double
    ) throws {
        receiver.interval = 1 / rate
        receiver.location.speed = reported
        receiver.run(1200)
        #expect(receiver.changes.isEmpty)
        drive(1800, pace: 0.2, reported: reported)
        #expect(receiver.changes.first?.reasons == .teleport)
        // Also from the beginning, if its speed says that it stands.
        receiver = JudgedReceiver()
        receiver.interval = 1 / rate
        drive(1800, pace: 0.2, reported: reported / 3)
        #expect(receiver.changes.first?.reasons == .teleport)
    }

    @Test(arguments: [1.0, 10])
    mutating func `a boat that drifts slowly, and errors that do, are nominal`(rate: Double) {
        receiver.interval = 1 / rate
        receiver.run(700)
        drive(1800, pace: 0.3, reported: 0.3)
        #expect(receiver.changes.isEmpty)
        drive(1500, pace: 0.02, reported: 0)
        #expect(receiver.changes.isEmpty && receiver.monitor.isStationary(nil))
    }

    // MARK: Time

    @Test(arguments: [3600.0, -3600, 25, -25]) mutating func `a leap of the time is suspect`(_ leap: Double) throws {
        receiver.run(100)
        receiver.clockOffset = leap
        receiver.run(15)
        #expect(receiver.changes.map(\.reasons) == [.clock])
        #expect(receiver.changes.first?.message.contains(leap < 0 ? "leapt back by" : "leapt ahead by") == true)
    }

    @Test(arguments: [1.0, -1, -18, 18]) mutating func `leap seconds are nominal`(_ leap: Double) {
        receiver.run(100)
        receiver.clockOffset = leap
        receiver.run(60)
        #expect(receiver.changes.isEmpty)
    }

    @Test mutating func `reports that were held back and arrive together are nominal`() {
        receiver.run(100)
        for late in stride(from: 30.0, through: 0, by: -1) {
            receiver.time += 0.01
            receiver.clockOffset = -late
            receiver.time -= 1
            receiver.run(1)
        }
        receiver.run(60)
        #expect(receiver.changes.isEmpty)
    }

    @Test mutating func `a clock that drifts against the host's is nominal`() {
        // 200 ppm over eight hours are six seconds.
        for _ in 0..<28_800 {
            receiver.clockOffset += 0.0002
            receiver.run(1)
        }
        #expect(receiver.changes.isEmpty)
    }

    @Test(arguments: [1.0, 5, 10], [0.25, -0.25])
    mutating func `a clock that walks is suspect at every rate`(rate: Double, drift: Double) {
        receiver.interval = 1 / rate
        receiver.run(100)
        for _ in 0..<Int(40 * rate) {
            receiver.clockOffset += drift / rate
            receiver.time += receiver.interval
            receiver.report()
        }
        receiver.run(10)
        #expect(receiver.changes.first?.reasons == .clock)
        #expect(receiver.verdict == .suspect)
    }

    @Test mutating func `the receiver corrects its time by seconds once only`() {
        receiver.run(100)
        receiver.clockOffset = -16
        receiver.run(100)
        #expect(receiver.changes.isEmpty)
        receiver.clockOffset = -8
        receiver.run(20)
        #expect(receiver.changes.map(\.reasons) == [.clock])
    }

    @Test mutating func `the recording of another day begins anew`() {
        receiver.run(700, signals: JudgedReceiver.openSky)
        receiver.wallOffset = 86_400 * 18
        receiver.location.coordinate = receiver.location.coordinate.destination(distance: 60_000, bearing: 0)
        receiver.run(100, signals: JudgedReceiver.openSky.map { $0 - 14 }, first: 20)
        #expect(receiver.changes.isEmpty)
    }

    @Test mutating func `a date that is 1,024 weeks off is a rollover with the likely date`() throws {
        receiver.clockOffset = -1024 * 7 * 86_400
        receiver.run(1)
        let change = try #require(receiver.changes.first)
        #expect(change.reasons == .rollover && change.to == .suspect)
        #expect(change.message.hasPrefix("its date is 1024 weeks early"))
        #expect(change.message.contains(receiver.moment.wall.formatted(fractionDigits: 0)))
        receiver.run(600)
        #expect(receiver.changes.count == 1, "it lasts as long as the date")
    }

    // MARK: Satellites

    @Test mutating func `a fall of all signals is suspect until they are back`() throws {
        receiver.run(60, signals: JudgedReceiver.openSky)
        receiver.run(20, signals: JudgedReceiver.openSky.map { $0 - 14 })
        #expect(receiver.changes.map(\.reasons) == [.signal])
        #expect(receiver.changes.first?.message == "all signals fell by 14 dB within seconds")
        receiver.run(100, signals: JudgedReceiver.openSky)
        #expect(receiver.verdict == .nominal && receiver.changes.count == 2)
    }

    @Test mutating func `a fall stays a reason for a minute after the signals are back`() throws {
        receiver.run(60, signals: JudgedReceiver.openSky)
        receiver.run(40, signals: JudgedReceiver.openSky.map { $0 - 14 })
        receiver.run(55, signals: JudgedReceiver.openSky)
        #expect(receiver.verdict == .suspect)
        receiver.run(20, signals: JudgedReceiver.openSky)
        #expect(receiver.verdict == .nominal)
        let end = try #require(receiver.changes.last?.moment.elapsed)
        // The signals are back with the window of five seconds that has begun.
        #expect(.seconds(160)...(.seconds(170)) ~= end)
    }

    @Test mutating func `a fall that lasts is the new place after five minutes, and no reason a minute later`() throws {
        receiver.run(60, signals: JudgedReceiver.openSky)
        receiver.run(355, signals: JudgedReceiver.openSky.map { $0 - 14 })
        #expect(receiver.verdict == .suspect)
        receiver.run(50, signals: JudgedReceiver.openSky.map { $0 - 14 })
        #expect(receiver.verdict == .nominal)
        let (fall, end) = try (#require(receiver.changes.first?.moment), #require(receiver.changes.last?.moment))
        #expect(.seconds(359)...(.seconds(361)) ~= fall.duration(to: end))
    }

    @Test mutating func `a tunnel is nominal for a car, and silence is suspect for a receiver that stands`() {
        for (speed, expected) in [(14.0, IntegrityVerdict.nominal), (0, .suspect)] {
            receiver = JudgedReceiver()
            receiver.run(60, signals: JudgedReceiver.openSky) {
                $0.speed = speed
                $0.coordinate = $0.coordinate.destination(distance: speed, bearing: 0)
            }
            for _ in 0..<20 {
                receiver.time += 1
                receiver.report(.satellites(JudgedReceiver.sky(Array(repeating: 0, count: 9))))
            }
            #expect(receiver.verdict == expected, "at \(speed) m/s")
        }
    }

    @Test mutating func `lists of one system each, in turns, are nominal`() {
        receiver.run(100)
        for second in 0..<100 {
            receiver.run(1)
            let isGPS = second.isMultiple(of: 2)
            let list = isGPS ? JudgedReceiver.openSky : JudgedReceiver.openSky.map { $0 - 15 }
            receiver.report(.satellites(JudgedReceiver.sky(list, first: isGPS ? 1 : 70)))
        }
        #expect(receiver.changes.isEmpty)
    }

    @Test mutating func `equal signals of all satellites are suspect, and few of them are not`() throws {
        receiver.run(60, signals: Array(repeating: 44, count: 7))
        #expect(receiver.changes.isEmpty)
        receiver.run(15, signals: (0..<9).map { 44 + Double($0) * 0.2 })
        #expect(receiver.changes.map(\.reasons) == [.uniform])
        #expect(receiver.changes.first?.message == "its 9 signals in use differ by 1.6 dB only")
    }

    @Test(arguments: [true, false])
    mutating func `the message about equal signals has their whole number, however they are reported`(
        _ isGrowing: Bool
    ) throws {
        let signals = (0..<12).map { 44 + Double($0) * 0.1 }
        for _ in 0..<30 {
            receiver.run(1)
            receiver.report(.satellites(JudgedReceiver.sky(Array(signals.prefix(8)))))
            receiver.report(
                .satellites(
                    isGrowing ? JudgedReceiver.sky(signals) : JudgedReceiver.sky(Array(signals.suffix(4)), first: 65)))
        }
        #expect(receiver.changes.map(\.reasons) == [.uniform])
        #expect(receiver.changes.first?.message == "its 12 signals in use differ by 1.1 dB only")
    }

    @Test mutating func `equal signals of one system are nominal beside those of another one`() {
        for _ in 0..<60 {
            receiver.run(1)
            receiver.report(.satellites(JudgedReceiver.sky((0..<8).map { 44 + Double($0) * 0.1 })))
            receiver.report(.satellites(JudgedReceiver.sky([38, 37, 35, 30], first: 65)))
        }
        #expect(receiver.changes.isEmpty)
    }

    @Test mutating func `one system far above the others for minutes is suspect, unlike a smaller difference`() throws {
        let strong = JudgedReceiver.openSky.map { $0 + 2 }
        receiver.run(600, signals: strong, others: strong.map { $0 - 10 })
        receiver.run(100, signals: strong, others: strong.map { $0 - 14 })
        #expect(receiver.changes.isEmpty)
        receiver.run(60, signals: strong, others: strong.map { $0 - 14 })
        let change = try #require(receiver.changes.first)
        #expect(change.to == .suspect && change.reasons == .constellation)
        #expect(change.message == "the signals of GPS are 14 dB above those of the other systems")
        receiver.run(100, signals: strong, others: strong)
        #expect(receiver.verdict == .nominal)
    }

    @Test mutating func `a few signals of a second system say nothing about the first one`() {
        receiver.run(600, signals: JudgedReceiver.openSky, others: [22, 21, 20, 19])
        #expect(receiver.changes.isEmpty)
    }

    @Test mutating func `another sky within seconds is suspect for a receiver that stands`() {
        receiver.run(100, signals: JudgedReceiver.openSky)
        receiver.run(20, signals: JudgedReceiver.openSky, first: 15)
        #expect(receiver.changes.map(\.reasons) == [.sky])
        #expect(receiver.changes.first?.message.hasPrefix("9 of 9 satellites") == true)
    }

    // MARK: Height

    @Test(arguments: [2000.0, -400]) mutating func `a leap of the height is suspect`(_ leap: Double) {
        receiver.run(60)
        receiver.run(1) { $0.altitudeMSL = 600 + leap }
        #expect(receiver.changes.map(\.reasons) == (leap > 0 ? [.height] : []))
    }

    @Test mutating func `the shore of the Dead Sea is nominal, and a place far below it is not`() {
        receiver.location.altitudeMSL = -430
        receiver.run(60)
        #expect(receiver.changes.isEmpty)
        receiver = JudgedReceiver()
        receiver.location.altitudeMSL = -1200
        receiver.run(2)
        #expect(receiver.changes.map(\.reasons) == [.height])
    }

    @Test mutating func `a parachutist is nominal and a rocket is not`() {
        receiver.location.altitudeMSL = 4000
        receiver.run(60)
        receiver.run(40) { $0.altitudeMSL = ($0.altitudeMSL ?? 0) - 60 }
        #expect(receiver.changes.isEmpty)
        receiver.run(5) { $0.altitudeMSL = ($0.altitudeMSL ?? 0) + 900 }
        #expect(receiver.reasons == .height)
    }

    // MARK: The receiver's own reports

    @Test mutating func `interference is compared with the lowest level`() {
        for level in [90, 95, 120, 130] { receiver.report(.receiver(ReceiverReport(jamming: level))) }
        #expect(receiver.changes.isEmpty)
        receiver.report(.receiver(ReceiverReport(jamming: 150)))
        #expect(receiver.changes.map(\.reasons) == [.receiver])
        #expect(receiver.changes.first?.message == "reports interference of 150 of 255")
    }

    @Test mutating func `an antenna that was fine and is open is suspect, and a passive one is not`() {
        for _ in 0..<5 { receiver.report(.receiver(ReceiverReport(antennaStatus: 2))) }
        #expect(receiver.changes.isEmpty)
        receiver.report(.receiver(ReceiverReport(antennaStatus: 1)))
        receiver.report(.receiver(ReceiverReport(antennaStatus: 2)))
        #expect(receiver.changes.map(\.message) == ["reports an open antenna"])
    }

    @Test mutating func `the details of a position carry interference too`() {
        receiver.location.details = LocationDetails()
        receiver.location.details?.jamming = 220
        receiver.run(1)
        #expect(receiver.reasons == .receiver)
    }

    // MARK: Several receivers

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
        receiver.namesSubjects = true
        together(70, apart: 20)
        for metres in stride(from: 20.0, through: 600, by: 20) { together(1, apart: metres, speed: 20) }
        together(30, apart: 600)
        #expect(receiver.changes.isEmpty)
    }

    // MARK: Verdicts

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

    // MARK: Hostile input

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

    @Test mutating func `time that goes back and epochs that come late change nothing`() {
        receiver.run(100)
        receiver.location.isLate = true
        receiver.run(1) { $0.coordinate = Coordinate(latitude: 0, longitude: 0) }
        #expect(receiver.changes.isEmpty)
        receiver.location.isLate = false
        receiver.location.coordinate = Coordinate(latitude: 52.5163, longitude: 13.3777)
        receiver.time = 20
        receiver.run(5)
        #expect(receiver.changes.isEmpty)
    }

    @Test mutating func `the date line and the poles are no jumps`() {
        receiver.location.coordinate = Coordinate(latitude: 0, longitude: 179.99999)
        receiver.run(30)
        receiver.run(30) { $0.coordinate = Coordinate(latitude: 0, longitude: -$0.coordinate.longitude) }
        #expect(receiver.changes.isEmpty)
        receiver = JudgedReceiver()
        receiver.location.coordinate = Coordinate(latitude: 89.9999, longitude: 10)
        receiver.run(30)
        receiver.run(30) { $0.coordinate = Coordinate(latitude: 89.9999, longitude: -$0.coordinate.longitude) }
        #expect(receiver.changes.isEmpty)
    }

    // MARK: The session

    @Test func `a session tells a change before the position that caused it, and its view has it`() async throws {
        let clock = ManualClock()
        let place = Coordinate(latitude: 52.5163, longitude: 13.3777)
        let source = ScriptedLocationSource([.spoofed(at: place, after: 70), .end], clock: clock)
        async let judged = changes(of: source)
        for second in 0..<130 {
            // One sleeper is the script, the other waits for silence.
            try await clock.untilSleeping(second == 0 ? 1 : 2)
            clock.advance(by: .seconds(1))
        }
        let changes = try await judged
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
}
