import LocationCore
import LocationTesting
import Testing

@Suite struct StayTests {
    private let clock = ManualClock()
    private static let home = Coordinate(latitude: 52.5, longitude: 13.4)

    /// Returns positions at one place, with the scatter of a receiver that stands still.
    private func standing(at place: Coordinate, seconds: Int) -> [ScriptStep] {
        (0..<seconds).flatMap { second in
            var location = Location(
                coordinate: place.destination(distance: Double(second % 3), bearing: Double(second * 77 % 360)),
                horizontalAccuracy: 5)
            location.speed = 0.05
            return [ScriptStep.location(location), .wait(.seconds(1))]
        }
    }

    private func stays(_ steps: [ScriptStep], lasting minimum: Duration = .seconds(300)) async throws -> [Stay] {
        let source = ScriptedLocationSource(steps + [.end], clock: clock)
        let all = Task {
            try await source.stays(lasting: minimum).reduce(into: [Stay]()) { $0.append($1) }
        }
        return try await clock.advance(untilEndOf: all)
    }

    @Test func `a stay is reported when it has begun, and with its departure when the machine has left`() async throws {
        let away = Self.home.destination(distance: 600, bearing: 90)
        let stays = try await stays(
            standing(at: Self.home, seconds: 400) + [.route([Self.home, away], speed: 10)]
                + standing(at: away, seconds: 20))
        #expect(stays.count == 2)
        let (begun, ended) = (try #require(stays.first), try #require(stays.last))
        #expect(begun.departure == nil && begun.arrival == ended.arrival)
        #expect(abs(begun.arrival.elapsed.inSeconds) < 5)
        #expect(ended.coordinate.distance(to: Self.home) < 5)
        // The last position within 50 m and its accuracy.
        let departure = try #require(ended.departure).elapsed.inSeconds
        #expect(departure > 400 && departure < 408)
    }

    @Test func `a short stop does not count, and a loss of the position does not end a stay`() async throws {
        let away = Self.home.destination(distance: 300, bearing: 0)
        let route = ScriptStep.route([Self.home, away], speed: 10)
        #expect(try await stays(standing(at: Self.home, seconds: 200) + [route]).isEmpty)
        let lost = ScriptStep.searching(.noFix(seen: 3, used: 0, best: 20))
        let stays = try await stays(
            standing(at: Self.home, seconds: 330) + [lost, .wait(.seconds(600))]
                + standing(at: Self.home, seconds: 30))
        #expect(stays.count == 1 && stays.first?.departure == nil)
    }

    @Test func `a machine that moves about at its place stays there`() async throws {
        let near = Self.home.destination(distance: 30, bearing: 45)
        let stays = try await stays(
            standing(at: Self.home, seconds: 330) + [.route([Self.home, near, Self.home], speed: 1)]
                + standing(at: Self.home, seconds: 60))
        #expect(stays.count == 1)
    }
}
