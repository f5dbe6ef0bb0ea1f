import LocationCore
import LocwatchSupport
import Synchronization

struct ConformanceRun {
    /// The number of attempts; the best one counts, because load on the machine only adds to the time.
    private static let cancellationAttempts = 5
    /// The same for the waits of turns: a turn can wait for the disk once.
    private static let turnAttempts = 5

    /// The longest time for which a turn of a source may wait.
    private static let longestTurnWait = Duration.milliseconds(10)

    /// The number of events whose moments are compared.
    private static let orderedEvents = 3

    /// The limit of a request whose time is that of a clock of the subject.
    private static let longLimit = Duration.seconds(86_400)

    /// The time after which a session that has not answered gets another event.
    private static let answerPause = Duration.milliseconds(20)

    let rule: LocationProviderConformance.Rule
    let subject: ConformanceSubject
    let waits: ConformanceWaits

    private var patience: Duration { waits.patience }

    /// Checks the rule; a wait that times out breaks the rule too, unless it is one of the subject's closures.
    func run() async throws {
        do { try await check() } catch let error as ExpectationFailure where error.isOwnWait {
            throw timeout(error.message)
        }
        // The sessions of the next check may need a device that those of this one still have open.
        if subject.runningSessions != nil { try? await untilRunning(0, "the check") }
    }

    private func check() async throws {
        switch rule {
        case .startsWhenIterated: try await startsWhenIterated()
        case .tells: try await begin { _ in }
        case .momentsInOrder: try await momentsInOrder()
        case .cancellationEndsWait: try await cancellationEndsWait()
        case .cancellationStopsSession: try await cancellationStopsSession()
        case .droppingStopsSession: try await droppingStopsSession()
        case .sessionsAreSeparate: try await sessionsAreSeparate()
        case .sessionsEndSeparately: try await sessionsEndSeparately()
        case .nothingAfterEnd: try await nothingAfterEnd()
        case .failureIsThrown: try await failureIsThrown()
        case .answersAuthorization: try await answersAuthorization()
        case .measuresLimits: try await measuresLimits()
        case .turnsNeverWait: try await turnsNeverWait()
        }
    }

    private func startsWhenIterated() async throws {
        let running = try required(subject.runningSessions, named: "runningSessions")
        let updates = subject.provider.updates(for: .everything)
        let iterator = updates.makeAsyncIterator()
        // A provider that opens its session in a task does so a little later.
        try await watch(for: waits.earlyStart) {
            let count = await running()
            try expect(count == 0, "\(count) sessions run before the first call of next()")
        }
        withExtendedLifetime(iterator) {}
        let watch = SessionWatch(updates)
        try await untilRunning(1, "next() was called")
        withExtendedLifetime(watch) {}
    }

    private func momentsInOrder() async throws {
        try await begin { watch in
            for count in 2...Self.orderedEvents {
                try await subject.emit()
                do throws(ExpectationFailure) { try await watch.wait(forUpdates: count, within: patience) } catch {
                    if watch.entries.allSatisfy(\.isUpdate) { throw error }
                    throw failure(
                        "the session ended after \(watch.updates.count) events, and the check needs \(Self.orderedEvents)"
                    )
                }
            }
            var last = Duration.zero
            for update in watch.updates {
                let elapsed = update.moment.elapsed
                try expect(elapsed >= last, "\(update.event) at \(elapsed) follows \(last)")
                last = elapsed
            }
        }
    }

    private func cancellationEndsWait() async throws {
        let limit = patience / 10
        for attempt in 1...Self.cancellationAttempts {
            do {
                return try await begin { watch in
                    watch.cancel()
                    try await watch.wait(forEndings: 1, within: limit)
                }
            } catch let error as ExpectationFailure where error.isOwnWait && attempt < Self.cancellationAttempts {}
        }
    }

    private func cancellationStopsSession() async throws {
        try await begin { watch in
            watch.cancel()
            try await requires(.cancellationEndsWait) { try await watch.wait(forEndings: 1, within: patience) }
            try await untilRunning(0, "the task was cancelled")
            try expectOnlyEnds(watch.entries.drop(while: \.isUpdate), of: watch)
        }
    }

    private func droppingStopsSession() async throws {
        let updates = subject.provider.updates(for: .everything)
        let (told, leave) = (EventLog<LocationError?>(), EventLog<Bool>())
        let task = Task { [waits] in
            var iterator: LocationUpdates.Iterator? = updates.makeAsyncIterator()
            var error: LocationError?
            do throws(LocationError) { _ = try await iterator?.next() } catch let thrown { error = thrown }
            told.append(error)
            // Wait until the session has been seen running: a provider that emits by itself would otherwise be dropped
            // before that.
            _ = try? await leave.wait(for: "permission to drop the iterator", within: waits.whole) { !$0.isEmpty }
            iterator = nil
        }
        defer { task.cancel() }
        try await requires(.startsWhenIterated) { try await untilRunning(1, "next() was called") }
        try await subject.emit()
        try await requires(.tells) { try await told.wait(for: "the first event", within: patience) { !$0.isEmpty } }
        let error = told.events.compactMap(\.self)
        try expect(error.isEmpty, "the first next() threw \(error)")
        leave.append(true)
        try await untilReleased("the iterator was dropped")
    }

    /// Waits until no session runs; if one does, the cause can be that not even cancelling ends a session.
    private func untilReleased(_ since: String) async throws {
        do { try await untilRunning(0, since) } catch {
            let running = try required(subject.runningSessions, named: "runningSessions")
            let before = await running()
            let watch = SessionWatch(subject.provider.updates(for: .everything))
            try await untilRunning(before + 1, "next() was called")
            watch.cancel()
            try await requires(.cancellationStopsSession) {
                try await untilRunning(before, "the task of another was cancelled")
            }
            throw error
        }
    }

    private func sessionsAreSeparate() async throws {
        let updates = subject.provider.updates(for: .everything)
        let watches = [SessionWatch(updates), SessionWatch(updates)]
        do {
            try await untilRunning(2, "two iterators have called next()")
            for count in 1...3 {
                try await subject.emit()
                try await requires(.tells) {
                    try await eventually(
                        "an update", within: patience, { watches.map(\.updates.count).max() ?? 0 }, is: { $0 > 0 })
                }
                for watch in watches { try await watch.wait(forUpdates: count, within: patience) }
            }
        } catch {
            // Such as that of a mailbox on which two sessions wait.
            if let error = watches.lazy.compactMap(\.error).first {
                throw failure("one of two sessions threw: \(error)")
            }
            throw error
        }
    }

    private func sessionsEndSeparately() async throws {
        let updates = subject.provider.updates(for: .everything)
        let (first, second) = (SessionWatch(updates), SessionWatch(updates))
        try await requires(.sessionsAreSeparate) { try await untilRunning(2, "two iterators have called next()") }
        try await subject.emit()
        try await requires(.tells) { try await second.wait(forUpdates: 1, within: patience) }
        first.cancel()
        try await requires(.cancellationEndsWait) { try await first.wait(forEndings: 1, within: patience) }
        do { try await untilRunning(1, "one of two was cancelled") } catch {
            if await subject.runningSessions?() != 2 { throw error }
            try await requires(.cancellationStopsSession) { throw error }
        }
        let count = second.updates.count
        try await subject.emit()
        try await second.wait(forUpdates: count + 1, within: patience)
        try expect(second.entries.allSatisfy(\.isUpdate), "the other session produced \(second.entries)")
    }

    private func nothingAfterEnd() async throws {
        let end = try required(subject.end, named: "end")
        try await begin(callsAfterEnd: 2) { watch in
            try await end()
            try await watch.wait(forEndings: 3, within: patience)
            try expectOnlyEnds(watch.entries.drop(while: \.isUpdate), of: watch)
        }
    }

    private func failureIsThrown() async throws {
        let fail = try required(subject.fail, named: "fail")
        try await begin(callsAfterEnd: 2) { watch in
            let error = try await fail()
            try await watch.wait(forEndings: 3, within: patience)
            let after = watch.entries.drop(while: \.isUpdate)
            guard case .failure(error)? = after.first else { throw failure("expected \(error), received \(after)") }
            try expectOnlyEnds(after.dropFirst(), of: watch)
        }
    }

    private func answersAuthorization() async throws {
        let answers = EventLog<Result<AuthorizationStatus, LocationError>>()
        let task = Task { [provider = subject.provider, patience] in
            do throws(LocationError) {
                answers.append(.success(try await provider.authorization(within: patience, clock: PatientClock())))
            } catch {
                answers.append(.failure(error))
            }
        }
        defer { task.cancel() }
        let (pause, patience) = (min(Self.answerPause, patience / 10), patience)
        var waited = Duration.zero
        // A provider may answer as soon as its session runs, or with an event, so events are emitted until it has answered.
        while answers.events.isEmpty, waited < patience {
            if await subject.runningSessions?() != 0 { try await subject.emit() }
            _ = try? await answers.wait(for: "an answer", within: pause) { !$0.isEmpty }
            waited += pause
        }
        switch answers.events.first {
        case .success(.authorized), .success(.denied): break
        case .success(.notDetermined), nil: throw timeout("no event answered it within \(patience)")
        case .failure(let error): throw failure("it threw \(error)")
        }
        if subject.runningSessions != nil { try await untilReleased("the answer") }
    }

    private func measuresLimits() async throws {
        let clock = try required(subject.clock, named: "clock")
        let answers = EventLog<Result<Location, LocationError>>()
        let task = Task { [provider = subject.provider] in
            do throws(LocationError) {
                answers.append(.success(try await provider.current(within: Self.longLimit)))
            } catch {
                answers.append(.failure(error))
            }
        }
        defer { task.cancel() }
        if subject.runningSessions != nil { try await untilRunning(1, "next() was called") }
        let pause = min(Self.answerPause, patience / 10)
        var waited = Duration.zero
        // The session begins its wait at some time after its start, so the clock is advanced until the limit has passed.
        while answers.events.isEmpty, waited < patience {
            clock.advance(by: Self.longLimit)
            _ = try? await answers.wait(for: "the end of the limit", within: pause) { !$0.isEmpty }
            waited += pause
        }
        switch answers.events.first {
        case .failure(.noFix): break
        case .success(let location): throw failure("without an event it returned \(location)")
        case .failure(let error): throw failure("it threw \(error)")
        case nil: throw timeout("a limit of a day did not end although the clock was advanced by days")
        }
    }

    private func turnsNeverWait() async throws {
        var shortest: TurnWatch.Wait?
        for _ in 1...Self.turnAttempts {
            guard let wait = try await longestWait(), wait.time > Self.longestTurnWait else { return }
            if wait.time < shortest?.time ?? wait.time + .nanoseconds(1) { shortest = wait }
            if subject.runningSessions != nil { try await untilRunning(0, "the source was stopped") }
        }
        guard let shortest else { return }
        throw failure("\(shortest.call) waited for \(shortest.time) in each of \(Self.turnAttempts) attempts")
    }

    /// Drives the source of a session until it has given some updates, or one of its calls has waited for too long; returns the longest
    /// wait, or `nil` if the session has no source.
    private func longestWait() async throws -> TurnWatch.Wait? {
        let session = subject.provider.updates(for: .everything).start()
        defer { session.stop() }
        guard let makeSource = session.makeSource else { return nil }
        let updates = Watched(0)
        let emitting = Task { [subject, patience] in
            for count in 1...Self.orderedEvents {
                try await subject.emit()
                let outcome = await updates.wait(within: patience, clock: PatientClock()) { $0 >= count }
                if outcome != .met { return }
            }
        }
        defer { emitting.cancel() }
        var (watch, waited) = (TurnWatch(makeSource), Duration.zero)
        let pause = Duration.milliseconds(1)
        while watch.updateCount < Self.orderedEvents, !watch.hasEnded, waited < patience,
            watch.longest.time <= Self.longestTurnWait
        {
            if watch.turn() {
                updates.change { $0 = watch.updateCount }
                await Task.yield()
            } else {
                try await Task.sleep(for: pause)
                waited += pause
            }
        }
        watch.stop()
        if watch.updateCount == 0, watch.longest.time <= Self.longestTurnWait {
            if waited >= patience { try await emitting.value }
            throw timeout("it was not checked, because its source gave no event")
        }
        return watch.longest
    }

    private func expectOnlyEnds(_ entries: ArraySlice<SessionWatch.WatchEntry>, of watch: SessionWatch) throws {
        for entry in entries {
            guard case .end = entry else { throw failure("the session produced \(watch.entries)") }
        }
    }

    // MARK: Common steps

    /// Starts a session, has it emit an event, and runs `body`.
    private func begin(callsAfterEnd calls: Int = 0, _ body: (SessionWatch) async throws -> Void) async throws {
        let watch = SessionWatch(subject.provider.updates(for: .everything), callsAfterEnd: calls)
        if subject.runningSessions != nil {
            try await requires(.startsWhenIterated) { try await untilRunning(1, "next() was called") }
        }
        try await subject.emit()
        try await requires(.tells) { try await watch.wait(forUpdates: 1, within: patience) }
        try await body(watch)
    }

    /// Performs a step that fails if another rule is broken, and names that rule as the cause.
    private func requires(_ other: LocationProviderConformance.Rule, _ step: () async throws -> Void) async throws {
        do { try await step() } catch {
            guard let failure = error as? ExpectationFailure else { throw error }
            let observation: String
            switch failure.reason {
            case .rule(_, observation: let found): observation = found
            case .wait where failure.isOwnWait: observation = failure.message
            case .wait, .states: throw error
            }
            if other == rule { throw timeout(observation) }
            throw timeout("it was not checked, because another rule is broken, \(other.sentence): \(observation)")
        }
    }

    /// Repeats a check for a time.
    private func watch(for time: Duration, _ check: () async throws -> Void) async throws {
        let pause = min(.milliseconds(5), time / 10)
        var waited = Duration.zero
        while true {
            try await check()
            if waited >= time { return }
            try await Task.sleep(for: pause)
            waited += pause
        }
    }

    private func untilRunning(_ count: Int, _ since: String) async throws {
        let (running, patience) = (try required(subject.runningSessions, named: "runningSessions"), patience)
        do throws(ExpectationFailure) {
            try await eventually("\(count) running sessions", within: patience, running, is: { $0 == count })
        } catch {
            throw timeout("\(await running()) sessions instead of \(count) run \(patience) after \(since)")
        }
    }

    private func required<Value>(_ value: Value?, named name: String) throws -> Value {
        guard let value else {
            throw failure(
                "the subject has no `\(name)`, which this check needs; leave the rule out by `checks(leavingOut: [.\(rule)])`"
            )
        }
        return value
    }

    private func expect(_ condition: Bool, _ observation: @autoclosure () -> String) throws {
        if !condition { throw failure(observation()) }
    }

    /// Returns the failure of a wait, after which the other checks wait for less.
    private func timeout(_ observation: String) -> ExpectationFailure {
        waits.shorten()
        return failure(observation)
    }

    private func failure(_ observation: String) -> ExpectationFailure {
        ExpectationFailure(.rule(rule, observation: observation), at: nil)
    }
}

/// The real time for which the checks of a provider wait.
///
/// A provider that fails one check mostly fails several, so after the first they wait for a fiftieth.
final class ConformanceWaits: Sendable {
    /// The longest wait before anything has failed.
    let whole: Duration
    private let isShort = Atomic(false)

    init(_ whole: Duration) { self.whole = whole }

    var patience: Duration { isShort.load(ordering: .relaxed) ? whole / 50 : whole }

    /// The time for which a session must not begin by itself.
    var earlyStart: Duration { whole / 50 }

    func shorten() { isShort.store(true, ordering: .relaxed) }
}

extension ExpectationFailure {
    /// Whether a check has waited, and not a closure of its subject.
    fileprivate var isOwnWait: Bool {
        if case .wait = reason { callSite?.fileID.hasPrefix("LocationTesting/") == true } else { false }
    }
}
