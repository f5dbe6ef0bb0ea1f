import LocationCore
import Testing

@testable import LocationTracks

@Suite struct ClockStatisticsTests {
    private func location(_ device: String = "/dev/ttyS0", leapSeconds: Int? = nil) -> LocationEvent {
        var location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), device: device)
        if let leapSeconds {
            location[count: .leapSeconds] = leapSeconds
        }
        return .location(location)
    }

    @Test func `the pulses and the messages of each receiver are apart`() {
        var clocks = ClockStatistics()
        for sample in [
            ClockSamples.sample(.pulse, second: 0, offset: 1), ClockSamples.sample(.message, second: 0, offset: 2),
            ClockSamples.sample(.message, second: 0, offset: 3, device: nil),
        ] {
            clocks.process(.clock(sample), at: MadeUpSession.moment(0))
        }
        #expect(clocks.all.map(\.device) == ["/dev/ttyS0", nil])
        #expect(clocks.all[0].clock.pulses.points.map(\.offset) == [1])
        #expect(clocks.all[0].clock.messages.points.map(\.offset) == [2])
        #expect(clocks.all[1].clock.messages.points.map(\.offset) == [3])
    }

    @Test func `a receiver without a comparison is left out`() {
        var clocks = ClockStatistics()
        clocks.process(location(leapSeconds: 18), at: MadeUpSession.moment(0))
        #expect(clocks.isEmpty)
        clocks.process(.clock(ClockSamples.sample(second: 0, offset: 1)), at: MadeUpSession.moment(1))
        #expect(clocks.all.first?.clock.leapSeconds == 18)
    }

    @Test func `a pulse is seen, lost after three seconds, and seen again`() {
        var clocks = ClockStatistics()
        let pulse = { (second: Double) in LocationEvent.clock(ClockSamples.sample(second: second, offset: 1)) }
        clocks.process(location(), at: MadeUpSession.moment(0))
        #expect(clocks.deadline == nil)
        #expect(clocks.process(pulse(1), at: MadeUpSession.moment(1))?.change == .seen(after: nil))
        #expect(clocks.process(pulse(2), at: MadeUpSession.moment(2)) == nil)
        #expect(clocks.deadline == MadeUpSession.moment(5))
        #expect(clocks.expire(at: MadeUpSession.moment(4.9)).isEmpty)
        // The change has the moment of the deadline, however late it is noticed.
        #expect(
            clocks.expire(at: MadeUpSession.moment(7)) == [
                PulseChange(
                    device: "/dev/ttyS0", moment: MadeUpSession.moment(5),
                    change: .lost(after: .seconds(3), hasFix: true))
            ])
        #expect(clocks.expire(at: MadeUpSession.moment(8)).isEmpty)
        #expect(clocks.process(pulse(12), at: MadeUpSession.moment(12))?.change == .seen(after: .seconds(10)))
        #expect(clocks.all[0].clock.watch.losses == 1)
        #expect(clocks.all[0].clock.watch.lostTime == .seconds(10))
    }

    @Test func `the reason of a lost pulse is the missing fix, if there is none`() {
        var clocks = ClockStatistics()
        clocks.process(location(), at: MadeUpSession.moment(0))
        clocks.process(.clock(ClockSamples.sample(second: 1, offset: 1)), at: MadeUpSession.moment(1))
        clocks.process(
            .searching(.noFix(seen: nil, used: nil, best: nil), device: "/dev/ttyS0"), at: MadeUpSession.moment(2))
        #expect(clocks.expire(at: MadeUpSession.moment(4)).map(\.change) == [.lost(after: .seconds(3), hasFix: false)])
    }

    @Test func `any number of names of receivers needs no more memory than the first 256`() {
        var clocks = ClockStatistics()
        for number in 0..<1000 {
            clocks.process(
                .clock(ClockSamples.sample(second: 0, offset: 1, device: "\(number)")), at: MadeUpSession.moment(0))
        }
        #expect(clocks.all.count == ClockStatistics.limit)
        clocks.process(.clock(ClockSamples.sample(second: 1, offset: 1, device: "255")), at: MadeUpSession.moment(1))
        #expect(clocks.all[255].clock.pulses.count == 2)
        #expect(clocks.expire(at: MadeUpSession.moment(60)).count == ClockStatistics.limit)
    }
}
