import LocationCore
import LocationTesting
import Testing

@Suite struct ManualClockTests {
    private let clock = ManualClock()

    @Test func `a clock stands at zero until it is moved`() {
        #expect(clock.now == ManualClock.Instant())
        clock.advance(by: .seconds(3))
        #expect(clock.now == ManualClock.Instant(elapsed: .seconds(3)))
        #expect(clock.minimumResolution == .zero)
    }

    @Test func `a clock never goes back`() {
        clock.advance(to: ManualClock.Instant(elapsed: .seconds(5)))
        clock.advance(to: ManualClock.Instant(elapsed: .seconds(2)))
        #expect(clock.now.elapsed == .seconds(5))
    }

    @Test func `a sleeper wakes when its time has come and not before`() async throws {
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
    }

    @Test func `a deadline that has passed is no sleep`() async throws {
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: ManualClock.Instant(elapsed: .seconds(5)))
        try await clock.sleep(until: ManualClock.Instant(elapsed: .seconds(1)))
    }

    @Test func `sleepers stand in the order of their deadlines`() async throws {
        var naps: [Task<Void, any Error>] = []
        for seconds in [3, 1, 2, 1] {
            naps.append(Task { [clock] in try await clock.sleep(for: .seconds(seconds)) })
            try await clock.untilSleeping(naps.count)
        }
        #expect(clock.deadlines.map(\.elapsed) == [1, 1, 2, 3].map { .seconds($0) })
        clock.advance(by: .seconds(3))
        for nap in naps { try await nap.value }
    }

    @Test func `cancelling ends a sleep with a cancellation error`() async throws {
        let nap = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
        try await clock.untilSleeping()
        nap.cancel()
        await #expect(throws: CancellationError.self) { try await nap.value }
        #expect(clock.deadlines.isEmpty)
    }

    @Test func `a cancelled task does not fall asleep`() async {
        let nap = Task { [clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(2))
        }
        await #expect(throws: CancellationError.self) { try await nap.value }
    }

    @Test func `moving in steps gives a task each of its turns`() async throws {
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

    @Test func `the next deadline can be gone to without knowing it`() async throws {
        let nap = Task { [clock] in try await clock.sleep(for: .milliseconds(1234)) }
        try await clock.advanceToNextDeadline()
        try await nap.value
        #expect(clock.now.elapsed == .milliseconds(1234))
    }

    @Test func `waiting in vain for sleepers tells who sleeps`() async throws {
        let nap = Task { [clock] in try await clock.sleep(for: .seconds(2)) }
        try await clock.untilSleeping()
        let failure = try #require(
            await #expect(throws: WaitFailure.self) { try await clock.untilSleeping(2, within: .zero) })
        #expect(failure.description.contains("2 to sleep on the manual clock, which stands at 0.0 seconds"))
        #expect(failure.happened == ["one until 2.0 seconds"])
        nap.cancel()
    }

    @Test func `waiting in vain where nobody sleeps says so`() async throws {
        let failure = try #require(
            await #expect(throws: WaitFailure.self) { try await clock.untilSleeping(within: .zero) })
        #expect(failure.description.hasSuffix("; nobody sleeps on it"))
    }

    @Test func `a cancelled wait for sleepers says that it was cancelled`() async throws {
        let wait = Task { [clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.untilSleeping()
        }
        let failure = try #require(await #expect(throws: WaitFailure.self) { try await wait.value })
        #expect(failure.wasCancelled)
        #expect(failure.description.hasPrefix("cancelled while waiting for 1 to sleep"))
    }

    @Test func `a session clock begins where the clock stands and goes on with it`() async throws {
        clock.advance(by: .seconds(100))
        let session = clock.sessionClock()
        #expect(session.now == Moment(elapsed: .zero, wall: .testEpoch))
        clock.advance(by: .seconds(2))
        #expect(session.now == Moment(elapsed: .seconds(2), wall: .testEpoch.advanced(by: .seconds(2))))
    }
}
