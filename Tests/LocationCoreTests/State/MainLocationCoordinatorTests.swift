import LocationCore
import LocationTesting
import Testing

@MainActor @Suite struct MainLocationCoordinatorTests {
    private let clock = ManualClock()

    /// The state of a view, which is isolated to the main actor.
    private final class Label {
        var texts: [String] = []
    }

    @Test func `each callback runs on the main actor`() async throws {
        let home = try Fence(name: "home", shape: .circle(center: Coordinate(latitude: 1, longitude: 1), radius: 100))
        let source = ScriptedLocationSource(
            [
                .authorization(.authorized), .error(.locationUnknown), .location(1, 1), .searching(.noDevice),
            ], clock: clock)
        let (coordinator, label) = (MainLocationCoordinator(source, fences: FenceList([home])), Label())
        coordinator.onUpdate = { label.texts.append("at \($0.coordinate.latitude)") }
        coordinator.onFailure = { label.texts.append($0.code) }
        coordinator.onStateChange = { label.texts.append("now \($0.reason.code)") }
        coordinator.onFenceEvent = { label.texts.append("\($0.kind) \($0.fence)") }
        coordinator.onAuthorizationChange = { label.texts.append("\($0)") }
        coordinator.start()
        try await eventually("the callbacks") {
            label.texts
        } is: {
            Set($0).isSuperset(of: [
                "authorized", "locationUnknown", "now fix", "at 1.0", "inside home", "now noDevice",
            ])
        }
        coordinator.onUpdate = nil
        let count = label.texts.count
        source.forceLocation(2, 2)
        try await eventually("the position") {
            coordinator.coordinator.lastLocation?.coordinate.latitude
        } is: {
            $0 == 2
        }
        #expect(!label.texts.dropFirst(count).contains("at 2.0"))
        coordinator.stop()
        #expect(!coordinator.coordinator.isRunning)
    }

    @Test func `the judgement of a receiver is a callback too`() async throws {
        let source = ScriptedLocationSource(
            [.spoofed(at: Coordinate(latitude: 1, longitude: 1)), .end], clock: ManualClock.immediate())
        let (coordinator, label) = (MainLocationCoordinator(source), Label())
        coordinator.onIntegrityChange = { label.texts.append($0.to.rawValue) }
        coordinator.start()
        try await eventually("an alarm") {
            label.texts
        } is: {
            $0.contains("alarm")
        }
        coordinator.stop()
    }
}
