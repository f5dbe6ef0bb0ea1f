import LocationCore
import LocationTesting
import Testing

@MainActor final class CompassModel {
    private(set) var heading = "–"
    private(set) var problem: String?
    private let coordinator: LocationCoordinator

    init(_ provider: some LocationProvider) {
        coordinator = LocationCoordinator(
            provider, for: LocationRequest(minimumInterval: .seconds(1)), on: MainActor.shared)
        coordinator.onUpdate = { [weak self] location in MainActor.assumeIsolated { self?.show(location) } }
        coordinator.onStateChange = { [weak self] change in MainActor.assumeIsolated { self?.show(change.to) } }
    }

    private func show(_ location: Location) {
        heading = location.course.map { "\(Int($0.rounded()))°" } ?? "–"
    }

    private func show(_ state: LocationState) {
        switch state {
        case .found: problem = nil
        case .searching(let reason): problem = reason.description
        case .error(let error): problem = error.description
        }
    }

    func appear() { coordinator.start() }

    func disappear() { coordinator.stop() }
}

@MainActor @Test func `the compass shows the course, and why there is none`() async throws {
    let source = ScriptedLocationSource(clock: ManualClock())
    let compass = CompassModel(source)
    compass.appear()

    var location = Location(coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777), timestamp: .testEpoch)
    location.course = 92.4
    source.forceLocation(location)
    try await eventually("the heading") {
        compass.heading
    } is: {
        $0 == "92°"
    }

    source.forceSearching(.noFix(seen: 3, used: 0, best: 20))
    try await eventually("the problem") {
        compass.problem
    } is: {
        $0 == "no fix, 3 satellites seen, 0 used, best signal 20 dB-Hz"
    }
    compass.disappear()
    try await source.untilRunning(0)
}

extension LocationCoordinator {
    func restartAfterErrors(pause: Duration, clock: any Clock<Duration>) {
        onFailure = { [weak self] _ in
            guard self?.isRunning == false else { return }
            Task { [weak self] in
                try? await clock.sleep(for: pause)
                self?.start()
            }
        }
    }
}

extension LocationCoordinator {
    func warnOfDeception(_ warn: @escaping @Sendable (String) -> Void) {
        onIntegrityChange = { change in
            if change.to == .alarm { warn("do not rely on the position: the receiver \(change.message)") }
        }
    }
}

extension LocationCoordinator {
    func saveEnergy(_ isSaving: Bool) {
        request.minimumInterval = isSaving ? .seconds(30) : .seconds(1)
    }
}

@Suite struct ReceivingCallbacksTests {
    @Test func `a deception is noticed before its first position`() async throws {
        let clock = ManualClock()
        let harbour = Coordinate(latitude: 54.1821, longitude: 7.8894)
        let source = ScriptedLocationSource([.spoofed(at: harbour, after: 30), .end], clock: clock)
        let coordinator = LocationCoordinator(source)
        let log = EventLog<String>()
        coordinator.onUpdate = { log.append("\($0.coordinate.distance(to: harbour) < 500)") }
        coordinator.warnOfDeception { log.append($0) }
        coordinator.start()
        let warned = Task { try await log.wait(for: "the warning") { $0.contains { $0.hasPrefix("do not rely") } } }
        let events = try await clock.advance(untilEndOf: warned)
        #expect(events.filter { $0.hasPrefix("do not rely") }.count == 1)
        #expect(events.prefix { $0 == "true" }.count >= 29)
        coordinator.stop()
    }

    @MainActor @Test func `a session that has failed is started again after a pause`() async throws {
        let clock = ManualClock()
        let source = ScriptedLocationSource(
            sessions: [[.endThrowing(.daemon(message: "no"))], [.location(1, 2)]], clock: ManualClock())
        let coordinator = LocationCoordinator(source, on: MainActor.shared)
        coordinator.restartAfterErrors(pause: .seconds(10), clock: clock)
        coordinator.start()
        try await clock.untilSleeping()
        #expect(!coordinator.isRunning && coordinator.state == .error(.daemon(message: "no")))
        clock.advance(by: .seconds(10))
        try await eventually("the position") {
            coordinator.state.location?.coordinate.latitude
        } is: {
            $0 == 1
        }
        coordinator.stop()
    }
}

extension LocationCoordinator {
    func findOnce() { requestLocation(accuracy: 50, within: .seconds(30)) }
}
