import LocationCore
import LocationObservation
import LocationTesting
import Synchronization
import Testing

/// Tests of the callbacks of the session that is followed, and of the beginning and the end of everything that was started.
@MainActor @Suite struct LocationCoordinatorTests {
    private let clock = ManualClock()
    private let log = EventLog<String>()

    private func coordinator(_ source: ScriptedLocationSource) -> LocationCoordinator {
        let coordinator = LocationCoordinator(source)
        coordinator.onUpdate = { [log] in log.append("update \($0.coordinate.latitude)") }
        coordinator.onFailure = { [log] in log.append("failure \($0.code)") }
        coordinator.onStateChange = { [log] in log.append("state \($0.reason.code)") }
        coordinator.onAuthorizationChange = { [log] in log.append("authorization \($0.rawValue)") }
        return coordinator
    }

    @Test func `callbacks for positions, failures, states and authorization are called in order`() async throws {
        let source = ScriptedLocationSource(
            [
                .searching(.noDevice), .authorization(.authorized), .location(1, 1), .location(2, 2),
                .error(.daemon(message: "no")), .notice(.message("hello")), .location(3, 3),
            ], clock: clock)
        let coordinator = coordinator(source)
        coordinator.start()
        let events = try await log.wait(for: "the last position") { $0.contains("update 3.0") }
        #expect(
            events == [
                "state noDevice", "authorization authorized", "state fix", "update 1.0", "update 2.0", "state daemon",
                "failure daemon", "state fix", "update 3.0",
            ])
        #expect(coordinator.authorization == .authorized)
        coordinator.stop()
    }

    @Test func `the judgement of a receiver is a callback, before the position that caused it`() async throws {
        let source = ScriptedLocationSource(
            [.spoofed(at: Coordinate(latitude: 1, longitude: 1)), .end], clock: ManualClock.immediate())
        let coordinator = LocationCoordinator(source)
        coordinator.onIntegrityChange = { [log] in log.append($0.to.rawValue) }
        coordinator.start()
        // The clock gives each of some hundred seconds to all threads that are at work.
        try await log.wait(for: "an alarm", within: .seconds(100)) { $0.contains("alarm") }
        coordinator.stop()
    }

    @Test func `the events of fences come from the session of the positions`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let coordinator = LocationCoordinator(source, fences: FenceList([try .home()]))
        coordinator.onUpdate = { [log] in log.append("at \($0.coordinate.latitude)") }
        coordinator.onFenceEvent = { [log, weak coordinator] in
            log.append("\($0.kind) \(coordinator?.isInside("home") == true)")
        }
        coordinator.start()
        try await source.untilRunning()
        source.forceLocation(0, 0)
        try await log.wait(for: "the position") { $0 == ["inside true", "at 0.0"] }
        source.forceLocation(1, 0)
        try await log.wait(for: "the exit") { $0.suffix(2) == ["exit false", "at 1.0"] }
        #expect(source.calls == [.started(.everything)] && coordinator.lastFenceEvent?.kind == .exit)
        coordinator.stop()
        #expect(coordinator.isInside("home") == nil && coordinator.lastFenceEvent == nil)
    }

    @Test func `the request reaches the source, and starting twice starts one session`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let request = LocationRequest(accuracy: 10, device: "/dev/a")
        let coordinator = LocationCoordinator(source, for: request)
        coordinator.start()
        coordinator.start()
        try await source.untilRunning()
        coordinator.stop()
        try await source.untilRunning(0)
        #expect(source.calls == [.started(request), .stopped])
    }

    /// An actor that creates a coordinator, and reads it in its callbacks.
    private actor Follower {
        private(set) var latitudes: [Double] = []
        private var coordinator: LocationCoordinator?

        func follow(_ source: ScriptedLocationSource) {
            let coordinator = LocationCoordinator(source)
            coordinator.onUpdate = { [unowned self] location in
                preconditionIsolated()
                if self.coordinator?.location == location { latitudes.append(location.coordinate.latitude) }
            }
            coordinator.start()
            self.coordinator = coordinator
        }

        func current() async throws -> Double? { try await coordinator?.current().coordinate.latitude }

        func stop() { coordinator?.stop() }
    }

    @Test func `a coordinator of an actor is used on that actor`() async throws {
        let source = ScriptedLocationSource([.location(1, 1), .location(2, 2)], clock: clock)
        let follower = Follower()
        await follower.follow(source)
        try await eventually("both positions", is: [1, 2]) { await follower.latitudes }
        #expect(try await follower.current() == 2)
        await follower.stop()
        try await source.untilRunning(0)
        #expect(source.calls == [.started(.everything), .stopped])
    }

    /// A model whose coordinator is the initial value of a property.
    @MainActor private final class Model {
        let coordinator = LocationCoordinator(
            ScriptedLocationSource([.location(1, 1)], clock: ManualClock()), isolation: MainActor.shared)
    }

    @Test func `the initial value of a property can be a coordinator that names its actor`() async throws {
        let model = Model()
        model.coordinator.onUpdate = { [log] _ in
            MainActor.preconditionIsolated()
            log.append("update")
        }
        model.coordinator.start()
        try await log.wait(for: "the position") { $0 == ["update"] }
        model.coordinator.stop()
    }

    // MARK: Beginning and end

    @Test func `after stop no callback is called, 300 times`() async throws {
        var (calls, late) = (0, 0)
        for round in 0..<300 {
            let source = ScriptedLocationSource(clock: clock)
            let coordinator = LocationCoordinator(source)
            var hasStopped = false
            let count = {
                calls += 1
                if hasStopped { late += 1 }
            }
            coordinator.onUpdate = { _ in count() }
            coordinator.onStateChange = { _ in count() }
            coordinator.onFailure = { _ in count() }
            coordinator.start()
            coordinator.requestCurrent()
            source.forceLocation(1, 1)
            for _ in 0..<round % 7 { await Task.yield() }
            source.forceLocation(2, 1)
            source.forceError(.daemon(message: "no"))
            for _ in 0..<round % 5 { await Task.yield() }
            coordinator.stop()
            hasStopped = true
            for _ in 0..<20 { await Task.yield() }
            try await source.untilRunning(0)
        }
        #expect(calls > 100 && late == 0)
    }

    @Test func `stop can be called from within a callback, which is then the last one`() async throws {
        let source = ScriptedLocationSource([.location(1, 1), .location(2, 2)], clock: clock)
        let coordinator = coordinator(source)
        coordinator.onStateChange = { [weak coordinator, log] in
            coordinator?.stop()
            log.append("state \($0.reason.code)")
        }
        coordinator.onAuthorizationChange = nil
        coordinator.requestCurrent(accuracy: 1)
        coordinator.start()
        try await source.untilCalled(.stopped)
        try await source.untilRunning(0)
        for _ in 0..<20 { await Task.yield() }
        #expect(log.events == ["state fix"])
    }

    @Test func `a coordinator can be started again from within a callback`() async throws {
        let source = ScriptedLocationSource(sessions: [[.location(1, 1)], [.location(2, 2)]], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.onUpdate = { [weak coordinator, log] in
            if log.events.isEmpty {
                coordinator?.stop()
                coordinator?.start()
            }
            log.append("update \($0.coordinate.latitude)")
        }
        coordinator.start()
        try await log.wait(for: "the position of the second session") { $0 == ["update 1.0", "update 2.0"] }
        coordinator.stop()
    }

    @Test func `two coordinators stop each other in callbacks`() async throws {
        let source = ScriptedLocationSource([.location(1, 1)], clock: clock)
        let coordinators = (0..<2).map { _ in LocationCoordinator(source) }
        for (coordinator, other) in zip(coordinators, coordinators.reversed()) {
            coordinator.onUpdate = { [log, weak coordinator, weak other] _ in
                other?.stop()
                coordinator?.stop()
                log.append("stopped")
            }
        }
        for coordinator in coordinators { coordinator.start() }
        try await log.wait(for: "the first callback") { !$0.isEmpty }
        for _ in 0..<20 { await Task.yield() }
        try await source.untilRunning(0)
        #expect(log.events == ["stopped"])
    }

    /// A provider that calls a closure when it is asked for updates, on the main actor as its coordinator does.
    private final class CallingProvider: LocationProvider {
        let source: ScriptedLocationSource
        let onRequest = Mutex<(@MainActor @Sendable () -> Void)?>(nil)

        init(_ source: ScriptedLocationSource) { self.source = source }

        func updates(for request: LocationRequest) -> LocationUpdates {
            if let call = onRequest.withLock({ $0 }) { MainActor.assumeIsolated { call() } }
            return source.updates(for: request)
        }
    }

    @Test func `a provider may read its coordinator while it is asked for updates`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let provider = CallingProvider(source)
        let coordinator = LocationCoordinator(provider)
        provider.onRequest.withLock {
            $0 = { [log, weak coordinator] in
                guard let coordinator else { return }
                let isStarting = coordinator.state == .searching(.starting) && coordinator.isRunning
                log.append("\(isStarting ? "starting" : "?") \(coordinator.request.device ?? "any")")
            }
        }
        coordinator.start()
        try await source.untilRunning()
        coordinator.request = LocationRequest(device: "/dev/a")
        try await source.untilCalled(.started(LocationRequest(device: "/dev/a")))
        #expect(log.events == ["starting any", "starting /dev/a"])
        coordinator.stop()
        try await source.untilRunning(0)
    }

    @Test func `a session that is stopped while its provider is asked for updates does not begin`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let provider = CallingProvider(source)
        let coordinator = LocationCoordinator(provider)
        provider.onRequest.withLock { $0 = { [weak coordinator] in coordinator?.stop() } }
        coordinator.start()
        coordinator.requestCurrent()
        #expect(!coordinator.isRunning && coordinator.state == .searching(.starting))
        await #expect(throws: LocationError.cancelled) { try await coordinator.current() }
        await #expect(throws: LocationError.cancelled) { try await coordinator.requestAuthorization() }
        for _ in 0..<100 { await Task.yield() }
        #expect(source.calls.isEmpty)
        provider.onRequest.withLock { $0 = nil }
        coordinator.start()
        try await source.untilRunning()
        coordinator.stop()
    }

    // MARK: Release

    /// An object that stops a coordinator as it ends.
    private final class Owner {
        let coordinator: LocationCoordinator
        private let log: EventLog<String>

        init(_ coordinator: LocationCoordinator, _ log: EventLog<String>) {
            (self.coordinator, self.log) = (coordinator, log)
        }

        deinit {
            coordinator.stop()
            log.append("released")
        }
    }

    @Test(arguments: [true, false])
    func `what a callback captures may stop the coordinator as it is released`(isWithin: Bool) async throws {
        let coordinator = LocationCoordinator(ScriptedLocationSource([.location(1, 1)], clock: clock))
        coordinator.onUpdate = { [owner = Owner(coordinator, log)] _ in owner.coordinator.onUpdate = nil }
        if isWithin { coordinator.start() } else { coordinator.onUpdate = nil }
        try await log.wait(for: "the release") { $0 == ["released"] }
    }

    @Test func `releasing a running coordinator stops its sessions, and releases its provider`() async throws {
        var source: ScriptedLocationSource? = ScriptedLocationSource([.location(1, 1)], clock: clock)
        var coordinator: LocationCoordinator? = source.map { self.coordinator($0) }
        weak let remainingSource = source
        weak let remains = coordinator
        coordinator?.start()
        coordinator?.requestCurrent(accuracy: 1, clock: clock)
        coordinator?.requestAuthorization { _ in }
        try await log.wait(for: "the position") { $0.contains("update 1.0") }
        coordinator = nil
        #expect(remains == nil)
        try await source?.untilRunning(0)
        source = nil
        try await eventually("the provider is gone", is: true) { remainingSource == nil }
        try await eventually("nothing waits on the clock", is: true) { clock.deadlines.isEmpty }
    }
}
