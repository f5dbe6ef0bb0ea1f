import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct StandstillMeanTests {
    private static let place = Coordinate(latitude: 45.0703, longitude: 7.6869)

    private static func location(_ second: Int, east: Double = 0, accuracy: Double? = 3) -> Location {
        var location = Location(
            coordinate: place.destination(distance: abs(east), bearing: east < 0 ? 270 : 90),
            timestamp: MadeUpSession.moment(second).wall, horizontalAccuracy: accuracy, altitudeMSL: 240)
        location.altitudeHAE = 288
        location.verticalAccuracy = 5
        return location
    }

    private func process(_ locations: [(Int, Location)], into mean: inout StandstillMean) {
        for (second, location) in locations { mean.process(location, at: MadeUpSession.moment(second)) }
    }

    @Test func `the mean has each position once, whatever accuracy is reported for it`() throws {
        var mean = PositionMean()
        mean.process(Self.location(0, east: -2, accuracy: 1), at: 0)
        mean.process(Self.location(1, east: 4, accuracy: 100), at: 1)
        let location = try #require(mean.location)
        #expect(abs(location.coordinate.distance(to: Self.place) - 1) < 1e-4)
        #expect(location["count"] == 2 && location["seconds"] == 2 && location["correlation"] == nil)
        // Too short to tell: the receiver's accuracies are the bound.
        #expect(location.horizontalAccuracy == 50.5 && location.verticalAccuracy == 5)
        #expect(location.altitudeMSL == 240 && location.altitudeHAE == 288 && location.fix == .threeD)
        #expect(location.timestamp == MadeUpSession.moment(1).wall && location.speed == nil)
    }

    @Test func `the coordinate of a mean has nine decimals, which are a tenth of a millimetre`() throws {
        var mean = PositionMean()
        for second in 0..<7 { mean.process(Self.location(second, east: Double(second)), at: Double(second)) }
        let coordinate = try #require(mean.location?.coordinate)
        for degrees in [coordinate.latitude, coordinate.longitude] {
            #expect("\(degrees)".split(separator: ".").last?.count ?? 0 <= 9, "\(degrees)")
        }
    }

    @Test func `a mean of no positions is none, and one of positions without an accuracy or a height has none`() throws
    {
        #expect(PositionMean().location == nil && PositionMean().coordinate == nil && PositionMean().error == nil)
        var mean = PositionMean()
        mean.process(Location(coordinate: Self.place, fix: .twoD), at: .nan)
        let location = try #require(mean.location)
        #expect(location.horizontalAccuracy == nil && location.verticalAccuracy == nil && location.fix == .twoD)
        #expect(location["seconds"] == 0)
    }

    @Test func `a mean is of the pole and of the antimeridian as of any other place`() throws {
        for place in [Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: 10, longitude: 180)] {
            var mean = PositionMean()
            for (second, bearing) in [0.0, 90, 180, 270].enumerated() {
                mean.process(
                    Location(coordinate: place.destination(distance: 3, bearing: bearing)), at: Double(second))
            }
            #expect(try #require(mean.coordinate).distance(to: place) < 1e-3)
        }
    }

    @Test func `the error of a told mean is its accuracy`() throws {
        var errors = FirstOrderErrors(correlationTime: 20, seed: 7)
        var mean = PositionMean()
        for second in 0..<2400 {
            let error = errors.next(after: 1)
            var location = Self.location(second)
            location.coordinate = Self.place.moved(by: GroundOffset(east: error.east, north: error.north))
            location.altitudeMSL = 240 + error.up
            mean.process(location, at: Double(second))
        }
        let location = try #require(mean.location)
        let error = try #require(mean.error)
        #expect(abs((location.horizontalAccuracy ?? 0) - error.radius) < 1e-4)
        #expect(abs((location.verticalAccuracy ?? 0) - (error.vertical ?? 9)) < 1e-4)
        #expect(0.2...0.6 ~= error.radius && 0.15...0.6 ~= error.vertical ?? 0)
        #expect(location.coordinate.distance(to: Self.place) <= error.radius)
        #expect(abs((location["correlation"] ?? 0) - error.correlationTime) < 1e-4 && 8...50 ~= error.correlationTime)
        #expect(location["count"] == 2400 && location["seconds"] == 2400)
    }

    @Test func `a standstill is known after a minute, and its mean begins with its first position`() {
        var mean = StandstillMean()
        process((0..<60).map { ($0, Self.location($0)) }, into: &mean)
        #expect(!mean.isStill && mean.deadline == nil)
        process([(60, Self.location(60))], into: &mean)
        #expect(mean.isStill && mean.mean.count == 61)
    }

    @Test func `a receiver that arrives has the mean of its place only`() throws {
        var mean = StandstillMean()
        let arrival = (0..<30).map { ($0, Self.location($0, east: Double(30 - $0) * 10)) }
        process(arrival + (30..<100).map { ($0, Self.location($0)) }, into: &mean)
        #expect(mean.isStill && 70...73 ~= mean.mean.count)
        #expect(try #require(mean.mean.coordinate).distance(to: Self.place) < 1)
    }

    @Test func `a receiver that leaves its place ends the standstill, and nothing counts afterwards`() {
        var mean = StandstillMean()
        process((0...100).map { ($0, Self.location($0)) } + [(101, Self.location(101, east: 40))], into: &mean)
        guard case .moved(let distance) = mean.ending else { return #expect(mean.ending != nil) }
        #expect(abs(distance - 40) < 0.01 && mean.mean.count == 101 && !mean.isStill)
        process([(102, Self.location(102))], into: &mean)
        #expect(mean.mean.count == 101)
    }

    @Test func `a slow drift ends the standstill too`() {
        var mean = StandstillMean()
        process((0..<3600).map { ($0, Self.location($0, east: Double($0) * 0.05)) }, into: &mean)
        guard case .moved = mean.ending else { return #expect(mean.ending != nil) }
        #expect(mean.mean.count < 1500)
    }

    @Test func `a minute without a position ends the standstill, also if none comes any more`() {
        var mean = StandstillMean()
        process((0...100).map { ($0, Self.location($0)) }, into: &mean)
        #expect(mean.deadline == MadeUpSession.moment(160))
        mean.pass(MadeUpSession.moment(159))
        #expect(mean.ending == nil)
        var silent = mean
        silent.pass(MadeUpSession.moment(160))
        #expect(silent.ending == .silent(.seconds(60)))
        process([(170, Self.location(170))], into: &mean)
        #expect(mean.ending == .silent(.seconds(70)))
    }

    @Test func `a short loss of reception does not end the standstill`() {
        var mean = StandstillMean()
        process(((0...100).map { $0 } + (150...200)).map { ($0, Self.location($0)) }, into: &mean)
        #expect(mean.isStill && mean.mean.count == 152)
    }

    @Test func `the statistics of a track have the same error of their standstill`() throws {
        var errors = FirstOrderErrors(correlationTime: 20, seed: 3)
        var (mean, updates) = (StandstillMean(), [(LocationEvent, Double)]())
        for second in 0..<1800 {
            let error = errors.next(after: 1)
            var location = Self.location(second)
            location.coordinate = Self.place.moved(by: GroundOffset(east: error.east, north: error.north))
            mean.process(location, at: MadeUpSession.moment(second))
            updates.append((.location(location), Double(second)))
        }
        let scatter = try #require(TrackStatistics(MadeUpSession.tracked(updates)).scatter)
        #expect(scatter.meanError != nil && scatter.meanError == mean.mean.error)
        #expect(scatter.mean == mean.mean.coordinate && scatter.count == mean.mean.count)
    }
}
