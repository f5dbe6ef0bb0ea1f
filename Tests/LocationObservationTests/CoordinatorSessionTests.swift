import LocationCore
import LocationObservation
import LocationTesting
import Testing

/// Tests of the beginning, the end and the replacement of the session that is followed.
@MainActor @Suite struct CoordinatorSessionTests {
    private let clock = ManualClock()
    private let log = EventLog<String>()
    private let lost = LocationError.connectionLost(host: "localhost", port: 2947, cause: "reset")

    @Test func `a filter that changes takes effect without a new session`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let coordinator = LocationCoordinator(source)
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

    @Test func `the end of a session delivers its last position, after which nothing runs and none is current`()
        async throws
    {
        let source = ScriptedLocationSource([.location(Sample.numbered(1, device: "/dev/a")), .end], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.onUpdate = { [log, weak coordinator] location in
            log.append("\(location.device ?? "-") \(coordinator?.state.location == location)")
        }
        coordinator.start()
        try await eventually("the end", is: false) { coordinator.isRunning }
        #expect(coordinator.state == .searching(.starting) && log.events == ["/dev/a true"])
        #expect(coordinator.lastLocation?.device == "/dev/a")
        #expect(coordinator.view["/dev/a"]?.state == .searching(.starting))
        #expect(coordinator.view["/dev/a"]?.lastLocation == coordinator.lastLocation)
    }

    @Test func `after a fatal error nothing runs and the state is the error`() async throws {
        let source = ScriptedLocationSource([.location(1, 1), .endThrowing(lost)], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.onStateChange = { [log, weak coordinator] in
            log.append("\($0.reason.code) \(coordinator?.isRunning ?? true)")
        }
        coordinator.onFailure = { [log, weak coordinator] _ in log.append("failure \(coordinator?.isRunning ?? true)") }
        coordinator.start()
        try await log.wait(for: "the failure") { $0 == ["fix true", "connectionLost false", "failure false"] }
        #expect(coordinator.state == .error(lost) && coordinator.lastLocation?.coordinate.latitude == 1)
        coordinator.stop()
        #expect(coordinator.state == .searching(.starting) && !coordinator.isRunning)
        #expect(coordinator.lastLocation?.coordinate.latitude == 1)
    }

    @Test func `another receiver begins without the position of the last one`() async throws {
        let source = ScriptedLocationSource(clock: clock) { request in
            request.device == "/dev/a" ? [.location(Sample.numbered(1, device: "/dev/a"))] : []
        }
        let coordinator = LocationCoordinator(source, for: LocationRequest(device: "/dev/a"))
        coordinator.onUpdate = { [log] in log.append($0.device ?? "-") }
        coordinator.start()
        try await log.wait(for: "the position") { $0 == ["/dev/a"] }
        coordinator.request.device = "/dev/b"
        #expect(coordinator.isRunning && coordinator.state == .searching(.starting))
        #expect(coordinator.lastLocation == nil && coordinator.view.devices.isEmpty)
        try await source.untilCalled(.started(LocationRequest(device: "/dev/b")))
        try await source.untilRunning(1)
        source.forceLocation(Sample.numbered(1, device: "/dev/b"))
        try await log.wait(for: "the other receiver") { $0 == ["/dev/a", "/dev/b"] }
        #expect(coordinator.view.devices == ["/dev/b"])
        coordinator.stop()
        coordinator.request.device = "/dev/c"
        #expect(!coordinator.isRunning && coordinator.lastLocation == nil)
    }

    /// A place from which a user starts again.
    enum Place: CaseIterable {
        case onFailure, onStateChange, task
    }

    private static let tries = 200

    @Test(arguments: Place.allCases)
    func `start after a fatal error begins another session, wherever it is called`(place: Place) async throws {
        let source = ScriptedLocationSource([.location(1, 1), .endThrowing(lost)], clock: clock)
        let coordinator = LocationCoordinator(source)
        var tries = 0
        let retry = { [log, weak coordinator] in
            tries += 1
            guard tries <= Self.tries else { return log.append("done") }
            let wasRunning = coordinator?.isRunning
            coordinator?.start()
            if wasRunning != false || coordinator?.isRunning != true { log.append("ignored") }
        }
        switch place {
        case .onFailure: coordinator.onFailure = { _ in retry() }
        case .onStateChange: coordinator.onStateChange = { if case .error = $0.to { retry() } }
        case .task: coordinator.onFailure = { _ in Task { retry() } }
        }
        coordinator.start()
        try await log.wait(for: "the last try", within: .seconds(60)) { $0.contains("done") }
        #expect(log.events == ["done"])
        #expect(source.calls.count { $0 == .started(.everything) } == Self.tries + 1)
        try await source.untilRunning(0)
    }

    @Test func `the end of a session is reported, also after a callback has started the next one`() async throws {
        let source = ScriptedLocationSource(sessions: [[.location(1, 1), .endThrowing(lost)], []], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.onStateChange = { [log, weak coordinator] in
            log.append($0.reason.code)
            if case .error = $0.to { coordinator?.start() }
        }
        coordinator.onFailure = { [log, weak coordinator] error in
            log.append("\(error.code), \(coordinator?.state.code ?? "-"), \(coordinator?.isRunning ?? false)")
        }
        coordinator.start()
        try await log.wait(for: "the failure") {
            $0 == ["fix", "connectionLost", "connectionLost, searching, true"]
        }
        coordinator.stop()
    }

    @Test func `a denial that ends a session is an answer, and stop in its callback is the last of it`() async throws {
        let denial = LocationError.denied(what: "/dev/a", cause: "mode 600")
        let coordinator = LocationCoordinator(ScriptedLocationSource([.endThrowing(denial)], clock: clock))
        coordinator.onFailure = { [log] in log.append($0.code) }
        coordinator.onAuthorizationChange = { [log, weak coordinator] in
            log.append($0.rawValue)
            coordinator?.stop()
        }
        coordinator.start()
        try await log.wait(for: "the denial") { $0 == ["denied"] }
        for _ in 0..<20 { await Task.yield() }
        #expect(log.events == ["denied"] && coordinator.state == .searching(.starting))
    }
}
