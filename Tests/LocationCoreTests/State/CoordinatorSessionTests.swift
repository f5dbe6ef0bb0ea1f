import LocationCore
import LocationTesting
import Synchronization
import Testing

/// Tests of the beginning and the end of a coordinator's sessions.
@Suite(.serialized) struct CoordinatorSessionTests {
    private let clock = ManualClock()
    private let log = EventLog<String>()
    private static let lost = LocationError.connectionLost(host: "localhost", port: 2947, cause: "reset")

    @Test func `the end of a session delivers its last position, after which nothing runs and none is current`()
        async throws
    {
        let source = ScriptedLocationSource([.location(Self.located("/dev/a")), .end], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.onUpdate = { [log, weak coordinator] location in
            log.append("\(location.device ?? "-") \(coordinator?.state.location == location)")
        }
        coordinator.onChange = { [log, weak coordinator] in
            if coordinator?.isRunning == false { log.append("ended") }
        }
        coordinator.start()
        try await eventually("the end", is: .searching(.starting)) { coordinator.isRunning ? nil : coordinator.state }
        #expect(coordinator.lastLocation == Self.located("/dev/a").arrived)
        #expect(coordinator.view["/dev/a"]?.state == .searching(.starting))
        #expect(coordinator.view["/dev/a"]?.lastLocation == Self.located("/dev/a").arrived)
        let events = try await log.wait(for: "the notification") { $0.contains("ended") }
        #expect(events.filter { $0 != "ended" } == ["/dev/a true"])
    }

    @Test func `after a fatal error nothing runs and the state is the error`() async throws {
        let source = ScriptedLocationSource([.location(1, 1), .endThrowing(Self.lost)], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.onFailure = { [log, weak coordinator] _ in log.append("\(coordinator?.isRunning ?? true)") }
        coordinator.start()
        try await log.wait(for: "the failure") { $0 == ["false"] }
        #expect(coordinator.state == .error(Self.lost) && coordinator.lastLocation?.coordinate.latitude == 1)
        coordinator.stop()
        #expect(coordinator.state == .searching(.starting) && !coordinator.isRunning)
        #expect(coordinator.lastLocation?.coordinate.latitude == 1)
    }

    @Test func `another receiver begins without the position of the last one`() async throws {
        let source = ScriptedLocationSource(clock: clock) { request in
            request.device == "/dev/a" ? [.location(Self.located("/dev/a"))] : []
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
        source.forceLocation(Self.located("/dev/b"))
        try await log.wait(for: "the other receiver") { $0 == ["/dev/a", "/dev/b"] }
        #expect(coordinator.view.devices == ["/dev/b"])
        coordinator.stop()
        coordinator.request.device = "/dev/c"
        #expect(!coordinator.isRunning && coordinator.lastLocation == nil)
    }

    /// A place from which a user starts again.
    enum Place: CaseIterable {
        case onFailure, onStateChange, task, mainActor
    }

    private static let tries = 200

    @Test(arguments: Place.allCases)
    func `start after a fatal error begins another session, wherever it is called`(place: Place) async throws {
        let source = ScriptedLocationSource([.location(1, 1), .endThrowing(Self.lost)], clock: clock)
        let coordinator = LocationCoordinator(source, on: place == .mainActor ? MainActor.shared : nil)
        let tries = Atomic(0)
        let retry: @Sendable () -> Void = { [log, weak coordinator] in
            guard tries.add(1, ordering: .relaxed).newValue <= Self.tries else { return log.append("done") }
            let wasRunning = coordinator?.isRunning
            coordinator?.start()
            // Within a callback the new session cannot have ended yet.
            if place != .task, wasRunning != false || coordinator?.isRunning != true { log.append("ignored") }
        }
        switch place {
        case .onFailure: coordinator.onFailure = { _ in retry() }
        case .onStateChange: coordinator.onStateChange = { if case .error = $0.to { retry() } }
        case .task: coordinator.onFailure = { _ in Task { @MainActor in retry() } }
        case .mainActor: coordinator.onFailure = { _ in MainActor.assumeIsolated { retry() } }
        }
        coordinator.start()
        try await log.wait(for: "the last try", within: .seconds(60)) { $0.contains("done") }
        #expect(log.events == ["done"])
        #expect(source.calls.count { $0 == .started(.everything) } == Self.tries + 1)
        try await source.untilRunning(0)
    }

    private static func located(_ device: String) -> Location {
        Location(
            coordinate: Coordinate(latitude: 1, longitude: 1), timestamp: .testEpoch, device: device,
            horizontalAccuracy: 5)
    }
}
