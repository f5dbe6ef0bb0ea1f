import LocationCore
import LocationObservation
import LocationTesting
import Observation
import Testing

/// Waits until a value is the expected one.
@MainActor func expect<Value: Equatable & Sendable>(
    _ value: @autoclosure () -> Value, toBecome expected: Value, _ name: String, line: Int = #line
) async throws {
    try await eventually(name, line: line, { value() }, is: { $0 == expected })
}

/// Tests of what a model shows when its sessions end or change, and when several receivers report.
@MainActor @Suite struct LocationModelSessionTests {
    private let clock = ManualClock()
    private let lost = LocationError.connectionLost(host: "localhost", port: 2947, cause: "reset")

    /// Emits a position of a receiver, dated now.
    private func report(_ source: ScriptedLocationSource, _ device: String, accuracy: Double, latitude: Double = 0) {
        source.forceLocation(
            Location(
                coordinate: Coordinate(latitude: latitude, longitude: 0),
                timestamp: .testEpoch.advanced(by: clock.now.elapsed), device: device, horizontalAccuracy: accuracy))
    }

    @Test func `a model says when its position is not to be believed`() async throws {
        let harbour = Coordinate(latitude: 54.1821, longitude: 7.8894)
        let source = ScriptedLocationSource([.spoofed(at: harbour, after: 30)], clock: clock)
        let model = LocationModel(source)
        model.start()
        #expect(model.verdict == .nominal && !model.isStationary)
        for second in 0..<40 {
            try await clock.untilSleeping(second == 0 ? 1 : 2)
            clock.advance(by: .seconds(1))
        }
        try await expect(model.verdict, toBecome: .alarm, "the alarm")
        #expect(model.location != nil)
        model.stop()
        #expect(model.verdict == .nominal)
    }

    /// Returns whether observers of a value are notified when `change` happens.
    private func isNotified(of value: @escaping () -> Void, by change: () throws -> Void) async throws {
        let log = EventLog<Bool>()
        withObservationTracking(value) { log.append(true) }
        try change()
        try await log.wait(for: "the notification") { $0 == [true] }
    }

    @Test func `observers are notified of each change, also of the receiver and of the end of a session`() async throws
    {
        let source = ScriptedLocationSource(clock: clock)
        let model = LocationModel(source)
        try await isNotified(of: { _ = model.isRunning }, by: { model.start() })
        try await source.untilRunning()
        try await isNotified(of: { _ = model.location }, by: { report(source, "/dev/a", accuracy: 3) })
        try await isNotified(of: { _ = model.location }, by: { model.request.device = "/dev/b" })
        #expect(model.location == nil && model.lastLocation == nil && model.state == .searching(.starting))
        #expect(model.isRunning && model.view.devices.isEmpty)
        try await source.untilCalled(.started(LocationRequest(device: "/dev/b")))
        try await source.untilRunning(1)
        try await isNotified(of: { _ = model.view }, by: { source.forceSatellites(SkyView(satellites: [])) })
        try await isNotified(of: { _ = model.authorization }, by: { source.forceAuthorization(.denied) })
        try await isNotified(of: { _ = model.errorText }, by: { source.forceError(lost) })
        try await isNotified(of: { _ = model.request }, by: { model.request.accuracy = 5 })
        try await expect(model.errorText, toBecome: lost.description, "the failure")
        try await isNotified(of: { _ = model.isRunning }, by: { source.end() })
        try await expect(model.isRunning, toBecome: false, "the end")
        try await isNotified(of: { _ = model.isRunning }, by: { model.start() })
        try await source.untilRunning()
        try await isNotified(of: { _ = model.state }, by: { source.end(throwing: lost) })
        try await expect(model.state, toBecome: .error(lost), "the error")
        try await isNotified(of: { _ = model.state }, by: { model.stop() })
        #expect(model.state == .searching(.starting) && model.searchText == nil)
    }

    @Test func `observers of a text or of a fence are not notified of positions that do not change it`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let home = try Fence(name: "home", shape: .circle(center: Coordinate(latitude: 0, longitude: 0), radius: 500))
        let model = LocationModel(source, fences: FenceList([home]))
        let log = EventLog<String>()
        model.start()
        try await source.untilRunning()
        #expect(model.isInside("home") == nil && model.searchText == "starting")
        report(source, "/dev/a", accuracy: 3)
        try await expect(model.accuracy, toBecome: 3, "the position")
        try await clock.untilSleeping()
        clock.advance(by: .milliseconds(300))
        try await expect(model.isInside("home"), toBecome: true, "the fence")

        func note(_ name: String, _ value: () -> Void) { withObservationTracking(value) { log.append(name) } }
        note("search") { _ = model.searchText }
        note("error") { _ = model.errorText }
        note("fence") { _ = model.isInside("home") }
        note("accuracy") { _ = model.accuracy }
        note("running") { _ = model.isRunning }
        clock.advance(by: .seconds(1))
        report(source, "/dev/a", accuracy: 3, latitude: 0.0001)
        try await expect(model.location?.coordinate.latitude, toBecome: 0.0001, "the next position")
        #expect(log.events == [])

        clock.advance(by: .seconds(1))
        report(source, "/dev/a", accuracy: 4, latitude: 1)
        try await log.wait(for: "the exit") { $0 == ["accuracy", "fence"] }
        source.forceSearching(.noFix(seen: 3, used: 0, best: nil), device: "/dev/a")
        try await log.wait(for: "the search") { $0 == ["accuracy", "fence", "search"] }
        model.stop()
        #expect(log.events.last == "running" && model.isInside("home") == nil)
    }
}
