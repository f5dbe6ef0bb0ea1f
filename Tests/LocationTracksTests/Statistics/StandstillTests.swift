import LocationCore
import Testing

@testable import LocationTracks

/// The ends of a standstill, and the speeds at the beginning of a session.
@Suite struct StandstillTests {
    private static let place = Coordinate(latitude: 45, longitude: 7)

    /// Returns the reports of a receiver that stands still for 300 seconds, and after a pause for 200 more elsewhere.
    private func standing(
        then distance: Double, after pause: Int = 1, speed: Double? = 0.1, loses: Bool = false
    ) -> [TrackedUpdate] {
        var updates: [TrackedUpdate] = []
        let first = MadeUpSession.standing(at: Self.place, points: 300)
        let second = MadeUpSession.standing(at: Self.place.destination(distance: distance, bearing: 90), points: 200)
        for (start, session) in [(0, first), (299 + pause, second)] {
            for (second, location) in session.locations.enumerated() {
                var location = location
                location.timestamp = MadeUpSession.moment(start + second).wall
                location.received = nil
                location.speed = speed
                // Without a speed the scatter alone tells a standstill.
                if speed == nil { location.horizontalAccuracy = 25 }
                let moment = MadeUpSession.moment(start + second)
                if second == 0 {
                    let lost = LocationState.searching(.silent(for: .seconds(3)))
                    updates.append(
                        .transition(StateChange(from: lost, to: .found(location), at: moment, lasted: .zero)))
                }
                updates.append(.update(LocationUpdate(.location(location), at: moment)))
                if loses, start == 0, second == 299 {
                    let lost = LocationState.searching(.silent(for: .seconds(3)))
                    updates.append(
                        .transition(
                            StateChange(
                                from: .found(location), to: lost, at: MadeUpSession.moment(302), lasted: .zero)))
                }
            }
        }
        return updates
    }

    @Test(arguments: [0.1, nil]) func `a standstill ends where the position jumps`(_ speed: Double?) throws {
        let statistics = TrackStatistics(standing(then: 5000, speed: speed))
        let scatter = try #require(statistics.scatter)
        #expect(scatter.count == 300 && scatter.duration == .seconds(299))
        #expect(scatter.mean.distance(to: Self.place) < 1)
        #expect(scatter.cep95 < 10)
        if speed != nil { #expect(statistics.motion.standingTime == .seconds(499)) }
    }

    @Test func `a place within the scatter of the reception continues a standstill`() throws {
        let scatter = try #require(TrackStatistics(standing(then: 20)).scatter)
        #expect(scatter.count == 500)
    }

    @Test func `a standstill ends where a gap splits the track, even at the same place`() throws {
        let statistics = TrackStatistics(standing(then: 0, after: 120, loses: true))
        let scatter = try #require(statistics.scatter)
        #expect(scatter.count == 300 && scatter.duration == .seconds(299))
        #expect(statistics.gaps.count == 1)
    }

    @Test func `a standstill ends where the time goes back`() throws {
        var updates = standing(then: 0)
        for index in updates.indices {
            guard case .update(var update, let standing) = updates[index], case .location(var location) = update.event,
                let time = location.timestamp, update.moment.elapsed >= .seconds(300)
            else { continue }
            location.timestamp = time.advanced(by: .seconds(-86_400))
            update = LocationUpdate(.location(location), at: update.moment)
            updates[index] = .update(update, standing)
        }
        #expect(TrackStatistics(updates).scatter?.count == 300)
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
