import LocationCore
import Testing

@testable import LocationTracks

/// The ends of a standstill, and the speeds at the beginning of a session.
@Suite struct StandstillTests {
    private static let place = Coordinate(latitude: 45, longitude: 7)

    /// Returns the session of a receiver that stands still for 300 seconds, and after a pause for 200 more elsewhere.
    ///
    /// - Parameter step: The seconds by which its clock is set in the pause.
    private func standing(
        then distance: Double, after pause: Int = 1, speed: Double? = 0.1, step: Int = 0
    ) -> [TrackedUpdate] {
        let first = MadeUpSession.standing(at: Self.place, points: 300)
        let second = MadeUpSession.standing(at: Self.place.destination(distance: distance, bearing: 90), points: 200)
        return MadeUpSession.tracked(
            [(0, 0, first), (299 + pause, step, second)].flatMap { start, step, session in
                session.locations.enumerated().map { second, location in
                    var location = location
                    location.timestamp = MadeUpSession.moment(start + second + step).wall
                    location.received = nil
                    location.speed = speed
                    // Without a speed the scatter alone tells a standstill.
                    if speed == nil { location.horizontalAccuracy = 25 }
                    return (LocationEvent.location(location), Double(start + second))
                }
            })
    }

    @Test(arguments: [0.1, nil]) func `a standstill ends where the position jumps`(_ speed: Double?) throws {
        let statistics = TrackStatistics(standing(then: 5000, speed: speed))
        let scatter = try #require(statistics.scatter)
        #expect(scatter.count == 300 && scatter.duration == .seconds(299))
        #expect(scatter.mean.distance(to: Self.place) < 1)
        #expect(scatter.cep95 < 10)
        if speed != nil { #expect(statistics.motion.standingTime == .seconds(499)) }
    }

    @Test func `a place within the scatter of the reception continues a standstill`() {
        #expect(TrackStatistics(standing(then: 20)).scatter?.count == 500)
    }

    @Test func `a standstill ends where a gap splits the track, even at the same place`() throws {
        let statistics = TrackStatistics(standing(then: 0, after: 120))
        let scatter = try #require(statistics.scatter)
        #expect(scatter.count == 300 && scatter.duration == .seconds(299))
        #expect(statistics.gaps.count == 1)
    }

    @Test func `a standstill ends where the time goes back`() {
        #expect(TrackStatistics(standing(then: 0, step: -86_400)).scatter?.count == 300)
    }

    @Test func `the first epoch of a session that begins in motion counts for the speed`() {
        var session = MadeUpSession.driveWithStop()
        session.locations = Array(session.locations.prefix(60))
        session.locations[0].speed = 30
        let motion = TrackStatistics(session.updates).motion
        #expect(motion.speeds.maximum == 30)
        #expect(motion.speeds.count == 60)
        #expect(motion.movingTime == .seconds(59) && motion.standingTime == .zero)
        #expect(abs(motion.distance - 59 * 12) < 5)
    }

    @Test func `the first epoch of a receiver that stands does not move even with a speed`() {
        var session = MadeUpSession.standing(at: Self.place, points: 300)
        session.locations[0].speed = 3
        let statistics = TrackStatistics(session.updates)
        #expect(statistics.motion.speeds.count == 0 && statistics.motion.distance == 0)
        #expect(statistics.motion.rawDistance > 100 && statistics.motion.movingTime == .zero)
        #expect(statistics.scatter?.count == 300)
    }

    /// Returns the statistics of two minutes at one place, some seconds at a speed, and two more minutes without one.
    private func standing(
        then speed: Double?, seconds: Int = 8, error: Double = 8, at place: (Int) -> Coordinate
    ) -> TrackStatistics {
        TrackStatistics(240 + seconds) { second in
            let isFast = 120..<(120 + seconds) ~= second
            return Location(
                coordinate: place(max(0, min(seconds, second - 119))), horizontalAccuracy: error,
                speed: speed.map { isFast ? $0 : 0 })
        }
    }

    @Test(arguments: [0.8, nil]) func `a motion that ends where a receiver has stood for a minute is drift`(
        speed: Double?
    ) throws {
        // It seems to be farther away than its accuracy, and comes back.
        let statistics = standing(then: speed) { step in
            Self.place.destination(distance: 1..<8 ~= step ? 11 : 2, bearing: 90)
        }
        #expect(statistics.motion.distance == 0 && statistics.motion.movingTime == .zero)
        #expect(statistics.motion.standingTime == .seconds(247) && statistics.motion.rawDistance > 17)
        #expect(statistics.motion.speeds.count == 0)
        #expect(try #require(statistics.scatter).count == 248)
    }

    @Test(arguments: [1.2, nil]) func `a short walk to another place counts after a standstill`(speed: Double?) {
        let statistics = standing(then: speed, error: 5) { step in
            Self.place.destination(distance: 1.2 * Double(step), bearing: 90)
        }
        #expect(abs(statistics.motion.distance - 9.6) < 0.5, "\(statistics.motion.distance)")
        #expect(statistics.motion.movingTime >= .seconds(4) && statistics.motion.movingTime <= .seconds(9))
        #expect(statistics.standstill.count < 200)
    }

    @Test func `a receiver that circles for twenty minutes where it has stood moves`() {
        let centre = Self.place.destination(distance: 4, bearing: 90)
        let statistics = standing(then: 0.69, seconds: 1200, error: 5) { step in
            centre.destination(distance: 4, bearing: 270 + 33 * 360 * Double(step) / 1200)
        }
        #expect(statistics.motion.movingTime > .seconds(1150), "\(statistics.motion.movingTime)")
        #expect(statistics.motion.distance > 780, "\(statistics.motion.distance)")
    }

    @Test func `a drive counts from its beginning after a standstill`() {
        let statistics = standing(then: 12, seconds: 30) { step in
            Self.place.destination(distance: 12 * Double(step), bearing: 90)
        }
        #expect(abs(statistics.motion.distance - 360) < 1, "\(statistics.motion.distance)")
        // The first low speed ends it.
        #expect(statistics.motion.movingTime == .seconds(31))
    }

    @Test(arguments: 1...3) func `a receiver that a session calls stationary for two hours has driven nowhere`(
        seed: UInt64
    ) {
        var draw = SplitMix64(seed: seed)
        let motion = TrackStatistics(7200) { _ in
            let place = Self.place.destination(distance: draw.normal() * 4.9, bearing: 90)
                .destination(distance: draw.normal() * 4.9, bearing: 0)
            // Five of them in a row are often those of a walk.
            let speed = GroundOffset(east: draw.normal() * 0.35, north: draw.normal() * 0.35).length
            return Location(coordinate: place, horizontalAccuracy: 30, speed: speed)
        }.motion
        // In the first minute it may be a walk.
        #expect(motion.distance < 10 && motion.movingTime < .seconds(10), "\(motion)")
        #expect(motion.rawDistance > 10_000)
    }

    @Test(arguments: 1...8) func `noise that its accuracy explains is a standstill, without speeds too`(seed: UInt64)
        throws
    {
        var draw = SplitMix64(seed: seed)
        let statistics = TrackStatistics(600) { _ in
            let place = Self.place.destination(distance: draw.normal() * 3, bearing: 90)
                .destination(distance: draw.normal() * 3, bearing: 0)
            // 95 % of the positions are within it.
            return Location(coordinate: place, horizontalAccuracy: 7.35)
        }
        #expect(statistics.motion.distance == 0 && statistics.motion.movingTime == .zero)
        #expect(try #require(statistics.scatter).count == 600)
    }
}
