import LocationCore
import LocationTesting
import Testing

@testable import LocationObservation

/// Tests of requests for one position or for the authorization, and of the sessions that serve them.
@MainActor @Suite struct CoordinatorRequestTests {
    private let clock = ManualClock()
    private let log = EventLog<String>()

    /// Returns a scripted source, and a coordinator that logs its positions.
    private func coordinator(
        _ script: [ScriptStep] = [], for request: LocationRequest = .everything, staleAfter: Duration? = nil
    ) -> (ScriptedLocationSource, LocationCoordinator) {
        let source = ScriptedLocationSource(script, clock: clock)
        let coordinator = LocationCoordinator(source, for: request, staleAfter: staleAfter)
        coordinator.onUpdate = { [log] in log.append("\($0.coordinate.latitude)") }
        return (source, coordinator)
    }

    /// Waits until a number of requests wait for their answers, before which a clock must not be advanced.
    private func untilAsked(_ coordinator: LocationCoordinator, _ count: Int = 1) async throws {
        try await eventually("the request", is: count) { coordinator.requests.count }
    }

    // MARK: Sessions

    @Test func `a position that requests and the followed session receive is delivered once, from one session`()
        async throws
    {
        let (source, coordinator) = coordinator()
        coordinator.start()
        try await source.untilRunning()
        let requests = (1...5).map { _ in Task { try await coordinator.current(accuracy: 10) } }
        coordinator.requestCurrent(accuracy: 10)
        coordinator.requestCurrent(accuracy: 10)
        // Coarse positions are followed, and show that the requests wait.
        for latitude in [1.0, 2] { source.forceLocation(latitude, 1, accuracy: 50) }
        try await log.wait(for: "the coarse positions") { $0 == ["1.0", "2.0"] }
        source.forceLocation(3, 1)
        for request in requests { #expect(try await value(of: request).coordinate.latitude == 3) }
        source.forceLocation(4, 1)
        try await log.wait(for: "the next position") { $0.last == "4.0" }
        #expect(log.events == ["1.0", "2.0", "3.0", "4.0"])
        #expect(source.calls == [.started(.everything)])
        coordinator.stop()
        try await source.untilRunning(0)
    }

    @Test func `a report is delivered once, also if the request has another session than the one that is followed`()
        async throws
    {
        let (source, coordinator) = coordinator()
        coordinator.requestCurrent(accuracy: 10)
        try await source.untilRunning()
        coordinator.start()
        try await source.untilRunning(2)
        for number in 1...3 { source.forceLocation(Sample.numbered(number, device: "/dev/a")) }
        let expected = (1...3).map { "\(Sample.numbered($0).coordinate.latitude)" }
        try await log.wait(for: "the last position") { $0.last == expected.last }
        try await source.untilRunning(1)
        #expect(log.events == expected)
        // The receiver has reported the same twice.
        source.forceLocation(Sample.numbered(3, device: "/dev/a"))
        try await log.wait(for: "the repetition") { $0 == expected + [expected[2]] }
        coordinator.stop()
    }

    /// A provider whose sessions a test fills one by one.
    private final class Mailboxes: LocationProvider {
        let all = EventLog<LocationMailbox>()

        func updates(for request: LocationRequest) -> LocationUpdates {
            LocationUpdates(for: request) { [all] in
                let mailbox = LocationMailbox(clock: ManualClock().sessionClock())
                all.append(mailbox)
                return mailbox
            }
        }

        /// Returns the session that `begin` begins.
        @MainActor func session(begunBy begin: () -> Void) async throws -> LocationMailbox {
            let count = all.events.count
            begin()
            return try await all.wait(for: "a session") { $0.count > count }[count]
        }
    }

    @Test func `a report is delivered once, also if the session of the request is some reports behind`() async throws {
        let provider = Mailboxes()
        let coordinator = LocationCoordinator(provider)
        coordinator.onUpdate = { [log] in log.append("\($0.coordinate.latitude)") }
        let request = try await provider.session { coordinator.requestCurrent(accuracy: 10) }
        let followed = try await provider.session { coordinator.start() }
        let reports = (1...3).map { LocationEvent.location(Sample.numbered($0, device: "/dev/a")) }
        for report in reports { followed.put(report) }
        try await log.wait(for: "the reports") { $0.count == 3 }
        let ended = EventLog<Void>()
        request.onStop { ended.append(()) }
        request.put(reports[0])
        try await ended.wait(for: "the end of the request") { !$0.isEmpty }
        followed.put(reports[2])
        try await log.wait(for: "the repetition") { $0.count > 3 }
        #expect(log.events == ["52.5173", "52.5183", "52.5193", "52.5193"])
        coordinator.stop()
    }

    @Test func `a position that a request got at once is followed again when the receiver repeats it`() async throws {
        let (source, coordinator) = coordinator()
        coordinator.start()
        try await source.untilRunning()
        source.forceLocation(Sample.numbered(1, device: "/dev/a"))
        try await log.wait(for: "the position") { $0.count == 1 }
        coordinator.requestCurrent()
        try await log.wait(for: "the requested position") { $0.count == 2 }
        source.forceLocation(Sample.numbered(1, device: "/dev/a"))
        try await log.wait(for: "the repetition") { $0.count == 3 }
        coordinator.stop()
    }

    @Test func `requests at once share one session, which ends with the last of them`() async throws {
        let (source, coordinator) = coordinator()
        let demanding = Task { try await coordinator.current(accuracy: 5, within: .seconds(9)) }
        try await source.untilRunning()
        source.forceLocation(1, 1, accuracy: 20)
        // They join whenever they begin, because the session goes on, and no time passes.
        let others = (1...4).map { _ in Task { try await coordinator.current(within: .seconds(9)) } }
        for request in others { #expect(try await value(of: request).coordinate.latitude == 1) }
        source.forceLocation(2, 1, accuracy: 4)
        #expect(try await value(of: demanding).coordinate.latitude == 2)
        try await source.untilRunning(0)
        let request = LocationRequest(accuracy: 5, fix: .twoD, purpose: .once, limit: .seconds(9))
        #expect(source.calls == [.oneShotAsked(request), .stopped])
    }

    @Test func `a request that is withdrawn ends the session that served it alone`() async throws {
        let (source, coordinator) = coordinator()
        let request = Task { try await coordinator.current() }
        try await source.untilRunning()
        request.cancel()
        await #expect(throws: LocationError.cancelled) { try await value(of: request) }
        try await source.untilRunning(0)
        let unbegun = Task { try await coordinator.current() }
        unbegun.cancel()
        await #expect(throws: LocationError.cancelled) { try await value(of: unbegun) }
        #expect(coordinator.requests.isEmpty && coordinator.sessions.isEmpty)
    }

    @Test func `a request goes on when its session is not followed any more`() async throws {
        let (source, coordinator) = coordinator(for: LocationRequest(device: "/dev/a"))
        coordinator.start()
        try await source.untilRunning()
        let request = Task { try await coordinator.current(accuracy: 10) }
        try await untilAsked(coordinator)
        coordinator.request.device = "/dev/b"
        try await source.untilRunning(2)
        source.forceLocation(Sample.numbered(1, device: "/dev/a"))
        #expect(try await value(of: request).device == "/dev/a")
        try await source.untilRunning(1)
        #expect(log.events.isEmpty && coordinator.lastLocation == nil)
        coordinator.stop()
    }

    @Test func `a request within the callback of another one begins a session of its own`() async throws {
        let source = ScriptedLocationSource(sessions: [[.location(1, 1)], [.location(2, 2)]], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.onUpdate = { [log, weak coordinator] in
            log.append("\($0.coordinate.latitude)")
            if log.events.count == 1 { coordinator?.requestCurrent() }
        }
        coordinator.requestCurrent()
        try await log.wait(for: "both positions") { $0 == ["1.0", "2.0"] }
        try await source.untilRunning(0)
    }

    // MARK: Joining

    @Test func `a request gets the current position at once if it is good enough`() async throws {
        let (source, coordinator) = coordinator([.location(1, 1)])
        coordinator.start()
        try await log.wait(for: "the followed position") { $0 == ["1.0"] }
        coordinator.requestCurrent(clock: clock)
        try await log.wait(for: "the requested position") { $0 == ["1.0", "1.0"] }
        #expect(try await coordinator.current().coordinate.latitude == 1)
        #expect(source.calls == [.started(.everything)])
        coordinator.stop()
    }

    @Test func `a request gets a position that the followed request does not admit, until it is stale`() async throws {
        let (source, coordinator) = coordinator(for: LocationRequest(accuracy: 10), staleAfter: .seconds(3))
        coordinator.start()
        try await source.untilRunning()
        source.forceLocation(1, 1, accuracy: 50)
        try await eventually("the search", is: .searching(.unsuitable)) { coordinator.state }
        #expect(try await coordinator.current(accuracy: 60).coordinate.latitude == 1)
        clock.advance(by: .seconds(3))
        let late = Task { try await coordinator.current(accuracy: 60) }
        try await untilAsked(coordinator)
        source.forceLocation(2, 1, accuracy: 40)
        #expect(try await value(of: late).coordinate.latitude == 2)
        #expect(log.events.isEmpty && source.calls == [.started(LocationRequest(accuracy: 10))])
        coordinator.stop()
    }

    @Test func `a request that joins counts the age of the current position from now`() async throws {
        let (source, coordinator) = coordinator(staleAfter: .seconds(60))
        coordinator.start()
        try await source.untilRunning()
        source.forceLocation(Sample.numbered(1, device: "/dev/a"))
        try await log.wait(for: "the position") { $0.count == 1 }
        clock.advance(by: .seconds(10))
        let request = Task { try await coordinator.current(maxAge: .seconds(5), within: .seconds(9)) }
        try await untilAsked(coordinator)
        let error = await #expect(throws: LocationError.self) { try await clock.advance(untilEndOf: request) }
        guard case .noFix(.tooOld(let best, _))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(best.device == "/dev/a")
        coordinator.stop()
    }

    @Test func `a request that joins a session learns why there is no position`() async throws {
        let (_, coordinator) = coordinator([.searching(.noFix(seen: 7, used: 2, best: 31))])
        coordinator.onStateChange = { [log] in log.append($0.reason.code) }
        coordinator.start()
        try await log.wait(for: "the search") { $0 == ["noFix"] }
        let request = Task { try await coordinator.current(within: .seconds(9)) }
        try await untilAsked(coordinator)
        await #expect(
            throws: LocationError.noFix(.noPosition(after: .seconds(9), reason: .noFix(seen: 7, used: 2, best: 31)))
        ) {
            try await clock.advance(untilEndOf: request)
        }
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
        try await untilAsked(coordinator)
        await #expect(throws: LocationError.noFix(.noPosition(after: .seconds(5), reason: .silent(for: .seconds(3))))) {
            try await clock.advance(untilEndOf: request)
        }
        #expect(source.calls == [.started(.everything)])
        coordinator.stop()
    }

    @Test func `a wait that began before a request joined does not end the request as it ends`() async throws {
        let (source, coordinator) = coordinator()
        coordinator.start()
        try await source.untilRunning()
        let session = try #require(coordinator.followed)
        let request = Task { try await coordinator.current(within: .seconds(5)) }
        try await untilAsked(coordinator)
        coordinator.process(.success(.quiet), after: .init(deadline: nil), of: session)
        #expect(coordinator.requests.count == 1)
        source.forceLocation(1, 1)
        #expect(try await value(of: request).coordinate.latitude == 1)
        coordinator.stop()
    }

    // MARK: Limits

    @Test func `a request that joins a session ends at its own limit, before the session's deadline`() async throws {
        let (source, coordinator) = coordinator([.location(1, 1, accuracy: 50)], staleAfter: .seconds(60))
        coordinator.start()
        try await log.wait(for: "the position") { $0 == ["1.0"] }
        try await eventually("the session's deadline", is: [.seconds(60)]) { clock.deadlines.map(\.elapsed) }
        clock.advance(by: .seconds(1))
        let request = Task { try await coordinator.current(accuracy: 10, within: .seconds(5)) }
        try await eventually("the request's limit", is: [.seconds(6)]) { clock.deadlines.map(\.elapsed) }
        // A clock that advances until the request has ended goes on to 60 s if its task is slow to end at 6 s.
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: LocationError.self) { try await value(of: request) }
        #expect(error?.code == "noFix")
        // The session waited while the request left it, and goes on without it.
        source.forceLocation(2, 1)
        try await log.wait(for: "the next position") { $0 == ["1.0", "2.0"] }
        coordinator.stop()
    }

    @Test(arguments: [true, false])
    func `a position at the limit is in time, and one after it is late`(isInTime: Bool) async throws {
        let source = ScriptedLocationSource(
            [.wait(.seconds(isInTime ? 5 : 6)), .location(1, 1)], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.start()
        try await source.untilRunning()
        let request = Task { try? await coordinator.current(within: .seconds(5)) }
        try await untilAsked(coordinator)
        #expect(try await clock.advance(untilEndOf: request)?.coordinate.latitude == (isInTime ? 1 : nil))
        coordinator.stop()
    }

    @Test func `a request that times out is reported as a failure`() async throws {
        let (source, coordinator) = coordinator()
        coordinator.onFailure = { [log] in log.append("failure \($0.code)") }
        coordinator.requestCurrent(within: .seconds(5), clock: clock)
        try await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        try await log.wait(for: "the failure") { $0 == ["failure noFix"] }
        coordinator.requestCurrent(within: .seconds(5))
        try await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        try await log.wait(for: "the failure") { $0 == ["failure noFix", "failure noFix"] }
        try await source.untilRunning(0)
    }

    @Test func `a request that nothing answers explains the best position that was rejected`() async throws {
        let (_, coordinator) = coordinator([.location(1, 1, accuracy: 80), .location(2, 1, accuracy: 90)])
        let request = Task { try await coordinator.current(accuracy: 10, within: .seconds(5)) }
        let error = await #expect(throws: LocationError.self) { try await clock.advance(untilEndOf: request) }
        guard case .noFix(.tooCoarse(let best, let wanted))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(best.horizontalAccuracy == 80 && wanted == 10)
    }

    @Test func `the end of the source ends a request with the reason, and an error with itself`() async throws {
        let (source, coordinator) = coordinator()
        for error in [LocationError?.none, .daemon(message: "no")] {
            let request = Task { try await coordinator.current() }
            try await source.untilRunning()
            source.end(throwing: error)
            let expected = error ?? .noFix(.nothingHeard(after: .zero))
            await #expect(throws: expected) { try await value(of: request) }
        }
    }

    // MARK: Answers

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

    @Test func `stop ends an awaited request with cancelled, and no completion or callback is called`() async throws {
        let (source, coordinator) = coordinator()
        source.forceAuthorization(.notDetermined)
        coordinator.onFailure = { [log] in log.append($0.code) }
        let request = Task { [clock] in try await coordinator.current(clock: clock) }
        // The others join its session.
        try await source.untilRunning()
        coordinator.requestCurrent(clock: clock)
        coordinator.current(clock: clock) { [log] _ in log.append("completed") }
        coordinator.requestAuthorization { [log] _ in log.append("answered") }
        // One session of the positions, and one of the authorization.
        try await source.untilRunning(2)
        coordinator.stop()
        await #expect(throws: LocationError.cancelled) { try await value(of: request) }
        try await source.untilRunning(0)
        #expect(log.events.isEmpty && clock.deadlines.isEmpty)
    }

    // MARK: Authorization

    @Test(arguments: [
        (AuthorizationStatus.authorized, ["authorization authorized"]), (.denied, ["authorization denied"]),
    ])
    func `an authorization request reports the status and ends its session`(
        status: AuthorizationStatus, told: [String]
    ) async throws {
        let (source, coordinator) = coordinator()
        source.forceAuthorization(status)
        coordinator.onAuthorizationChange = { [log] in log.append("authorization \($0.rawValue)") }
        coordinator.requestAuthorization { _ in }
        #expect(try await log.wait(for: "the answer") { !$0.isEmpty } == told)
        try await source.untilRunning(0)
        #expect(source.calls == [.authorizationAsked, .stopped])
        #expect(coordinator.authorization == status)
    }

    @Test func `an authorization request reports the failures before a position, but no position`() async throws {
        let (source, coordinator) = coordinator([.error(.daemon(message: "no")), .location(1, 1)])
        source.forceAuthorization(.notDetermined)
        coordinator.onFailure = { [log] in log.append("failure \($0.code)") }
        coordinator.onAuthorizationChange = { [log] in log.append("authorization \($0.rawValue)") }
        coordinator.requestAuthorization(clock: clock) { _ in }
        try await log.wait(for: "the answer") { $0 == ["failure daemon", "authorization authorized"] }
        try await source.untilRunning(0)
    }

    @Test func `an authorization that nothing answers in time is not determined`() async throws {
        let (source, coordinator) = coordinator()
        source.forceAuthorization(.notDetermined)
        let (session, given) = (
            Task { try await coordinator.requestAuthorization(within: .seconds(5)) },
            Task { try await coordinator.requestAuthorization(within: .seconds(7), clock: clock) }
        )
        try await untilAsked(coordinator, 2)
        #expect(try await clock.advance(untilEndOf: session) == .notDetermined)
        #expect(try await clock.advance(untilEndOf: given) == .notDetermined)
        #expect(source.calls == [.authorizationAsked, .stopped])
    }

    @Test func `stop in the callback of an authorization is the last of it`() async throws {
        let (source, coordinator) = coordinator()
        coordinator.onAuthorizationChange = { [log, weak coordinator] in
            log.append($0.rawValue)
            coordinator?.stop()
        }
        coordinator.requestAuthorization { [log] _ in log.append("completed") }
        try await log.wait(for: "the callback") { $0 == ["authorized"] }
        try await source.untilRunning(0)
        #expect(log.events == ["authorized"])
    }

    @Test func `an awaited authorization is reported to the callback too`() async throws {
        let (_, coordinator) = coordinator()
        coordinator.onAuthorizationChange = { [log] in log.append($0.rawValue) }
        #expect(try await coordinator.requestAuthorization() == .authorized)
        #expect(log.events == ["authorized"] && coordinator.authorization == .authorized)
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
