import LocationCore
import LocationTesting
import TestSupport
import Testing

@Suite struct CoordinatorRequestTests {
    private let clock = ManualClock()
    private let log = EventLog<String>()

    /// Returns a scripted source, and a coordinator that logs its positions.
    private func coordinator(
        _ script: [ScriptStep] = [], staleAfter: Duration? = nil
    ) -> (ScriptedLocationSource, LocationCoordinator) {
        let source = ScriptedLocationSource(script, clock: clock)
        let coordinator = LocationCoordinator(source, staleAfter: staleAfter)
        coordinator.onUpdate = { [log] in log.append("\($0.coordinate.latitude)") }
        return (source, coordinator)
    }

    @Test func `a filter that changes takes effect without a new session`() async throws {
        let (source, coordinator) = coordinator()
        coordinator.onUpdate = { [log] in log.append("\($0.horizontalAccuracy ?? 0)") }
        coordinator.start()
        try await source.untilRunning()
        source.forceLocation(1, 1, accuracy: 50)
        try await log.wait(for: "the coarse position") { $0 == ["50.0"] }
        coordinator.request.accuracy = 10
        source.forceLocation(1, 1, accuracy: 40)
        source.forceLocation(1, 1, accuracy: 8)
        try await log.wait(for: "the accurate position") { $0 == ["50.0", "8.0"] }
        coordinator.request.accuracy = nil
        coordinator.request.distanceFilter = 1000
        source.forceLocation(1, 1, accuracy: 60)
        source.forceLocation(1.001, 1, accuracy: 61)
        source.forceLocation(1.1, 1, accuracy: 62)
        try await log.wait(for: "the distant position") { $0 == ["50.0", "8.0", "60.0", "62.0"] }
        #expect(source.calls == [.started(.everything)])
        coordinator.stop()
    }

    @Test func `a position that a request and the followed session receive is delivered once`() async throws {
        let (source, coordinator) = coordinator()
        coordinator.start()
        try await source.untilRunning()
        let requests = (1...5).map { _ in Task { try await coordinator.current(accuracy: 10) } }
        coordinator.requestCurrent(accuracy: 10)
        // Coarse positions are followed, and show that the requests wait.
        for latitude in [1.0, 2] { source.forceLocation(latitude, 1, accuracy: 50) }
        try await log.wait(for: "the coarse positions") { $0 == ["1.0", "2.0"] }
        source.forceLocation(3, 1)
        for request in requests { #expect(try await value(of: request).coordinate.latitude == 3) }
        source.forceLocation(4, 1)
        try await log.wait(for: "the next position") { $0.last == "4.0" }
        #expect(log.events.filter { $0 != "3.0" } == ["1.0", "2.0", "4.0"])
        #expect(source.calls == [.started(.everything)])
        coordinator.stop()
        try await source.untilRunning(0)
    }

    /// A session in which a report comes just when a wait is ended, so that only the next wait ends early.
    private final class LateSession: LocationProvider, LocationSession {
        private let (steps, source) = AsyncStream<SessionStep>.makeStream()
        let waits = EventLog<Moment?>()
        let now = Moment.after(.zero)

        func updates(for request: LocationRequest) -> LocationUpdates {
            LocationUpdates(for: request, starting: { self })
        }

        func take() -> SessionStep? { nil }

        func ask(until deadline: Moment?, _ answer: @escaping @Sendable (SessionAnswer) -> Void) {
            Task { answer(.success(await next(until: deadline))) }
        }

        func next(until deadline: Moment?) async -> SessionStep {
            waits.append(deadline)
            return await steps.first { _ in true } ?? .end
        }

        func wake() {
            let events = [LocationEvent.searching(.connected(release: nil)), .location(Sample.gate)]
            let reports = events.map { SessionStep.update(LocationUpdate($0, at: now)) }
            for step in [reports[0], .woken, reports[1]] { source.yield(step) }
        }

        func stop() { source.finish() }
    }

    @Test func `a request that joins a session when a report comes does not end before its time`() async throws {
        let session = LateSession()
        let coordinator = LocationCoordinator(session)
        coordinator.start()
        try await session.waits.wait(for: "the wait without a limit") { $0 == [nil] }
        #expect(try await coordinator.current(accuracy: 10).horizontalAccuracy == 5)
        coordinator.stop()
    }

    @Test func `requests at once share one session`() async throws {
        let (source, coordinator) = coordinator()
        let demanding = Task { try await coordinator.current(accuracy: 5, within: .seconds(9)) }
        try await source.untilRunning()
        source.forceLocation(1, 1, accuracy: 20)
        // They join whenever they begin, because the session goes on, and no time passes.
        let others = try await withThrowingTaskGroup(of: Double.self) { group in
            for _ in 1...4 { group.addTask { try await coordinator.current(within: .seconds(9)).coordinate.latitude } }
            return try await group.reduce(into: [Double]()) { $0.append($1) }
        }
        #expect(others == [1, 1, 1, 1])
        source.forceLocation(2, 1, accuracy: 4)
        #expect(try await value(of: demanding).coordinate.latitude == 2)
        try await source.untilRunning(0)
        let request = LocationRequest(accuracy: 5, fix: .twoD, purpose: .once, limit: .seconds(9))
        #expect(source.calls == [.oneShotAsked(request), .stopped])
    }

    @Test func `a request that joins a session learns why there is no position`() async throws {
        let (_, coordinator) = coordinator([.searching(.noFix(seen: 7, used: 2, best: 31))])
        coordinator.onStateChange = { [log] in log.append($0.reason.code) }
        coordinator.start()
        try await log.wait(for: "the search") { $0 == ["noFix"] }
        let request = Task { try await coordinator.current(within: .seconds(9)) }
        await #expect(
            throws: LocationError.noFix(.noPosition(after: .seconds(9), reason: .noFix(seen: 7, used: 2, best: 31)))
        ) {
            try await clock.advance(untilEndOf: request)
        }
        coordinator.stop()
    }

    @Test func `a request that joins a session ends at its own limit, before the session's deadline`() async throws {
        let (source, coordinator) = coordinator([.location(1, 1, accuracy: 50)], staleAfter: .seconds(60))
        coordinator.start()
        try await log.wait(for: "the position") { $0 == ["1.0"] }
        try await eventually("the session's deadline", is: [.seconds(60)]) { clock.deadlines.map(\.elapsed) }
        let request = Task { try await coordinator.current(accuracy: 10, within: .seconds(5)) }
        // A request for an accurate position follows the session for itself.
        try await eventually("the request's first deadline", is: [.seconds(3)]) { clock.deadlines.map(\.elapsed) }
        // A clock that advances until the request has ended goes on to 60 s if its task is slow to end at 5 s.
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: LocationError.self) { try await value(of: request) }
        #expect(error?.code == "noFix")
        // The session waited while the request left it, and goes on without it.
        source.forceLocation(2, 1)
        try await log.wait(for: "the next position") { $0 == ["1.0", "2.0"] }
        coordinator.stop()
    }

    @Test func `a request does not receive the position of a session in which it has become stale`() async throws {
        let (source, coordinator) = coordinator([.location(1, 1)])
        coordinator.onStateChange = { [log] in log.append($0.reason.code) }
        coordinator.start()
        try await clock.untilSleeping()
        clock.advance(by: .seconds(60))
        try await log.wait(for: "the silence") { $0 == ["fix", "1.0", "silent"] }
        let request = Task { try await coordinator.current(within: .seconds(5)) }
        await #expect(throws: LocationError.noFix(.noPosition(after: .seconds(5), reason: .silent(for: .seconds(3))))) {
            try await clock.advance(untilEndOf: request)
        }
        #expect(source.calls == [.started(.everything)])
        coordinator.stop()
    }

    @Test func `failures from which the source may recover are not passed on while a request waits`() async throws {
        let (source, coordinator) = coordinator()
        coordinator.onFailure = { [log] in log.append($0.code) }
        coordinator.requestCurrent()
        try await source.untilRunning()
        source.forceError(.locationUnknown)
        source.forceError(.connectionLost(host: "localhost", port: 2947, cause: "reset"))
        source.forceLocation(1, 1)
        try await log.wait(for: "the position") { !$0.isEmpty }
        #expect(log.events == ["1.0"])
    }

    @Test func `a request that begins after a position has been delivered delivers its own`() async throws {
        let (_, coordinator) = coordinator([.location(1, 1)])
        coordinator.start()
        try await log.wait(for: "the followed position") { $0 == ["1.0"] }
        coordinator.requestCurrent(clock: clock)
        try await log.wait(for: "the requested position") { $0 == ["1.0", "1.0"] }
        coordinator.stop()
    }

    @Test func `a completion receives the position or the failure`() async throws {
        let coordinator = LocationCoordinator(ScriptedLocationSource([.location(1, 2)], clock: clock))
        coordinator.current(clock: clock) { [log] result in
            log.append((try? result.get().coordinate.longitude).map { "\($0)" } ?? "failed")
        }
        try await log.wait(for: "the position") { $0 == ["2.0"] }
        let refusing = LocationCoordinator(ScriptedLocationSource([.authorization(.denied)], clock: clock))
        refusing.current { [log] result in
            if case .failure(let error) = result { log.append(error.code) }
        }
        try await log.wait(for: "the refusal") { $0.last == "denied" }
        refusing.requestAuthorization { [log] in log.append("\($0)") }
        try await log.wait(for: "the answer") {
            $0.last == "\(Result<_, LocationError>.success(AuthorizationStatus.denied))"
        }
    }

    @Test func `stop ends an awaited request with cancelled, and no completion or callback runs`() async throws {
        let (source, coordinator) = coordinator()
        source.forceAuthorization(.notDetermined)
        coordinator.onFailure = { [log] in log.append($0.code) }
        let request = Task { [clock] in try await coordinator.current(clock: clock) }
        // The others join its session; a task that began after the stop would not end.
        try await source.untilRunning()
        coordinator.requestCurrent(clock: clock)
        coordinator.current(clock: clock) { [log] _ in log.append("completed") }
        coordinator.requestAuthorization { [log] _ in log.append("answered") }
        // One session of the positions, and one of the authorization.
        try await source.untilRunning(2)
        coordinator.stop()
        await #expect(throws: LocationError.cancelled) { try await value(of: request) }
        try await source.untilRunning(0)
        #expect(log.events.isEmpty)
    }

    @Test func `an awaited authorization is reported to the callback too`() async throws {
        let (_, coordinator) = coordinator()
        coordinator.onAuthorizationChange = { [log] in log.append($0.rawValue) }
        #expect(try await coordinator.requestAuthorization() == .authorized)
        try await log.wait(for: "the callback") { $0 == ["authorized"] }
        #expect(coordinator.authorization == .authorized)
    }

    @Test func `the first position of a session without another answer is the authorization`() async throws {
        let (_, coordinator) = coordinator([.searching(.noDevice), .location(1, 1), .location(2, 2)])
        coordinator.onAuthorizationChange = { [log] in log.append($0.rawValue) }
        coordinator.start()
        try await log.wait(for: "the positions") { $0 == ["authorized", "1.0", "2.0"] }
        #expect(coordinator.authorization == .authorized)
        coordinator.stop()
    }
}
