import LocationTesting
import LocwatchSupport
import TestSupport
import Testing

@testable import LocationCore

@Suite struct MergedProviderTests {
    private static let lost = LocationError.connectionLost(host: "pi.local", port: 2947, cause: "reset by peer")
    private let clock = ManualClock()

    /// Returns a script with a position of an accuracy each second.
    private func script(_ latitude: Double, _ accuracy: Double, seconds: Int) -> [ScriptStep] {
        (0..<seconds).flatMap { _ in
            [ScriptStep.location(latitude, 1, accuracy: accuracy), .wait(.seconds(1))]
        }
    }

    private func session(
        _ first: [ScriptStep], _ second: [ScriptStep], for request: LocationRequest = .everything
    ) async throws -> RecordedSession {
        let merged = ScriptedLocationSource(first, clock: clock)
            .merged(with: ScriptedLocationSource(second, clock: clock), clock: clock)
        let recorder = LocationRecorder(merged, for: request)
        let end = Task { try await recorder.untilEnded() }
        return try await clock.advance(untilEndOf: end)
    }

    @Test func `the receiver that is clearly better for ten seconds becomes the current one`() async throws {
        let coarse = script(1, 20, seconds: 30) + [.end]
        let fine = [ScriptStep.wait(.milliseconds(4500))] + script(2, 5, seconds: 20) + [.end]
        let session = try await session(coarse, fine)
        #expect(session.handovers.map(\.to) == ["source 2", "source 1"])
        #expect(Set(session.locations.compactMap(\.device)) == ["source 1", "source 2"])
    }

    @Test func `a receiver that loses its position is replaced at once`()
        async throws
    {
        let lost = script(1, 5, seconds: 5) + [.searching(.noDevice), .wait(.seconds(10)), .end]
        let other = [ScriptStep.wait(.milliseconds(500))] + script(2, 20, seconds: 20) + [.end]
        let session = try await session(lost, other)
        #expect(session.handovers.map(\.to) == ["source 2"])
        #expect(session.states.count { $0.location == nil } == 1)
    }

    @Test func `the request of a session applies to the merged positions`() async throws {
        let session = try await session(
            script(1, 20, seconds: 3) + [.end], script(2, 5, seconds: 3) + [.end],
            for: LocationRequest(accuracy: 10))
        #expect(Set(session.locations.map(\.coordinate.latitude)) == [2])
    }

    @Test func `a session ends with its last provider, and throws if all have failed`() async throws {
        let one = try await session([.endThrowing(Self.lost)], script(2, 5, seconds: 2) + [.end])
        #expect(one.ending == .ended && one.locations.count == 2)
        #expect(one.failures.isEmpty)
        let both = try await session(
            [.endThrowing(Self.lost)], [.wait(.seconds(1)), .endThrowing(.locationUnknown)])
        #expect(both.ending == .threw(.locationUnknown))
    }

    static let conformance = LocationProviderConformance("two merged sources") {
        let clock = ManualClock()
        let (first, second) = (ScriptedLocationSource(clock: clock), ScriptedLocationSource([.hang], clock: clock))
        return ConformanceSubject(
            first.merged(with: second, clock: clock), emit: { first.forceLocation(1, 1) },
            end: {
                first.end()
                second.end()
            },
            fail: {
                first.end(throwing: lost)
                second.end(throwing: lost)
                return lost
            },
            // Both have a session for each of the merged one.
            runningSessions: {
                let (one, other) = (first.runningSessions, second.runningSessions)
                return one == other ? one : -1
            }, clock: clock)
    }

    @Test(arguments: conformance.checks)
    func `a merged provider is a proper one`(check: LocationProviderConformance.Check) async throws {
        try await check.run()
    }

    // MARK: The rules

    @Test func `receivers of one name get different names, and keep them`() {
        var events = MergedEvents(count: 2)
        func name(_ device: String?, _ place: Int) -> String? {
            events.events(of: .location(Location(coordinate: Sample.gate.coordinate, device: device)), from: place)
                .first?.device
        }
        #expect(name("/dev/a", 0) == "/dev/a" && name("/dev/a", 1) == "/dev/a (source 2)")
        #expect(name(nil, 0) == "source 1" && name(nil, 1) == "source 2")
        #expect(name("/dev/a", 1) == "/dev/a (source 2)" && name("/dev/a", 0) == "/dev/a")
        #expect(name("source 2", 0) == "source 2 (source 1)")
    }

    @Test func `a failure of one provider is a notice, and of all a failure, until one has a position`() {
        var events = MergedEvents(count: 2)
        _ = events.events(of: .location(Sample.gate), from: 0)
        let one = events.events(of: .failure(Self.lost), from: 0)
        #expect(one.map(\.name) == ["notice", "searching"] && one.last?.device == "source 1")
        #expect(events.events(of: .failure(Self.lost), from: 1) == [.failure(Self.lost)])
        _ = events.events(of: .location(Sample.gate), from: 1)
        #expect(events.events(of: .failure(Self.lost), from: 0).first?.name == "notice")
    }

    @Test func `the events of a provider without a receiver concern its receivers only`() {
        var events = MergedEvents(count: 2)
        #expect(events.events(of: .searching(.noDevice), from: 1) == [.searching(.noDevice, device: "source 2")])
        for device in ["a", "b"] {
            _ = events.events(of: .device(DeviceStatus(path: device)), from: 0)
        }
        #expect(events.events(of: .searching(.noDevice), from: 0).compactMap(\.device) == ["a", "b"])
        #expect(events.events(of: .authorization(.authorized), from: 0) == [.authorization(.authorized)])
        #expect(events.events(of: .authorization(.denied), from: 1) == [])
    }
}
