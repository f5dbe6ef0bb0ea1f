import LocationCore
import LocationObservation
import LocationTesting
import Testing

@testable import trip

@MainActor struct TripTests {
    private let clock = ManualClock()

    /// Starts a trip and advances the clock until its end.
    private func trip(_ script: [ScriptStep]) async throws -> Trip {
        let trip = Trip(ScriptedLocationSource(script, clock: clock), clock: clock)
        trip.start()
        try await clock.advance(until: "the end of the trip") { !trip.isRunning }
        return trip
    }

    @Test func `a trip ends after three minutes of standing still`() async throws {
        let (start, end) = (Coordinate(latitude: 52.5, longitude: 13.4), Coordinate(latitude: 52.501, longitude: 13.4))
        let trip = try await trip([
            .route([start, end], speed: 10),
            .randomWalk(from: end, steps: 300, every: .seconds(1), stride: 0.01, seed: 1),
        ])
        #expect(trip.ending == .stoodStill)
        #expect(abs(trip.length - 111) < 20)
        #expect(clock.now.elapsed > .seconds(180) && clock.now.elapsed < .seconds(200))
    }

    @Test func `a machine that is never found ends the trip after ten minutes`() async throws {
        #expect(try await trip([.searching(.noDevice)]).ending == .lost)
        #expect(clock.now.elapsed == .seconds(600))
    }

    @Test(arguments: LocationError.samples)
    func `an error that ends the session ends the trip`(error: LocationError) async throws {
        #expect(try await trip([.endThrowing(error)]).ending == .failed(error.description))
    }

    @Test func `a coordinator of the same source shows the position`() async throws {
        let model = LocationCoordinator(ScriptedLocationSource([.location(52.5, 13.4)], clock: clock))
        model.start()
        try await eventually("the position") {
            model.location
        } is: {
            $0?.coordinate.latitude == 52.5
        }
        model.stop()
    }
}
