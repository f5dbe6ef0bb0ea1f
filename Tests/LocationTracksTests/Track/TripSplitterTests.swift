import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct TripSplitterTests {
    /// A part of a session: the seconds, and the speed in metres per second, or `nil` for a time without positions.
    private typealias Part = (seconds: Int, speed: Double?)

    private static let start = Coordinate(latitude: 45, longitude: 7)

    /// Returns the track of a receiver in parts; a time without positions is a gap.
    ///
    /// - Parameter away: The metres that it is carried in a time without positions.
    private func track(_ parts: [Part], hasSpeed: Bool = true, away: Double = 0) -> [(TrackElement, Moment)] {
        var draw = SplitMix64(seed: 3)
        var place = Self.start
        var second = 0
        var stillness = Stillness()
        var track: [(TrackElement, Moment)] = []
        for (seconds, speed) in parts {
            guard let speed else {
                second += seconds
                place = place.destination(distance: away, bearing: 90)
                track.append((.gap(.missing), MadeUpSession.moment(second)))
                continue
            }
            for _ in 0..<seconds {
                place = place.destination(distance: speed, bearing: 90)
                let drift = speed == 0 ? abs(draw.normal()) * 2 : 0
                let shown = place.destination(distance: drift, bearing: draw.uniform(0...360))
                let location = Location(
                    coordinate: shown, timestamp: MadeUpSession.moment(second).wall, horizontalAccuracy: 6,
                    speed: hasSpeed ? (speed == 0 ? draw.uniform(0...0.3) : speed) : nil)
                stillness.process(location, speed: location.speed, after: 1)
                var point = TrackPoint(location)
                point.isStationary = stillness.isStill
                track.append((.point(point), MadeUpSession.moment(second)))
                second += 1
            }
        }
        return track
    }

    /// Returns the seconds of the session at which trips begin, after which all elements have come out in their order.
    private func beginnings(
        _ track: [(TrackElement, Moment)], stop: Duration = .seconds(300)
    ) -> [Int] {
        var splitter = TripSplitter(stop: stop)
        var pieces: [TripSplitter.Piece] = []
        var mostHeld = 0
        for (index, (element, moment)) in track.enumerated() {
            pieces += splitter.process(element, at: moment)
            mostHeld = max(mostHeld, index + 1 - pieces.count)
        }
        pieces += splitter.finish()
        #expect(pieces.map(\.element) == track.map(\.0) && pieces.map(\.moment) == track.map(\.1))
        #expect(mostHeld < TripSplitter.limit)
        return pieces.filter(\.beginsTrip).map { Int($0.moment.elapsed.components.seconds) }
    }

    @Test(arguments: [true, false]) func `a trip begins at the departure after a stop, and not at a short one`(
        hasSpeed: Bool
    ) {
        let track = track([(300, 12), (120, 0), (300, 12), (600, 0), (300, 12)], hasSpeed: hasSpeed)
        let found = beginnings(track)
        #expect(found.count == 1)
        // The first second of motion is 1320.
        #expect(found.allSatisfy { 1318...1321 ~= $0 }, "\(found)")
        #expect(beginnings(track, stop: .seconds(60)).count == 2)
        #expect(beginnings(track, stop: .seconds(700)) == [])
    }

    @Test func `the time before the first departure belongs to the first trip`() {
        #expect(beginnings(track([(1200, 0), (300, 12), (1200, 0)])) == [])
    }

    @Test func `a parked receiver begins no trip in hours`() {
        #expect(beginnings(track([(60, 12), (14_400, 0)])) == [])
    }

    @Test func `hours without positions are a stop if the receiver is then where it was`() {
        let parts: [Part] = [(300, 12), (7200, nil), (60, 0), (300, 12)]
        let found = beginnings(track(parts))
        #expect(found.count == 1 && found.allSatisfy { 7558...7561 ~= $0 }, "\(found)")
        // It may have been driven, and is still on its way.
        #expect(beginnings(track(parts, away: 5000)) == [])
        // It stood in the garage before it lost its position.
        #expect(beginnings(track([(300, 12), (200, 0), (150, nil), (300, 12)])).count == 1)
    }

    @Test func `each of ten trips has a beginning`() {
        let trips = (0..<10).flatMap { _ in [(200, 15.0), (400, 0.0)] as [Part] }
        #expect(beginnings(track(trips)).count == 9)
    }
}
