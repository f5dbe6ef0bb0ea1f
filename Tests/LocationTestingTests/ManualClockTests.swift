import LocationCore
import LocationTesting
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

@Suite struct ManualClockTests {
    private let clock = ManualClock()

    @Test func `a clock stands at zero until it is advanced`() {
        #expect(clock.now == ManualClock.Instant())
        clock.advance(by: .seconds(3))
        #expect(clock.now == ManualClock.Instant(elapsed: .seconds(3)))
        clock.advance(to: ManualClock.Instant(elapsed: .seconds(2)))
        #expect(clock.now.elapsed == .seconds(3), "it never moves back")
        #expect(clock.minimumResolution == .zero)
    }

    @Test func `a sleeper resumes at its deadline and not earlier, and does not sleep after it`() async throws {
        let nap = Task { [clock] in
            try await clock.sleep(for: .seconds(2))
            return clock.now.elapsed
        }
        try await clock.untilSleeping()
        clock.advance(by: .milliseconds(1999))
        #expect(clock.deadlines == [ManualClock.Instant(elapsed: .seconds(2))])
        clock.advance(by: .milliseconds(1))
        #expect(clock.deadlines.isEmpty)
        #expect(try await nap.value == .seconds(2))
        for seconds in [2, 1] { try await clock.sleep(until: ManualClock.Instant(elapsed: .seconds(seconds))) }
    }

    @Test func `the clock advances to each deadline until a task has ended`() async throws {
        let task = Task { [clock] in
            var woken: [Duration] = []
            for seconds in [1, 5, 2] {
                try await clock.sleep(for: .seconds(seconds))
                woken.append(clock.now.elapsed)
            }
            return woken
        }
        #expect(try await clock.advance(untilEndOf: task) == [.seconds(1), .seconds(6), .seconds(8)])
        #expect(clock.now.elapsed == .seconds(8))
    }

    @Test func `among equal deadlines the end of a session's limit comes last`() async throws {
        let mailbox = LocationMailbox(clock: clock.sessionClock())
        let limit = Task { try await mailbox.next(until: mailbox.clock.now.advanced(by: .seconds(3))) }
        try await clock.untilSleeping()
        let report = Task {
            try await clock.sleep(for: .seconds(3))
            mailbox.put(.location(Location(coordinate: Sample.gate)))
        }
        try await clock.untilSleeping(2)
        try await clock.advance(untilEndOf: report)
        let arrived = Location(coordinate: Sample.gate).received(after: .seconds(3))
        let moment = Moment(elapsed: .seconds(3), wall: .testEpoch.advanced(by: .seconds(3)))
        #expect(try await clock.advance(untilEndOf: limit) == .update(LocationUpdate(.location(arrived), at: moment)))
    }

    @Test func `of the sleeps until one instant those with a tolerance end last`() async throws {
        let order = EventLog<String>()
        let limit = Task { [clock] in
            try await clock.sleep(until: ManualClock.Instant(elapsed: .seconds(3)), tolerance: .milliseconds(1))
            order.append("limit")
        }
        try await clock.untilSleeping()
        let report = Task { [clock] in
            try await clock.sleep(for: .seconds(3))
            await Task.yield()
            order.append("report")
        }
        try await clock.untilSleeping(2)
        try await clock.advance(untilEndOf: limit)
        try await report.value
        #expect(order.events == ["report", "limit"])
        #expect(clock.now.elapsed == .seconds(3))
    }

    @Test func `a timeout that running tasks cancel does not pass while the clock advances`() async throws {
        let source = ScriptedLocationSource(
            [.randomWalk(from: Sample.gate, steps: 300, every: .seconds(1), seed: 5), .end], clock: clock)
        let states = Task { try await source.states().reduce(into: [LocationState]()) { $0.append($1.to) } }
        let searches = try await clock.advance(untilEndOf: states).filter { $0.location == nil }
        #expect(searches.allSatisfy { $0 == .searching(.starting) }, "\(searches)")
        #expect(clock.now.elapsed >= .seconds(299))
    }

    @Test func `tasks that never rest do not stop the clock`() async throws {
        let busy = Task.detached { while !Task.isCancelled { await Task.yield() } }
        defer { busy.cancel() }
        // Each session waits for its events and for the silence of its receiver.
        try await withThrowingTaskGroup { group in
            for _ in 1...4 {
                group.addTask {
                    let clock = ManualClock()
                    let second: [ScriptStep] = [.location(1, 1), .wait(.seconds(1))]
                    let source = ScriptedLocationSource(
                        Array(repeating: second, count: 100).flatMap(\.self) + [.end], clock: clock)
                    let recorder = LocationRecorder(source)
                    let end = Task { try await recorder.untilEnded(within: .seconds(60)) }
                    let recording = try await clock.advance(untilEndOf: end, within: .seconds(1))
                    #expect(recording.locations.count == 100)
                    #expect(StatePattern.match([.searching, .found], recording.states))
                    #expect(clock.now.elapsed == .seconds(100))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a thread at work has run when it has spent some time on a processor`() async throws {
        let isOver = Watched(false)
        defer { isOver.change { $0 = true } }
        try NativeThread.start { while !isOver.value {} }
        var threads = ThreadProgress()
        let early = threads.haveRun(for: .seconds(600))
        #expect(!early)
        try await eventually("a turn", { threads.haveRun(for: .milliseconds(1)) }, is: \.self)
    }

    @Test func `a consumer that sleeps on the clock has no other work`() async throws {
        let source = ScriptedLocationSource(
            [.randomWalk(from: Sample.gate, steps: 3, every: .seconds(2), seed: 5), .end], clock: clock)
        let following = Task { [clock] in
            var times: [Duration] = []
            for try await _ in source.locations() {
                times.append(clock.now.elapsed)
                try await clock.sleep(for: .seconds(5))
            }
            return times
        }
        #expect(try await clock.advance(untilEndOf: following) == [.seconds(2), .seconds(7), .seconds(12)])
    }

    @Test func `the clock waits for the reader of a provider of which it knows only sleeps`() async throws {
        let mailbox = LocationMailbox(clock: clock.sessionClock())
        let provider = Task { [clock] in
            for _ in 1...30 {
                try await clock.sleep(for: .seconds(1))
                mailbox.put(.location(Sample.here))
            }
            mailbox.finish()
        }
        let reading = Task { [clock] in
            var times: [Duration] = []
            while case .update = try await mailbox.next(until: nil) {
                // It works for a while.
                let end = ContinuousClock.now + .milliseconds(1)
                while ContinuousClock.now < end {}
                times.append(clock.now.elapsed)
            }
            return times
        }
        #expect(try await clock.advance(untilEndOf: reading) == (1...30).map { .seconds($0) })
        try await provider.value
    }

    @Test func `a consumer that waits for another task is given up`() async throws {
        let source = ScriptedLocationSource([.location(1, 1), .end], clock: clock)
        let following = Task { [clock] () async throws -> Duration? in
            var nap: Duration?
            for try await _ in source.locations() {
                nap = try await Task {
                    try await clock.sleep(for: .seconds(5))
                    return clock.now.elapsed
                }.value
            }
            return nap
        }
        #expect(try await clock.advance(untilEndOf: following) == .seconds(5))
    }

    @Test func `a failure names the session that is at work`() async throws {
        let source = ScriptedLocationSource([.location(1, 1)], clock: clock)
        let never = ManualClock()
        let following = Task { for try await _ in source.locations() { try await never.sleep(for: .seconds(1)) } }
        let failure = try await expectFailure {
            try await clock.advance(untilEndOf: following, within: .seconds(2))
        }
        #expect(failure.wait?.happened.first?.hasPrefix("a session that has had") == true, "\(failure.message)")
        following.cancel()
    }

    @Test func `advancing stops at a task that does not end, and describes what sleeps`() async throws {
        let task = Task { try await ManualClock().sleep(for: .seconds(1)) }
        let failure = try await expectFailure { try await clock.advance(untilEndOf: task, within: .milliseconds(50)) }
        #expect(failure.message.hasSuffix("no task sleeps on it"))
        task.cancel()
    }

    @Test func `sleepers are ordered by their deadlines`() async throws {
        var naps: [Task<Void, any Error>] = []
        for seconds in [3, 1, 2, 1] {
            naps.append(Task { [clock] in try await clock.sleep(for: .seconds(seconds)) })
            try await clock.untilSleeping(naps.count)
        }
        #expect(clock.deadlines.map(\.elapsed) == [1, 1, 2, 3].map { .seconds($0) })
        clock.advance(by: .seconds(3))
        for nap in naps { try await nap.value }
    }

    @Test(arguments: [true, false])
    func `a task that is cancelled stops sleeping, or does not begin to`(isAsleep: Bool) async throws {
        let nap = Task { [clock] in
            if !isAsleep { withUnsafeCurrentTask { $0?.cancel() } }
            try await clock.sleep(for: .seconds(2))
        }
        if isAsleep { try await clock.untilSleeping() }
        nap.cancel()
        await #expect(throws: CancellationError.self) { try await nap.value }
        #expect(clock.deadlines.isEmpty)
    }

    @Test func `advancing in steps resumes a repeatedly sleeping task once per step`() async throws {
        let turns = EventLog<Duration>()
        let task = Task { [clock] in
            while true {
                try await clock.sleep(for: .seconds(1))
                turns.append(clock.now.elapsed)
            }
        }
        try await clock.advance(by: .seconds(1), times: 3)
        try await turns.wait(for: "three turns") { $0.count == 3 }
        #expect(turns.events == [.seconds(1), .seconds(2), .seconds(3)])
        task.cancel()
    }

    @Test func `a timed out wait for sleepers lists the sleepers`() async throws {
        let nap = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
        try await clock.untilSleeping()
        let failure = try await expectFailure { try await clock.untilSleeping(2, within: .zero) }
        #expect(failure.message.contains("2 or more sleepers on the manual clock at 0.0 seconds"))
        #expect(failure.wait?.happened == ["a sleeper until 2.0 seconds"])
        nap.cancel()
    }
}
