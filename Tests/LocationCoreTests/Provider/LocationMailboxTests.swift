import LocationTesting
import Synchronization
import TestSupport
import Testing

@testable import LocationCore

@Suite struct LocationMailboxTests {
    private let clock = ManualClock()
    private let mailbox: LocationMailbox

    init() { mailbox = LocationMailbox(clock: clock.sessionClock(), capacity: 3) }

    private func arrived(_ number: Int) -> Location { Sample.numbered(number).arrived }

    /// Returns the events that are available without waiting.
    private func drain(_ mailbox: LocationMailbox) async throws -> [LocationEvent] {
        var events: [LocationEvent] = []
        while case .update(let update) = try await mailbox.next(until: mailbox.now) { events.append(update.event) }
        return events
    }

    @Test func `events are delivered in order and with their moments`() async throws {
        mailbox.put(.searching(.noDevice))
        clock.advance(by: .seconds(2))
        mailbox.put(.location(arrived(0)))
        mailbox.put(.notice(.message("later")), at: mailbox.now.advanced(by: .seconds(7)))
        let steps = [
            try await mailbox.next(until: nil), try await mailbox.next(until: nil), try await mailbox.next(until: nil),
        ]
        #expect(
            steps == [
                .update(LocationUpdate(.searching(.noDevice), at: .after(.zero))),
                .update(LocationUpdate(.location(arrived(0)), at: .after(.seconds(2)))),
                .update(LocationUpdate(.notice(.message("later")), at: .after(.seconds(9)))),
            ])
        #expect(mailbox.now == .after(.seconds(2)))
    }

    @Test func `a position without a time of arrival arrives when it is put`() async throws {
        let dated = Sample.gate.with { $0.timestamp = .testEpoch }
        clock.advance(by: .seconds(2))
        mailbox.put(.location(dated))
        mailbox.put(.location(dated.with { $0.received = .testEpoch.advanced(by: .seconds(1)) }))
        #expect(try await drain(mailbox).map(\.location?.ageWhenReceived) == [.seconds(2), .seconds(1)])
    }

    @Test func `a wake ends the next wait, and none after it`() async throws {
        mailbox.wake()
        #expect(try await mailbox.next(until: .after(.seconds(1))) == .woken)
        async let step = mailbox.next(until: .after(.seconds(1)))
        try await clock.untilSleeping()
        mailbox.put(.searching(.noDevice))
        #expect(try await step == .update(LocationUpdate(.searching(.noDevice), at: .after(.zero))))
    }

    @Test func `a deadline is met although a sleep of the session's clock ends early`() async throws {
        let start = clock.now
        let early = SessionClock(
            elapsed: { [clock] in start.duration(to: clock.now) }, wall: { .testEpoch.advanced(by: $0) },
            sleepUntil: { [clock] elapsed in
                let left = start.advanced(by: elapsed).elapsed - clock.now.elapsed
                try await clock.sleep(for: left > .milliseconds(5) ? left - .milliseconds(5) : left)
            })
        let mailbox = LocationMailbox(clock: early)
        async let step = mailbox.next(until: .after(.seconds(1)))
        try await clock.advanceToNextDeadline()
        #expect(clock.now.elapsed == .milliseconds(995))
        try await clock.advanceToNextDeadline()
        #expect(try await step == .quiet)
        #expect(clock.now.elapsed == .seconds(1))
    }

    @Test func `a clock of the system ends no sleep early, whenever its thread is preempted as it begins`() async throws
    {
        let preempted = Atomic(false)
        let session = SessionClock.system(on: clock) { [clock] in
            let isFirst = !preempted.exchange(true, ordering: .relaxed)
            if isFirst { clock.advance(by: .milliseconds(5)) }
            defer { if isFirst { clock.advance(by: .milliseconds(5)) } }
            return Int64(clock.now.elapsed / .nanoseconds(1))
        }
        let deadline = Moment(elapsed: .seconds(1), wall: .testEpoch)
        async let slept: Void = session.sleep(until: deadline)
        try await clock.advanceToNextDeadline()
        try await slept
        #expect(session.now.elapsed >= .seconds(1))
    }

    @Test func `a second session that waits on a mailbox ends with an error that names the mistake`() async throws {
        async let first = mailbox.next(until: .after(.seconds(1)))
        try await clock.untilSleeping()
        let error = await #expect(throws: LocationError.self) { _ = try await mailbox.next(until: nil) }
        #expect(error?.description.contains("two sessions share one LocationMailbox") == true)
        // As the sequence of the second session does after an error.
        mailbox.stop()
        #expect(try await first == .end)
    }

    @Test func `the oldest positions are dropped first, with an exact count in their place`() async throws {
        for number in 0..<10 { mailbox.put(.location(arrived(number))) }
        #expect(
            try await drain(mailbox)
                == [.notice(.dropped(locations: 7, skyViews: 0))] + (7..<10).map { .location(arrived($0)) })
        mailbox.put(.location(arrived(0)))
        #expect(try await drain(mailbox) == [.location(arrived(0))])
    }

    @Test func `sky views are dropped only when no positions are left`() async throws {
        let sky = LocationEvent.satellites(SkyView(satellites: []))
        for event in [sky, .location(arrived(0)), sky, sky, sky] { mailbox.put(event) }
        #expect(try await drain(mailbox) == [.notice(.dropped(locations: 1, skyViews: 1)), sky, sky, sky])
    }

    @Test func `the notice of dropped events has the moment of the first of them, and follows earlier events`()
        async throws
    {
        mailbox.put(.searching(.noDevice))
        for seconds in 1...5 {
            clock.advance(by: .seconds(1))
            mailbox.put(.location(arrived(seconds)))
        }
        var moments: [Duration] = []
        mailbox.finish()
        while case .update(let update) = try await mailbox.next(until: nil) { moments.append(update.moment.elapsed) }
        #expect(moments == [0, 1, 3, 4, 5].map { .seconds($0) })
    }

    @Test func `pending notices of skipped lines are merged`() async throws {
        let mailbox = LocationMailbox(clock: clock.sessionClock(), capacity: 2)
        for line in 1...1_000 { mailbox.put(.notice(.linesSkipped(count: 1, cause: "line \(line)"))) }
        #expect(
            try await drain(mailbox)
                == [
                    .notice(.linesSkipped(count: 1, cause: "line 1")),
                    .notice(.linesSkipped(count: 999, cause: "line 2")),
                ])
    }

    @Test func `notices of skipped lines that a flood has displaced do not count as pending`() async throws {
        let mailbox = LocationMailbox(clock: clock.sessionClock(), capacity: 2)
        func skip(_ causes: [String]) {
            for cause in causes { mailbox.put(.notice(.linesSkipped(count: 1, cause: cause))) }
        }
        skip(["line 1", "line 2"])
        for number in 0..<5_000 { mailbox.put(.failure(.daemon(message: "\(number)"))) }
        for _ in 0...4096 { _ = try await mailbox.next(until: nil) }
        skip(["line 3", "line 4"])
        #expect(try await drain(mailbox) == ["line 3", "line 4"].map { .notice(.linesSkipped(count: 1, cause: $0)) })
    }

    @Test func `a flood of unread failures is limited and keeps the newest`() async throws {
        let mailbox = LocationMailbox(clock: ManualClock().sessionClock())
        for number in 0..<20_000 { mailbox.put(.failure(.daemon(message: "\(number)"))) }
        mailbox.finish()
        let drained = try await drain(mailbox)
        #expect(drained.count == 4097)
        #expect(drained.first == .notice(.dropped(locations: 0, skyViews: 0, others: 15_904)))
        #expect(drained.last == .failure(.daemon(message: "19999")))
    }

    @Test func `other events are kept while positions can be dropped`() async throws {
        let events = (0..<100).flatMap { number -> [LocationEvent] in
            [
                .failure(.daemon(message: "\(number)")), .notice(.message("\(number)")),
                .searching(.connecting(attempt: number)), .device(DeviceStatus(path: "\(number)")),
                .authorization(.authorized),
            ]
        }
        for event in events { mailbox.put(event) }
        for _ in 0..<10 { mailbox.put(.location(arrived(0))) }
        let drained = try await drain(mailbox)
        #expect(drained.filter(events.contains) == events)
        #expect(drained.first == .notice(.dropped(locations: 7, skyViews: 0)))
    }

    @Test func `a continuing search supersedes only older reports of the same receiver`() async throws {
        func noFix(_ seen: Int, _ device: String) -> LocationEvent {
            .searching(.noFix(seen: seen, used: nil, best: nil), device: device)
        }
        for seen in 1...5 { mailbox.put(noFix(seen, "/dev/a")) }
        mailbox.put(noFix(1, "/dev/b"))
        #expect(try await drain(mailbox) == [noFix(4, "/dev/a"), noFix(5, "/dev/a"), noFix(1, "/dev/b")])
    }

    @Test(arguments: [(3, 8), (30, 3)])
    func `a deadline is met although the timer was set for an earlier or a later one`(first: Int, second: Int)
        async throws
    {
        let earlier = Task { [mailbox] in try await mailbox.next(until: .after(.seconds(first))) }
        try await clock.untilSleeping()
        mailbox.put(.searching(.noDevice))
        _ = try await earlier.value
        let wait = Task { [mailbox] in try await mailbox.next(until: .after(.seconds(second))) }
        // The timer of an earlier deadline stays.
        try await eventually("the timer", is: .seconds(min(first, second))) { clock.deadlines.map(\.elapsed).min() }
        #expect(try await clock.advance(untilEndOf: wait) == .quiet)
        #expect(clock.now.elapsed == .seconds(second))
    }

    @Test func `events before the end are delivered, then the end repeatedly`() async throws {
        mailbox.put(.searching(.noDevice))
        mailbox.finish()
        mailbox.put(.searching(.starting))
        mailbox.finish(throwing: .cancelled)
        #expect(try await drain(mailbox) == [.searching(.noDevice)])
        #expect(try await mailbox.next(until: nil) == .end)
        #expect(try await mailbox.next(until: nil) == .end)
    }

    @Test func `an error is thrown once, after the events before it`() async throws {
        mailbox.put(.searching(.noDevice))
        mailbox.finish(throwing: .daemon(message: "no"))
        #expect(try await mailbox.next(until: nil) == .update(LocationUpdate(.searching(.noDevice), at: .after(.zero))))
        await #expect(throws: LocationError.daemon(message: "no")) { try await mailbox.next(until: nil) }
        #expect(try await mailbox.next(until: nil) == .end)
    }

    @Test func `stop drops pending events, resumes the consumer and ends the timer`() async throws {
        let wait = Task { [mailbox] in try await mailbox.next(until: .after(.seconds(1))) }
        try await clock.untilSleeping()
        mailbox.stop()
        #expect(try await wait.value == .end)
        try await eventually("the timer has ended", is: []) { clock.deadlines }
        mailbox.put(.searching(.noDevice))
        mailbox.finish(throwing: .cancelled)
        #expect(try await mailbox.next(until: nil) == .end)
    }

    @Test func `the stop action runs once, and at once if the session has stopped`() {
        let stops = Atomic(0)
        mailbox.onStop { stops.add(1, ordering: .relaxed) }
        mailbox.stop()
        mailbox.stop()
        #expect(stops.load(ordering: .relaxed) == 1)
        mailbox.onStop { stops.add(10, ordering: .relaxed) }
        #expect(stops.load(ordering: .relaxed) == 11)
    }

    @Test func `an already cancelled task receives no pending event`() async throws {
        mailbox.put(.searching(.noDevice))
        let wait = Task { [mailbox] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await mailbox.next(until: nil)
        }
        #expect(try await wait.value == .end)
    }

    @Test func `events that many threads put in all arrive, ordered within each thread and by their time`() async throws
    {
        let mailbox = LocationMailbox(clock: SessionClock(ContinuousClock(), startingAt: .testEpoch), capacity: 100_000)
        let (threads, each) = (8, 500)
        let consumer = Task {
            var updates: [LocationUpdate] = []
            while case .update(let update) = try await mailbox.next(until: nil) { updates.append(update) }
            return updates
        }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    for number in 0..<each { mailbox.put(.notice(.dropped(locations: thread, skyViews: number))) }
                }
            }
        }
        mailbox.finish()
        let updates = try await consumer.value
        #expect(updates.count == threads * each)
        for thread in 0..<threads {
            let numbers = updates.compactMap { update -> Int? in
                if case .dropped(thread, let number, _) = update.event.notice { number } else { nil }
            }
            #expect(numbers == Array(0..<each))
        }
        #expect(zip(updates, updates.dropFirst()).allSatisfy { $0.moment <= $1.moment })
    }
}
