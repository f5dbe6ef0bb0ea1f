import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

/// The errors of positions against a point whose place is known.
@Suite struct ReferenceFiguresTests {
    private static let place = Coordinate(latitude: 45, longitude: 7)

    private func statistics(_ session: MadeUpSession, _ point: ReferencePoint) -> TrackStatistics {
        var statistics = TrackStatistics()
        statistics.reference = ReferenceFigures(point)
        for update in session.updates { statistics.process(update) }
        return statistics
    }

    @Test func `an error has its directions, and a height only above the same level`() throws {
        let point = ReferencePoint(Self.place, height: 100)
        var location = Location(
            coordinate: Self.place.destination(distance: 30, bearing: 90).destination(distance: 40, bearing: 180))
        location.altitudeHAE = 148
        var error = point.error(of: location)
        #expect(abs(error.east - 30) < 0.001 && abs(error.north + 40) < 0.001 && abs(error.distance - 50) < 0.001)
        #expect(error.up == nil)
        location.altitudeMSL = 98.5
        error = point.error(of: location)
        #expect(error.up == -1.5)
        #expect(ReferencePoint(Self.place).error(of: location).up == nil)
    }

    @Test(arguments: [(0.0, 0.0), (-3, 7), (2500, -1200)])
    func `the figures are those of the errors`(_ east: Double, _ north: Double) throws {
        let session = MadeUpSession.standing(at: Self.place, points: 1000)
        let point = ReferencePoint(
            Self.place.destination(distance: -east, bearing: 90).destination(distance: -north, bearing: 0), height: 237)
        let figures = try #require(statistics(session, point).reference)
        let sorted = session.locations.map { point.error(of: $0).distance }.sorted()
        #expect(figures.distances.count == 1000 && figures.distances.maximum == sorted[999])
        #expect(abs((figures.distances.median ?? 0) - (sorted[499] + sorted[500]) / 2) < 1e-6)
        #expect(abs(figures.mean.east - east) < 0.3 && abs(figures.mean.north - north) < 1)
        #expect(abs((figures.heights.mean ?? 0) - 3) < 0.5 && abs((figures.heights.deviation ?? 0) - 4) < 0.5)
    }

    @Test func `a drift is the slope of the errors, and unknown before a minute`() throws {
        var session = MadeUpSession.standing(at: Self.place, points: 3600)
        for second in session.locations.indices {
            // 20 m an hour to the south.
            session.locations[second].coordinate = session.locations[second].coordinate.destination(
                distance: 20 * Double(second) / 3600, bearing: 180)
        }
        let point = ReferencePoint(Self.place)
        let drift = try #require(statistics(session, point).reference?.drift)
        #expect(abs(drift.north + 20) < 1 && abs(drift.east) < 1)
        var exact = MadeUpSession()
        exact.locations = (0..<3600).map {
            Location(
                coordinate: Self.place.destination(distance: Double($0) / 180, bearing: 150),
                timestamp: MadeUpSession.moment($0).wall)
        }
        let slope = try #require(statistics(exact, point).reference?.drift)
        #expect(abs(slope.north + 20 * 0.75.squareRoot()) < 0.001 && abs(slope.east - 10) < 0.001)
        session.locations = Array(session.locations.prefix(60))
        #expect(statistics(session, point).reference?.drift == nil)
        session.locations = []
        #expect(statistics(session, point).reference?.distances.count == 0)
    }

    @Test func `the pictures show the point near the scatter, and words for one that is far away`() throws {
        let session = MadeUpSession.standing(at: Self.place, points: 100)
        func plot(_ distance: Double) -> TrackPlot {
            let point = ReferencePoint(Self.place.destination(distance: distance, bearing: 45))
            return TrackPlot(statistics(session, point), title: "x")
        }
        try GoldenFile("reference.svg").expect(String(decoding: plot(8).svg(), as: UTF8.self))
        try GoldenFile("reference.txt").expect(plot(8).terminal(columns: 100, colour: false))
        let far = String(decoding: plot(60_000).svg(), as: UTF8.self)
        #expect(!far.contains(">reference<") && far.contains("error 50 % 60 km, 95 % 60 km"))
        // The legends of the reference and of the states.
        #expect(plot(60_000).terminal(columns: 100, colour: false).count { $0 == "×" } == 2)
    }

    @Test func `numbers at the ends of the ranges are survived`() {
        let places = [(90.0, 180.0), (-90, -180), (0, 0), (-0.0, 180), (45, -179.999999)]
        for (latitude, longitude) in places {
            let point = ReferencePoint(Coordinate(latitude: latitude, longitude: longitude), height: 1e300)
            for number in [Double.infinity, .nan, -1e300, 0] {
                for (other, east) in places {
                    let error = point.error(
                        of: Location(
                            coordinate: Coordinate(latitude: other, longitude: east), altitudeMSL: number))
                    #expect(error.distance >= 0 && error.distance < 2.1e7)
                }
            }
        }
    }
}
