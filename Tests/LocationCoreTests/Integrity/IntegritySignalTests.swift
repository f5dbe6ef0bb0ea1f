import LocationCore
import Testing

@testable import IntegrityTrials

/// Times, signals, heights and reports of a receiver that are suspect.
@Suite struct IntegritySignalTests {
    private var receiver = JudgedReceiver()

    @Test(arguments: [3600.0, -3600, 25, -25]) mutating func `a leap of the time is suspect`(_ leap: Double) throws {
        receiver.run(100)
        receiver.clockOffset = leap
        receiver.run(15)
        #expect(receiver.changes.map(\.reasons) == [.clock])
        #expect(receiver.changes.first?.message.contains(leap < 0 ? "leapt back by" : "leapt ahead by") == true)
    }

    @Test(arguments: [1.0, 5, 10], [0.25, -0.25])
    mutating func `a clock that walks is suspect at every rate`(rate: Double, drift: Double) {
        receiver = JudgedReceiver(rate: rate)
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

    @Test mutating func `a fall of all signals is suspect until a minute after they are back`() throws {
        receiver.run(60, signals: JudgedReceiver.openSky)
        receiver.run(40, signals: JudgedReceiver.openSky.map { $0 - 14 })
        #expect(receiver.changes.map(\.reasons) == [.signal])
        #expect(receiver.changes.first?.message == "all signals fell by 14 dB within seconds")
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
        // The signals are low until the last report before five minutes.
        #expect(fall.duration(to: end) == .seconds(359))
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

    @Test mutating func `equal signals of all satellites are suspect, and few of them are not`() throws {
        receiver.run(60, signals: Array(repeating: 44, count: 7))
        #expect(receiver.changes.isEmpty)
        receiver.run(15, signals: (0..<9).map { 44 + Double($0) * 0.2 })
        #expect(receiver.changes.map(\.reasons) == [.uniform])
        #expect(receiver.changes.first?.message == "its 9 signals in use differ by 1.6 dB only")
        // They must be equal for ten seconds.
        #expect(try #require(receiver.changes.first).moment.elapsed >= .seconds(70))
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

    @Test mutating func `the signals of two bands count as one for each satellite, by the stronger one`() {
        func sky(_ count: Int, system: Constellation = .gps, _ strengths: Double...) -> [Satellite] {
            (1...count).flatMap { number in
                strengths.map { Satellite(constellation: system, number: number, signal: $0, isUsed: true) }
            }
        }
        func run(_ seconds: Int, _ satellites: [Satellite]) {
            for _ in 0..<seconds {
                receiver.run(1)
                receiver.report(.satellites(SkyView(satellites: satellites)))
            }
        }
        // Six satellites have twelve signals, of which eight would be enough.
        run(60, sky(6, 44, 43.5))
        // Four of another system have eight, of which five would tell its level.
        run(200, sky(6, 48, 34) + sky(4, system: .galileo, 30, 29))
        #expect(receiver.changes.isEmpty)
        run(30, sky(9, 44, 30))
        #expect(receiver.changes.map(\.reasons) == [.uniform])
        #expect(receiver.changes.first?.message == "its 9 signals in use differ by 0.0 dB only")
    }

    @Test mutating func `one system far above the others for minutes is suspect, unlike a smaller difference`() throws {
        let strong = JudgedReceiver.openSky.map { $0 + 2 }
        // As few signals as can tell a level, 14 dB below the mean of the others.
        let far = Array(repeating: 28.2, count: 5)
        receiver.run(600, signals: strong, others: strong.map { $0 - 10 })
        receiver.run(100, signals: strong, others: far)
        #expect(receiver.changes.isEmpty)
        receiver.run(60, signals: strong, others: far)
        let change = try #require(receiver.changes.first)
        #expect(change.to == .suspect && change.reasons == .constellation)
        #expect(change.message == "the signals of GPS are 14 dB above those of the other systems")
        receiver.run(100, signals: strong, others: strong)
        #expect(receiver.verdict == .nominal)
    }

    @Test(arguments: [(0.0, true), (2, false)])
    mutating func `jamming in three steps of 8 dB is noticed while a receiver stands still`(
        speed: Double, isNoticed: Bool
    ) throws {
        func run(_ seconds: Int, _ fall: Double) {
            receiver.run(seconds, signals: JudgedReceiver.openSky.map { max(0, $0 - fall) }) {
                $0.speed = speed
                $0.coordinate = $0.coordinate.destination(distance: speed, bearing: 0)
            }
        }
        run(120, 0)
        for fall in [8.0, 16, 24] { run(20, fall) }
        #expect(receiver.changes.map(\.reasons) == (isNoticed ? [.signal] : []))
        guard isNoticed else { return }
        #expect(receiver.changes.first?.message == "all signals fell by 15 dB while it stood still")
        // It ends like a sudden fall.
        run(90, 0)
        #expect(receiver.verdict == .nominal)
    }

    @Test mutating func `signals that fade by 1 dB a minute, as when satellites set, are nominal`() {
        for minute in 0..<20 {
            receiver.run(60, signals: JudgedReceiver.openSky.map { $0 - Double(minute) })
        }
        #expect(receiver.changes.isEmpty)
    }
}

extension JudgedReceiver {
    /// The signals under an open sky.
    static let openSky: [Double] = [48, 46, 44, 43, 41, 39, 36, 34, 31]
}
