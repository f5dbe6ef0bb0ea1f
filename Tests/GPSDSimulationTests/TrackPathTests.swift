import GPSDSimulation
import LocationCore
import Testing

struct TrackPathTests {
    private static let start = Timestamp(nanosecondsSince1970: 1_795_165_200_000_000_000)
    private static let corner = Coordinate(latitude: 48.201, longitude: 16.37)

    private func path(loops: Bool = false) throws -> TrackPath {
        try #require(
            TrackPath(
                [
                    .init(Coordinate(latitude: 48.2, longitude: 16.37), altitude: 100, offset: .seconds(5)),
                    .init(Self.corner, altitude: 200, offset: .seconds(15)),
                    // Not later than the one before, and so left out.
                    .init(Coordinate(latitude: 0, longitude: 0), offset: .seconds(15)),
                    .init(Self.corner, altitude: 200, offset: .seconds(25)),
                    .init(Coordinate(latitude: 48.201, longitude: 16.371), altitude: 200, offset: .seconds(35)),
                ], loops: loops))
    }

    private func encoder(_ path: TrackPath, error: Double? = 0, rate: Int = 1) -> ScenarioEncoder {
        var scenario = ReceiverScenario(name: "track", summary: "", route: Route(path.places[0].coordinate))
        scenario.path = path
        scenario.positionError = error
        scenario.rate = rate
        return ScenarioEncoder(scenario, start: Self.start)
    }

    @Test func `a receiver moves along its path at the times of the places`() throws {
        let path = try path()
        #expect(path.places.count == 4 && path.duration == .seconds(30))
        let encoder = encoder(path)
        let half = encoder.epoch(5)
        #expect(abs(half.place.latitude - 48.2005) < 1e-9 && half.place.longitude == 16.37)
        #expect(abs(half.speed - 11.12) < 0.01 && half.course == 0)
        let standing = encoder.epoch(15)
        #expect(standing.place == Self.corner && standing.speed == 0 && standing.course == nil)
        let east = encoder.epoch(25)
        #expect(abs(try #require(east.course) - 90) < 1e-6 && abs(east.speed - 7.43) < 0.01)
        let end = encoder.epoch(1000)
        #expect(abs(end.place.longitude - 16.371) < 1e-9 && end.speed == 0)
    }

    @Test func `a path that loops begins again at its end`() throws {
        let encoder = encoder(try path(loops: true))
        for second in [0, 5, 29] {
            #expect(encoder.epoch(second).place == encoder.epoch(second + 30).place)
            #expect(encoder.epoch(second).place == encoder.epoch(second + 3000).place)
        }
    }

    @Test func `without an error the receiver reports its path, with one it reports points around it`() throws {
        func texts(_ error: Double?) throws -> [String] {
            let encoder = encoder(try path(), error: error, rate: 5)
            return (0..<76).map { String(decoding: encoder.transmission($0).bytes, as: UTF8.self) }
        }
        let exact = try texts(0)
        #expect(exact[75].contains(",4812.06000"), "\(exact[75])")
        let noisy = try texts(3)
        #expect(try noisy == texts(3) && noisy != exact && texts(nil) != exact)
    }

    @Test func `a path of one place stands, and a path needs a place`() throws {
        #expect(TrackPath([]) == nil)
        let one = try #require(TrackPath([.init(Self.corner, offset: .zero)], loops: true))
        #expect(encoder(one).epoch(7).place == Self.corner)
    }

    @Test func `a route can begin at another place and keeps its shape`() throws {
        let walk = ReceiverScenario.walk.route
        let moved = walk.starting(at: Coordinate(latitude: -33.9, longitude: 179.999))
        #expect(moved.places[0] == Coordinate(latitude: -33.9, longitude: 179.999))
        #expect(moved.places.count == walk.places.count && abs(moved.length - walk.length) < walk.length * 0.001)
    }
}
