import LocationCore
import LocationObservation
import LocationTesting
import Testing

/// Tests of what a session of several receivers, or with a demanding request, shows as the current position.
@MainActor @Suite struct CurrentPositionTests {
    private let clock = ManualClock()
    private let source: ScriptedLocationSource
    private let log = EventLog<String>()
    private let a = "/dev/a"
    private let b = "/dev/b"

    init() { source = ScriptedLocationSource(clock: clock) }

    /// Emits a position of a receiver, dated now.
    private func report(
        _ device: String, accuracy: Double?, latitude: Double = 0, _ change: (inout Location) -> Void = { _ in }
    ) {
        var location = Location(
            coordinate: Coordinate(latitude: latitude, longitude: 0),
            timestamp: .testEpoch.advanced(by: clock.now.elapsed), device: device, horizontalAccuracy: accuracy)
        change(&location)
        source.forceLocation(location)
    }

    private func coordinator(_ request: LocationRequest = .everything) -> LocationCoordinator {
        let coordinator = LocationCoordinator(source, for: request, staleAfter: .seconds(3))
        coordinator.onUpdate = { [log] in log.append("\($0.device ?? "-") ±\($0.horizontalAccuracy ?? -1)") }
        coordinator.onStateChange = { [log] in log.append($0.reason.code) }
        coordinator.onFailure = { [log] in log.append($0.code) }
        return coordinator
    }

    /// Emits a failure, after which everything before it has been delivered, and returns what was delivered.
    private func delivered() async throws -> [String] {
        source.forceError(.daemon(message: "the end of the test"))
        return try await log.wait(for: "the failure") { $0.count { $0 == "daemon" } == 2 }.dropLast(2)
    }

    @Test func `a current receiver that falls silent is replaced in the state and in what is delivered`() async throws {
        let coordinator = coordinator()
        coordinator.start()
        try await source.untilRunning()
        for second in 0..<6 {
            if second < 2 { report(a, accuracy: 3) }
            report(b, accuracy: 300, latitude: 0.036)
            clock.advance(by: .seconds(1))
        }
        // The last position of `a` is from 1 s, so it is stale at 4 s.
        let expected = ["fix", "/dev/a ±3.0", "/dev/a ±3.0", "/dev/b ±300.0", "/dev/b ±300.0"]
        #expect(try await log.wait(for: "the other receiver") { $0.count == 5 } == expected)
        #expect(coordinator.state.location?.device == b && coordinator.view.devices == [a, b])
        #expect(coordinator.view[a]?.state == .searching(.silent(for: .seconds(3))))
        #expect(coordinator.view[a]?.lastLocation?.horizontalAccuracy == 3)
        coordinator.stop()
    }

    @Test func `a late position is never current`() async throws {
        let coordinator = coordinator()
        coordinator.start()
        try await source.untilRunning()
        report(a, accuracy: 3)
        clock.advance(by: .seconds(1))
        report(a, accuracy: 1, latitude: 0.5) { $0.isLate = true }
        #expect(try await delivered() == ["fix", "/dev/a ±3.0"])
        #expect(coordinator.lastLocation?.coordinate.latitude == 0)
        #expect(coordinator.view[a]?.lastLocation?.coordinate.latitude == 0)
        coordinator.stop()
    }

    /// The requests that a position of ±50 m, an age of 20 s and two dimensions does not meet.
    private nonisolated static let demanding = [
        LocationRequest(accuracy: 10), LocationRequest(maxAge: .seconds(5)), LocationRequest(fix: .threeD),
    ]

    private func reportUnsuitable() {
        report(a, accuracy: 50, latitude: 1) {
            $0.fix = .twoD
            $0.timestamp = .testEpoch.advanced(by: clock.now.elapsed - .seconds(20))
        }
    }

    @Test(arguments: demanding)
    func `a position that a request does not admit is neither shown nor delivered`(
        request: LocationRequest
    ) async throws {
        let coordinator = coordinator(request)
        coordinator.start()
        try await source.untilRunning()
        reportUnsuitable()
        try await log.wait(for: "the state") { $0 == ["unsuitable"] }
        #expect(coordinator.state == .searching(.unsuitable) && coordinator.lastLocation == nil)
        #expect(coordinator.view[a]?.lastLocation?.coordinate.latitude == 1)
        report(a, accuracy: 3)
        try await log.wait(for: "the good position") { $0 == ["unsuitable", "fix", "/dev/a ±3.0"] }
        for _ in 0..<5 {
            clock.advance(by: .seconds(1))
            reportUnsuitable()
        }
        try await log.wait(for: "the loss") { $0 == ["unsuitable", "fix", "/dev/a ±3.0", "unsuitable"] }
        #expect(coordinator.state == .searching(.unsuitable) && coordinator.lastLocation?.coordinate.latitude == 0)
        coordinator.stop()
    }

    @Test(arguments: [LocationRequest(distanceFilter: 100), LocationRequest(minimumInterval: .seconds(60))])
    func `a filter of distance or of time withholds positions without a change of state`(
        request: LocationRequest
    ) async throws {
        let recorders = [
            LocationRecorder(source, for: request, staleAfter: .seconds(3)),
            LocationRecorder(source.filtered(by: request), staleAfter: .seconds(3)),
        ]
        let coordinator = coordinator(request)
        coordinator.start()
        try await source.untilRunning(3)
        report(a, accuracy: 3)
        for second in 1...10 {
            clock.advance(by: .seconds(1))
            report(a, accuracy: 4, latitude: 0.00001 * Double(second))
            // The changes of another receiver do not show the withheld position either.
            if second.isMultiple(of: 5) { source.forceSearching(.noFix(seen: 1, used: 0, best: nil), device: b) }
            if second == 7 { report(b, accuracy: 300) }
        }
        for recorder in recorders {
            let recording = try await recorder.wait(for: "the reports") { $0.updates.count == 4 }
            #expect(recording.locations.map(\.horizontalAccuracy) == [3, 300])
            #expect(recording.standings == [.current, .current, .other, .current])
            #expect(recording.states.count == 2, "standing still is not silence")
        }
        try await eventually("the other receiver's search", is: .searching(.noFix(seen: 1, used: 0, best: nil))) {
            coordinator.view[b]?.state
        }
        #expect(coordinator.state.location?.horizontalAccuracy == 3)
        #expect(try await delivered() == ["fix", "/dev/a ±3.0"])
        coordinator.stop()
    }
}
