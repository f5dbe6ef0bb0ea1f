import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSupport
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// The frames of successive states.
@Suite struct MonitorFrameTests {
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

    @Test(arguments: [(1000, 10), (200, 50), (100, 100), (10, 100)])
    func `a slow receiver costs a frame for each epoch, and a fast one ten a second`(interval: Int, frames: Int) throws
    {
        let terminal = try FakeTerminal()
        let time = Lock(ContinuousClock.now)
        let screen = MonitorScreen(
            terminal, try SourceWord("sim:walk", exists: { _ in false }), Settings(), view: MonitorView(),
            depth: .sixteen, playback: nil, now: .unknown, instant: { time.withLock { $0 } })
        for step in 0..<1000 {
            if step * 10 % interval == 0 {
                let second = Double(step) / 100
                for update in [MonitorSamples.sky(16, used: 9, at: second), MonitorSamples.location(second)] {
                    _ = screen.process(.update(update), SessionView())
                }
            }
            _ = try screen.serve(PollSet())
            time.withLock { $0 += .milliseconds(10) }
        }
        #expect(terminal.state.screens.count == frames)
    }

    @Test func `a comparison of clocks has no frame of its own, and a position has`() throws {
        let screen = MonitorScreen(
            try FakeTerminal(), try SourceWord("sim:walk", exists: { _ in false }), Settings(), view: MonitorView(),
            depth: .sixteen,
            playback: nil, now: .unknown)
        func wait(after update: LocationUpdate) -> Duration? {
            _ = screen.process(.update(update), SessionView())
            var wait = SessionWait(at: .unknown)
            screen.prepare(&wait)
            return wait.limit
        }
        #expect(wait(after: LocationUpdate(.clock(MonitorSamples.clock(.message, 132_000_000)), at: 1)) == nil)
        #expect(try #require(wait(after: MonitorSamples.location(2))) < .milliseconds(20))
    }
}

@Suite struct SkyPictureTests {
    @Test func `levels follow the mean of some seconds, also of unknown numbers, and signals the last report`() {
        var picture = SkyPicture()
        func report(_ signal: Double, at second: Double) {
            let satellites = [
                Satellite(number: 1, signal: signal), Satellite(number: 2, signal: 30), Satellite(signal: 20),
                Satellite(signal: 50),
            ]
            picture.update(satellites, at: ScriptedSession.moment(second))
        }
        report(40, at: 0)
        report(44, at: 1)
        #expect(picture.marks.map(\.signal) == [44, 30, 20, 50] && picture.marks.map(\.level) == [40, 30, 20, 50])
        for second in 2...20 { report(44, at: Double(second)) }
        #expect((42...44).contains(picture.marks[0].level ?? 0))
    }
}

@Suite struct ClockOffsetTests {
    @Test(arguments: [
        (5.0, 0, "clock +300 µs PPS", "PPS µs"), (9, 132_000_000, "clock +132 ms TOFF", "TOFF ms"),
        (9, -2_000_000_000, "clock -2.00 s TOFF", "TOFF s"),
    ])
    func `the pulse counts, the first data only without it, and the unit suits the size of an offset`(
        end: Double, offset: Int, clock: String, name: String
    ) {
        let samples: [(Double, ClockSample.Source, Int)] = [
            (3, .pulse, 300_000), (4, .message, 132_000_000), (9, .message, offset),
        ]
        let updates = samples.filter { $0.0 <= end }.map { time, source, offset in
            LocationUpdate(.clock(MonitorSamples.clock(source, offset)), at: time)
        }
        let state = MonitorSamples.state([MonitorSamples.status(), MonitorSamples.location(2)] + updates, at: end)
        let screen = state.screen(columns: 200, rows: 60)
        #expect(screen.contains(clock) && screen.contains(name), "\(screen)")
    }
}

@Suite struct CommonTopicTests {
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
