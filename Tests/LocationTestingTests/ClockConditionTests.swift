import LocationCore
import LocationTesting
import TestSupport
import Testing

/// Tests of a clock that advances until a condition holds, and of one that advances by itself.
@Suite struct ClockConditionTests {
    /// A model that owns its task.
    @MainActor private final class Countdown {
        private(set) var left = 3
        var isRunning: Bool { left > 0 }

        func start(on clock: ManualClock) {
            Task { [weak self] in
                while self?.isRunning == true {
                    try? await clock.sleep(for: .seconds(10))
                    self?.left -= 1
                }
            }
        }
    }

    @MainActor @Test func `the clock advances until the model of a test has ended, and no further`() async throws {
        let (clock, countdown) = (ManualClock(), Countdown())
        countdown.start(on: clock)
        try await clock.advance(until: "one step") { countdown.left == 2 }
        #expect(clock.now.elapsed == .seconds(10))
        try await clock.advance(until: "the end of the countdown") { !countdown.isRunning }
        #expect(clock.now.elapsed == .seconds(30))
    }

    @MainActor @Test func `a deadline may overtake work off the clock, but no event of a script`() async throws {
        let clock = ManualClock()
        let (taken, finished, mayFinish) = (EventLog<Int>(), EventLog<Int>(), EventLog<Void>())
        let script = (1...20).flatMap { [ScriptStep.location(Double($0), 0), .wait(.seconds(1))] }
        let source = ScriptedLocationSource(script + [.end], clock: clock)
        let following = Task {
            for try await location in source.locations() {
                let number = Int(location.coordinate.latitude)
                taken.append(number)
                Task.detached {
                    try await mayFinish.wait(for: "the end of the test") { !$0.isEmpty }
                    finished.append(number)
                }
            }
        }
        for second in 0..<20 {
            try await clock.advance(until: "second \(second)") { clock.now.elapsed >= .seconds(second) }
            #expect(taken.events.count >= second)
        }
        try await clock.advance(untilEndOf: following)
        #expect(taken.events == Array(1...20) && finished.events.isEmpty)
        mayFinish.append(())
        try await finished.wait(for: "the work off the clock") { $0.count == 20 }
    }

    @Test func `a clock that is held does not advance by itself, however long the work takes`() async throws {
        let clock = ManualClock()
        let nap = Task { try await clock.sleep(for: .seconds(60)) }
        try await clock.untilSleeping()
        let holds = [clock.hold(for: "a map"), clock.hold(for: "a name")]
        // More looks than after which idle work is given up.
        var looks = 0
        try await clock.advance(until: "many looks") {
            looks += 1
            return looks > 200
        }
        #expect(clock.now.elapsed == .zero)
        holds[0].release()
        let failure = try await expectFailure { try await clock.advance(untilEndOf: nap, within: .milliseconds(100)) }
        #expect(failure.wait?.happened == ["the clock is held for a name", "a sleeper until 60.0 seconds"])
        #expect(clock.now.elapsed == .zero)
        // A test that moves the clock itself is not stopped.
        clock.advance(by: .seconds(1))
        #expect(clock.now.elapsed == .seconds(1))
        for _ in 0..<2 { holds[1].release() }
        try await clock.advance(untilEndOf: nap)
        #expect(clock.now.elapsed == .seconds(60))
    }

    @Test func `an immediate clock waits for work off the clock that holds it`() async throws {
        let clock = ManualClock.immediate()
        let (done, order) = (EventLog<Void>(), EventLog<String>())
        let hold = clock.hold()
        let work = Task.detached {
            try await done.wait(for: "the permission to end") { !$0.isEmpty }
            order.append("work")
            hold.release()
        }
        let nap = Task {
            try await clock.sleep(for: .seconds(5))
            order.append("deadline")
        }
        try await clock.untilSleeping()
        for _ in 0..<100 { await Task.yield() }
        #expect(clock.now.elapsed == .zero)
        done.append(())
        try await nap.value
        try await work.value
        #expect(order.events == ["work", "deadline"])
    }

    @Test func `a condition that is not met is named with what sleeps`() async throws {
        let clock = ManualClock()
        let failure = try await expectFailure {
            try await clock.advance(until: "a miracle", within: .milliseconds(20)) { false }
        }
        #expect(failure.message.contains("waiting for a miracle on the manual clock at 0.0 seconds, after 0 deadlines"))
        #expect(failure.message.contains("no task sleeps on it"))
    }

    @Test func `a failure says that a script has ended without an end`() async throws {
        let clock = ManualClock()
        let recorder = LocationRecorder(ScriptedLocationSource([.searching(.noDevice)], clock: clock))
        let end = Task { try await recorder.untilEnded() }
        defer { end.cancel() }
        let failure = try await expectFailure {
            try await clock.advance(untilEndOf: end, within: .milliseconds(200))
        }
        #expect(failure.message.contains("a session is open: its script has ended, and `.end` is missing"))
    }

    @Test func `a recorder says that a script waits on a clock of real time`() async throws {
        let recorder = LocationRecorder(ScriptedLocationSource([.wait(.seconds(60)), .end]))
        let failure = try await expectFailure { try await recorder.untilEnded(within: .milliseconds(50)) }
        let text = "the script waits for 60.0 seconds on a clock of real time: give the source a `ManualClock`"
        #expect(failure.message.hasSuffix(text))
        let open = LocationRecorder(ScriptedLocationSource([.location(1, 2)], clock: ManualClock()))
        try await open.wait(for: "a position") { !$0.locations.isEmpty }
        let other = try await expectFailure { try await open.untilEnded(within: .milliseconds(50)) }
        #expect(other.message.hasSuffix("a session is open: its script has ended, and `.end` is missing"))
    }

    @Test func `an immediate clock plays a script without steps, with the events before the limits`() async throws {
        let clock = ManualClock.immediate()
        let source = ScriptedLocationSource(
            [.wait(.seconds(3600)), .location(1, 2), .wait(.seconds(3600)), .location(3, 4), .end], clock: clock)
        let recording = try await LocationRecorder(source).untilEnded()
        #expect(
            recording.updates.compactMap { $0.location == nil ? nil : $0.moment.elapsed } == [
                .seconds(3600), .seconds(7200),
            ])
        #expect(StatePattern.match([.searching, .found, .searchingAs("silent"), .found], recording.states))
        let asked = ScriptedLocationSource([.wait(.seconds(30)), .location(1, 2)], clock: clock)
        #expect(try await asked.current(within: .seconds(30)).coordinate.latitude == 1)
        await #expect(throws: LocationError.self) { try await asked.current(within: .seconds(29)) }
    }

    @Test func `an immediate clock is released, and so is the task that advances it`() async throws {
        weak var released: ManualClock?
        do {
            let clock = ManualClock.immediate()
            released = clock
            try await clock.sleep(for: .seconds(5))
            #expect(clock.now.elapsed == .seconds(5))
        }
        try await eventually("the release of the clock") {
            released == nil
        } is: {
            $0
        }
    }
}
