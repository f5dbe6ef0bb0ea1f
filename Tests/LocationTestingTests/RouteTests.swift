import LocationCore
import LocationTesting
import TestSupport
import Testing

@Suite struct RouteTests {
    private let clock = ManualClock()
    private static let start = Coordinate(latitude: 0, longitude: 0)
    private static let east = Coordinate(latitude: 0, longitude: 0.001)
    private static let north = Coordinate(latitude: 0.001, longitude: 0.001)

    private func session(_ steps: [ScriptStep]) async throws -> RecordedSession {
        let recorder = LocationRecorder(ScriptedLocationSource(steps + [.end], clock: clock))
        let end = Task { try await recorder.untilEnded() }
        return try await clock.advance(untilEndOf: end)
    }

    @Test func `a route is passed at its speed, with the course of each leg`() async throws {
        let session = try await session([.route([Self.start, Self.east, Self.north], speed: 20)])
        let locations = session.locations
        let length = Self.start.distance(to: Self.east) + Self.east.distance(to: Self.north)
        // One position at the start, one a second, and the last one at the end of the way.
        #expect(locations.count == Int(length / 20) + 2)
        #expect(locations.first?.coordinate == Self.start && locations.last?.coordinate == Self.north)
        #expect(locations.allSatisfy { $0.speed == 20 })
        #expect(abs(try #require(locations.first?.course) - 90) < 0.001)
        #expect(abs(try #require(locations.last?.course)) < 0.001)
        for (earlier, later) in zip(locations, locations.dropFirst()).dropLast() {
            let distance = earlier.coordinate.distance(to: later.coordinate)
            // A chord across the corner is shorter than the way.
            #expect(distance <= 20.000_01 && distance > 13)
        }
        let last = try #require(session.updates.last?.moment.elapsed)
        #expect(abs(last.inSeconds - length / 20) < 1e-6)
    }

    @Test func `a route can be slow, and repeated coordinates are one`() async throws {
        let session = try await session([
            .route([Self.start, Self.start, Self.east, Self.east], speed: 1, every: .seconds(30))
        ])
        #expect(session.updates.dropLast().map(\.moment.elapsed) == [0, 30, 60, 90].map { .seconds($0) })
        #expect(session.locations.last?.coordinate == Self.east)
        #expect(session.locations.allSatisfy { abs(($0.course ?? 0) - 90) < 0.001 })
    }

    @Test(arguments: [
        ScriptStep.route([], speed: 5), .route([RouteTests.start], speed: 5),
        .route([RouteTests.start, RouteTests.east], speed: 0), .route([RouteTests.start, RouteTests.east], speed: -1),
        .route([RouteTests.start, RouteTests.east], speed: .nan),
        .route([RouteTests.start, RouteTests.east], speed: .infinity),
        .route([RouteTests.start, RouteTests.east], speed: 5, every: .zero),
    ])
    func `a route that does not move is one position at most`(step: ScriptStep) async throws {
        let locations = try await session([step]).locations
        if case .route(let route, _, _) = step { #expect(locations.map(\.coordinate) == route.prefix(1).map(\.self)) }
        #expect(clock.now.elapsed == .zero)
    }

    @Test func `steps after a route follow its end`() async throws {
        let session = try await session([
            .route([Self.start, Self.east], speed: Self.start.distance(to: Self.east) / 4), .wait(.seconds(1)),
            .searching(.noDevice),
        ])
        let last = try #require(session.updates.last)
        #expect(last.event == .searching(.noDevice))
        #expect(abs(last.moment.elapsed.inSeconds - 5) < 1e-6)
    }
}
