import LocationCore
import LocationTesting
import TestSupport
import Testing

/// Counts the late calls on the main actor; a test sets `hasStopped` right after `stop()` returned.
@MainActor private final class Counter {
    var lateCount = 0
    var hasStopped = false

    func increment() {
        if hasStopped { lateCount += 1 }
    }
}

@Suite(.serialized, .alone) struct CoordinatorOnActorTests {
    private let clock = ManualClock()

    @MainActor @Test func `no callback on the main actor begins after stop has returned`() async throws {
        for round in 0..<200 {
            let source = ScriptedLocationSource(clock: clock)
            let coordinator = LocationCoordinator(source, on: MainActor.shared)
            let counter = Counter()
            coordinator.onUpdate = { _ in MainActor.assumeIsolated { counter.increment() } }
            coordinator.onStateChange = { _ in MainActor.assumeIsolated { counter.increment() } }
            coordinator.start()
            source.forceLocation(1, 1)
            for _ in 0..<round % 7 { await Task.yield() }
            source.forceLocation(1, 1)
            coordinator.stop()
            counter.hasStopped = true
            for _ in 0..<20 { await Task.yield() }
            try await source.untilRunning(0)
            #expect(counter.lateCount == 0)
        }
    }

    @Test func `callbacks run on the actor that was given`() async throws {
        actor Follower { var latitudes: [Double] = [] }
        let follower = Follower()
        let source = ScriptedLocationSource([.location(1, 1), .location(2, 2)], clock: clock)
        let coordinator = LocationCoordinator(source, on: follower)
        coordinator.onUpdate = { location in
            follower.assumeIsolated { $0.latitudes.append(location.coordinate.latitude) }
        }
        coordinator.start()
        try await eventually("both positions", is: [1, 2]) { await follower.latitudes }
        coordinator.stop()
    }

    @MainActor @Test func `one position can be awaited on the main actor`() async throws {
        let coordinator = LocationCoordinator(
            ScriptedLocationSource([.authorization(.authorized), .location(3, 4)], clock: clock), on: MainActor.shared)
        #expect(try await coordinator.current().coordinate == Coordinate(latitude: 3, longitude: 4))
        #expect(try await coordinator.requestAuthorization() == .authorized)
        let log = EventLog<Double>()
        coordinator.onUpdate = { location in
            MainActor.preconditionIsolated()
            log.append(location.coordinate.latitude)
        }
        coordinator.requestCurrent()
        try await log.wait(for: "the position") { $0 == [3] }
    }
}
