import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct TrackLookupTests {
    private static let start = SampleTrack.start

    private static func time(_ seconds: Double) -> Timestamp { MadeUpSession.moment(seconds).wall }

    private static func point(_ second: Double, accuracy: Double? = 5) -> TrackElement {
        .point(TrackPoint(with(MadeUpSession.moving(second)) { $0.horizontalAccuracy = accuracy }))
    }

    private func results(of elements: [TrackElement], at seconds: [Double]) -> [TrackLookup.Result] {
        var lookup = TrackLookup(of: seconds.map(Self.time))
        for element in elements { lookup.process(element) }
        return lookup.results
    }

    /// Two segments: from second 10 to 14, and from 30 to 40 with points far apart.
    private static let track: [TrackElement] =
        [10, 11, 12, 13, 14].map { point($0) } + [.gap(.missing)] + [30, 40].map { point($0) }

    @Test func `the time of a point gives the point as it is`() throws {
        guard case .found(let found) = results(of: Self.track, at: [12])[0], case .point(let point) = Self.track[2]
        else {
            throw MissingPoint()
        }
        #expect(found == point && found.interpolatedOver == nil)
    }

    @Test func `a time between two points of a segment gives one on the way`() throws {
        let results = results(of: Self.track, at: [35, 11.5])
        for (result, second, gap) in [(results[0], 35.0, 10.0), (results[1], 11.5, 1)] {
            guard case .found(let point) = result else { throw MissingPoint() }
            #expect(point.location.coordinate.distance(to: MadeUpSession.moving(second).coordinate) < 0.001)
            #expect(point.location.timestamp == Self.time(second) && point.interpolatedOver == gap)
            #expect(point.location.speed == 10 && point.location.device == "a")
        }
    }

    @Test(
        arguments: [
            (5.0, nil, 10.0), (20, 14, 30), (14.5, 14, 30), (41, 40, nil),
        ] as [(Double, Double?, Double?)])
    func `a time in a gap has the nearest points`(second: Double, before: Double?, after: Double?) {
        let result = results(of: Self.track, at: [second])[0]
        #expect(result == .missing(before: before.map(Self.time), after: after.map(Self.time)))
        // Other times that are asked for change nothing, whether or not they are those of points.
        let others = results(of: Self.track, at: [14, 13.5, second, 30, 2, 50, 22])
        #expect(others[2] == result)
        #expect(others[6] == .missing(before: Self.time(14), after: Self.time(30)))
    }

    @Test func `the results have the order of the times, each as often as it was given`() {
        let seconds: [Double] = [40, 12, 60, 12, 10]
        let results = results(of: Self.track, at: seconds)
        for (result, second) in zip(results, seconds) {
            guard case .found(let point) = result else {
                #expect(second == 60)
                continue
            }
            #expect(point.location.timestamp == Self.time(second))
        }
        #expect(results.count == 5 && results[1] == results[3])
        #expect(TrackLookup(of: []).results == [])
        #expect(TrackLookup(of: [Self.start]).results == [.missing(before: nil, after: nil)])
    }

    @Test func `of two segments with a time the more accurate position counts, in either order`() {
        let (fine, coarse) = ([Self.point(1, accuracy: 2)], [Self.point(1, accuracy: 20)])
        for track in [fine + [.gap(.timeWentBack)] + coarse, coarse + [.gap(.timeWentBack)] + fine] {
            #expect(results(of: track, at: [1]) == results(of: fine, at: [1]))
        }
    }

    @Test func `a point without a time neither helps nor ends its segment`() {
        var timeless = MadeUpSession.moving(11)
        timeless.timestamp = nil
        let track = [Self.point(10), .point(TrackPoint(timeless)), Self.point(12)]
        #expect(results(of: track, at: [11]) == results(of: [Self.point(10), Self.point(12)], at: [11]))
    }
}

private struct MissingPoint: Error {}

@Suite struct TrackInterpolationTests {
    private static let start = SampleTrack.start

    private static func point(_ place: Coordinate, _ seconds: Double, _ set: (inout Location) -> Void = { _ in })
        -> TrackPoint
    {
        TrackPoint(
            with(Location(coordinate: place, timestamp: MadeUpSession.moment(seconds).wall, horizontalAccuracy: 4), set)
        )
    }

    private static func between(_ first: TrackPoint, _ second: TrackPoint, _ seconds: Double) throws -> TrackPoint {
        try #require(TrackPoint.interpolated(from: first, to: second, at: MadeUpSession.moment(seconds).wall))
    }

    @Test(arguments: [
        (45.0, 7.0, 45.001, 7.002), (52, 13, 48, 2), (10, 179.9, 12, -179.8), (89.9, 10, 89.9, -170),
        (-33, 151, 40, -74),
    ])
    func `the place divides the geodesic as the time is divided`(from: (Double, Double, Double, Double)) throws {
        let first = Coordinate(latitude: from.0, longitude: from.1)
        let second = Coordinate(latitude: from.2, longitude: from.3)
        let whole = first.distance(to: second)
        for share in [0.1, 0.5, 0.75] {
            let middle = try Self.between(Self.point(first, 0), Self.point(second, 100), share * 100).location
                .coordinate
            #expect(abs(first.distance(to: middle) - whole * share) < 0.001)
            #expect(abs(middle.distance(to: second) - whole * (1 - share)) < 0.001)
        }
    }

    @Test func `the accuracy is never better than that of the neighbours and grows with the time between them`() throws
    {
        let place = Coordinate(latitude: 45, longitude: 7)
        var last = 0.0
        for gap in [0.1, 1, 2, 5, 10, 30, 60, 300, 3600, 86_000] {
            let end = Self.point(place.destination(distance: 10 * gap, bearing: 60), gap) {
                ($0.horizontalAccuracy, $0.speed) = (9, 10)
            }
            let start = Self.point(place, 0) { $0.speed = 10 }
            var worst = 0.0
            for share in [0.01, 0.25, 0.5, 0.75, 0.99] {
                let accuracy = try #require(try Self.between(start, end, gap * share).location.horizontalAccuracy)
                #expect(accuracy > 9)
                worst = max(worst, accuracy)
            }
            #expect(worst == (try Self.between(start, end, gap / 2).location.horizontalAccuracy))
            #expect(worst > last)
            last = worst
        }
        // A walk away and back is possible while nothing was heard.
        let rest = try Self.between(Self.point(place, 0), Self.point(place, 600), 300)
        #expect(rest.location.horizontalAccuracy == 4 + 1.5 * 300)
    }

    @Test func `the numbers of an interpolated position have no more digits than they tell`() throws {
        let start = Self.point(Coordinate(latitude: 45.1, longitude: 7.1), 0.1) {
            ($0.altitudeMSL, $0.speed, $0.course, $0.climb) = (398.1, 1.1, 10.1, 0.1)
        }
        let end = Self.point(Coordinate(latitude: 45.2, longitude: 7.3), 0.4) {
            ($0.altitudeMSL, $0.speed, $0.course, $0.climb) = (398.4, 2, 12, 0.3)
        }
        for seconds in [0.2, 0.3, 0.25] {
            let point = try Self.between(start, end, seconds)
            let location = point.location
            let numbers = [
                location.altitudeMSL, location.speed, location.course, location.climb, location.horizontalAccuracy,
                point.interpolatedOver,
            ]
            for number in try numbers.map({ try #require($0) }) {
                #expect("\(number)".split(separator: ".").last?.count ?? 0 <= 4, "\(number)")
            }
            for degrees in [location.coordinate.latitude, location.coordinate.longitude] {
                #expect("\(degrees)".split(separator: ".").last?.count ?? 0 <= 9, "\(degrees)")
            }
        }
        #expect(try Self.between(start, end, 0.2).location.altitudeMSL == 398.2)
    }

    @Test func `an unknown accuracy of one neighbour stays unknown, as does a value that only one has`() throws {
        let place = Coordinate(latitude: 45, longitude: 7)
        let start = Self.point(place, 0) { ($0.altitudeMSL, $0.speed, $0.course) = (100, 4, 350) }
        let end = Self.point(place, 4) {
            $0.horizontalAccuracy = nil
            ($0.altitudeMSL, $0.altitudeHAE, $0.speed, $0.course, $0.fix) = (104, 150, 8, 20, .twoD)
            ($0.device, $0.quality) = ("b", .rtkFixed)
        }
        let location = try Self.between(start, end, 1).location
        #expect(location.horizontalAccuracy == nil && location.altitudeHAE == nil && location.device == nil)
        #expect(location.altitudeMSL == 101 && location.speed == 5 && location.fix == .twoD)
        #expect(location.quality == .ordinary)
        #expect(location.course.map { abs($0 - 357.5) < 1e-9 } == true)
        let opposite = Self.point(place, 4) { $0.course = 170 }
        #expect(try Self.between(start, opposite, 1).location.course == nil)
    }

    @Test func `there is no point at or beyond the times of the neighbours`() {
        let place = Coordinate(latitude: 45, longitude: 7)
        for seconds in [-1.0, 0, 4, 5] {
            let time = MadeUpSession.moment(seconds).wall
            #expect(TrackPoint.interpolated(from: Self.point(place, 0), to: Self.point(place, 4), at: time) == nil)
        }
        let same = Self.point(place, 4)
        #expect(TrackPoint.interpolated(from: same, to: same, at: MadeUpSession.moment(4).wall) == nil)
    }

    /// The true places of a vehicle or a walker, one a second.
    private static func movement(_ seed: UInt64, seconds: Int, top: Double) -> [(place: Coordinate, speed: Double)] {
        var draw = SplitMix64(seed: seed)
        var (place, speed, bearing) = (Coordinate(latitude: 45, longitude: 7), 0.0, 0.0)
        var (force, turn) = (0.0, 0.0)
        return (0..<seconds).map { second in
            // Something new every few seconds: brakes, a corner, a stop.
            if second % 4 == 0 { (force, turn) = (draw.uniform(-2...2), draw.uniform(-2...2)) }
            speed = min(top, max(0, speed + force))
            if speed > 0.5 { bearing += min(40, max(-40, turn / speed * 180 / .pi)) }
            place = place.destination(distance: speed, bearing: bearing)
            return (place, speed)
        }
    }

    @Test(arguments: [15.0, 2], [2, 4, 10, 30, 60])
    func `the radius holds the true place at 95 of 100 times at least`(top: Double, gap: Int) throws {
        let accuracy = 4.0
        var (inside, count) = (0, 0)
        for seed in 1...10 as ClosedRange<UInt64> {
            var draw = SplitMix64(seed: seed &* 77)
            let movement = Self.movement(seed, seconds: 1200, top: top)
            // A receiver whose error is within its accuracy at 95 of 100 times.
            let points = stride(from: 0, to: movement.count, by: gap).map { second in
                let (east, north) = (draw.normal() * accuracy / 2.45, draw.normal() * accuracy / 2.45)
                let place = movement[second].place.destination(distance: east, bearing: 90)
                return Self.point(place.destination(distance: north, bearing: 0), Double(second)) {
                    $0.speed = movement[second].speed
                }
            }
            for (first, second) in zip(points, points.dropFirst()) {
                let began = try #require(first.location.timestamp).since(Self.start).inSeconds
                for offset in 1..<gap {
                    let found = try Self.between(first, second, began + Double(offset)).location
                    let truth = movement[Int(began) + offset].place
                    count += 1
                    if found.coordinate.distance(to: truth) <= (try #require(found.horizontalAccuracy)) { inside += 1 }
                }
            }
        }
        #expect(Double(inside) >= 0.95 * Double(count), "\(inside) of \(count)")
    }
}
