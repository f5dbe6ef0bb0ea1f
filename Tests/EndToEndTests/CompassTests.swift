import GPSDSimulation
import LocationCore
import LocationGPSD
import LocationTesting
import TestSupport
import Testing

/// Tests of a simulated compass whose sentences a real gpsd reads.
///
/// gpsd 3.22 makes an `ATT` of HDT only, and not of that of a gyrocompass ($HEHDT), which it drops; it takes HDG for the course from magnetic north, and its variation for that of the place.
@Suite(.serialized, .withFew) struct CompassTests {
    private func recorder(_ scenario: ReceiverScenario) throws -> (LoopbackGPSD, LocationRecorder) {
        let daemon = try LoopbackGPSD(scenario)
        return (daemon, LocationRecorder(GPSDLocationSource(GPSDEndpoint(port: "\(daemon.port)"))))
    }

    @Test func `a position has the heading of the compass of its receiver, which is not its course`() async throws {
        let (daemon, recorder) = try recorder(.compass)
        let session = try await recorder.wait(for: "positions with a heading", within: .seconds(90)) {
            $0.locations.count { $0.heading != nil && $0.course != nil } >= 5
        }
        for location in session.locations {
            guard let heading = location.heading, let course = location.course else { continue }
            let leeway = Location.turned(heading, by: -course)
            // The course of a report can be that of the epoch before, at most a corner of the route away.
            #expect(4...20 ~= leeway, "\(location)")
            let variation = try #require(location.magneticVariation)
            let magnetic = try #require(location.headingMagnetic)
            #expect(abs(Location.turned(heading, by: -variation) - magnetic) < 0.02, "\(location)")
        }
        // After the first epochs each position waits for its heading.
        #expect(session.locations.suffix(3).allSatisfy { $0.heading != nil })
        recorder.stop()
        daemon.stop()
    }

    @Test func `a compass without a position reports its attitude by itself`() async throws {
        var scenario = ReceiverScenario.compass
        scenario.stages = [ReceiverScenario.Stage(.dark)]
        let (daemon, recorder) = try recorder(scenario)
        let session = try await recorder.wait(for: "attitudes", within: .seconds(90)) {
            $0.updates.count { if case .attitude = $0.event { true } else { false } } >= 3
        }
        #expect(session.locations.isEmpty)
        recorder.stop()
        daemon.stop()
    }
}
