import LocationCore
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

/// The frames of successive states.
@Suite(.serialized, .alone) struct MonitorFrameTests {
    @Test func `a receiver with steady signals costs a few bytes a second`() throws {
        var encoder = FrameEncoder(depth: .sixteen)
        var state = try MonitorSamples.named("found")
        let size = ScreenSize(columns: 80, rows: 24)
        var written = 0
        for second in 121...180 {
            state.process(.update(MonitorSamples.sky(16, used: 9, at: Double(second))), SessionView())
            state.process(.update(MonitorSamples.location(Double(second))), SessionView())
            let bytes = encoder.bytes(for: Monitor.render(state, MonitorView(), size: size))
            if second > 121 { written += bytes.count }
        }
        #expect(written / 59 < 120)
    }
}

@Suite(.serialized, .alone) struct SkyPictureTests {
    private func satellites(_ signals: [Double?]) -> [Satellite] {
        signals.enumerated().map { index, signal in
            Satellite(constellation: .gps, number: index + 1, elevation: 40, azimuth: 90, signal: signal, isUsed: true)
        }
    }

    @Test func `levels follow the mean of some seconds, and signals the last report`() {
        var picture = SkyPicture()
        picture.update(satellites([40, 30]), at: MonitorSamples.moment(0))
        picture.update(satellites([44, 30]), at: MonitorSamples.moment(1))
        #expect(picture.signals == [44, 30])
        #expect(picture.marks.map(\.level) == [40, 30])
        for second in 2...20 { picture.update(satellites([44, 30]), at: MonitorSamples.moment(Double(second))) }
        #expect((42...44).contains(picture.marks[0].level ?? 0))
    }
}

@Suite(.serialized, .alone) struct ClockOffsetTests {
    @Test func `the unit suits the size of an offset`() {
        let sample = MonitorSamples.clock(.pulse, -350)
        #expect(abs(sample.offset + 350e-9) < 1e-12)
        let offsets = [-350, 132_000_000, 2_000_000_000].map { MonitorSamples.clock(.pulse, $0) }
        #expect(offsets.map { $0.unit(.utf8).name } == ["µs", "ms", "s"])
    }

    @Test func `the pulse counts, and the first data only without it`() {
        let start = [MonitorSamples.status(), MonitorSamples.location(2)]
        let both =
            start + [
                MonitorSamples.update(.clock(MonitorSamples.clock(.pulse, 300_000)), at: 3),
                MonitorSamples.update(.clock(MonitorSamples.clock(.message, 132_000_000)), at: 4),
            ]
        let screen = ScreenSize(columns: 200, rows: 60)
        let pulse = Monitor.render(MonitorSamples.state(both, at: 5), MonitorView(), size: screen).text
        #expect(pulse.contains("clock +300 µs PPS") && pulse.contains("PPS µs"))
        let late = both + [MonitorSamples.update(.clock(MonitorSamples.clock(.message, 132_000_000)), at: 9)]
        let data = Monitor.render(MonitorSamples.state(late, at: 9), MonitorView(), size: screen).text
        #expect(data.contains("clock +132 ms TOFF"))
    }
}

@Suite(.serialized, .alone) struct CommonTopicTests {
    @Test(arguments: [
        (["owntracks/fleet/d1", "owntracks/fleet/d2"], ["d1", "d2"]),
        (["owntracks/fleet/d1", "owntracks/north/d1"], ["fleet/d1", "north/d1"]),
        (["a/b", "c/d", "a/e"], ["a/b", "c/d", "a/e"]), (["van-1", "van-2"], ["van-1", "van-2"]),
        (["x/", "x/y"], ["x/", "y"]), (["x/y", ""], ["x/y", ""]),
    ])
    func `the levels that all topics have in common are left out`(names: [String], short: [String]) {
        var topics = CommonTopic()
        for name in names { topics.add(name) }
        #expect(names.map(topics.remainder) == short)
    }
}
