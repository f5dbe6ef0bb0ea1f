import LocationCore
import GPSDProtocol
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct DistanceMeterTests {
    private static let place = Coordinate(latitude: 45, longitude: 7)

    /// Returns the distance after some updates, which never decreases on the way.
    private func way(of updates: [TrackedUpdate], startingAt start: Double = 0) -> Double? {
        var meter = DistanceMeter(startingAt: start)
        var last = start
        for update in updates {
            meter.process(update)
            guard let distance = meter.distance else { continue }
            #expect(distance >= last)
            last = distance
        }
        return meter.distance
    }

    @Test func `the distance of each recording is that of its statistics`() async throws {
        var moved = 0
        for recording in SampleRecording.all {
            var updates: [TrackedUpdate] = []
            for try await update in ReplayProvider(.path(recording.path), pace: .max).tracked() {
                updates.append(update)
            }
            let statistics = TrackStatistics(updates)
            guard let distance = way(of: updates), !statistics.isFleet else { continue }
            let expected = statistics.motion.distance
            // A departure that the end decides, and metres that a stop takes back, are the difference.
            #expect(abs(distance - expected) <= 15 + expected / 200, "\(recording.path): \(distance), \(expected)")
            if expected > 100, recording.isFixture { moved += 1 }
        }
        #expect(moved == 1)
    }

    @Test func `a drive with a stop covers its way, to which the drift of the stop adds nothing`() throws {
        let session = MadeUpSession.driveWithStop()
        let distance = try #require(way(of: session.updates))
        #expect(abs(distance - 600 * 12) < 15, "\(distance)")
        // A meter of a whole session keeps more, and says the same.
        #expect(abs(distance - TrackStatistics(session.updates).motion.distance) < 3)
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>) func `a parked car does not drive for hours`(seed: UInt64) throws {
        var draw = SplitMix64(seed: seed)
        var (east, north) = (0.0, 0.0)
        let events = (0..<14_400).map { second in
            // Errors that stay for minutes, as those of the atmosphere and of reflections do.
            east = east * 0.99 + draw.normal() * 0.5
            north = north * 0.99 + draw.normal() * 0.5
            let place = Self.place.destination(distance: abs(east), bearing: east < 0 ? 270 : 90)
                .destination(distance: abs(north), bearing: north < 0 ? 180 : 0)
            let location = Location(
                coordinate: place, timestamp: MadeUpSession.moment(second).wall, device: "a", horizontalAccuracy: 9,
                speed: abs(draw.normal()) * 0.2)
            return (LocationEvent.location(location), Double(second))
        }
        let distance = try #require(way(of: MadeUpSession.tracked(events)))
        #expect(distance < 20, "\(distance)")
    }

    @Test func `the way over a loss is not counted, and an odometer goes on from its distance`() throws {
        let seconds = Array(0...100) + Array(400...500)
        let updates = MadeUpSession.tracked(seconds.map { (.location(MadeUpSession.moving(Double($0))), Double($0)) })
        let distance = try #require(way(of: updates, startingAt: 1_000_000))
        // Three thousand metres lie between.
        #expect(abs(distance - 1_002_000) < 25, "\(distance)")
    }

    @Test func `late positions and those of other receivers add nothing`() throws {
        var events = (0...100).map { (LocationEvent.location(MadeUpSession.moving(Double($0))), Double($0)) }
        let alone = try #require(way(of: MadeUpSession.tracked(events)))
        for second in stride(from: 20, through: 80, by: 7) {
            var other = MadeUpSession.moving(Double(second), "b")
            other.coordinate = other.coordinate.destination(distance: 30 * Double(second % 2), bearing: 0)
            other.horizontalAccuracy = 50
            events.append((.location(other), Double(second) + 0.5))
            let late = with(MadeUpSession.moving(Double(second) - 15)) { $0.isLate = true }
            events.append((.location(late), Double(second) + 0.6))
        }
        events.sort { $0.1 < $1.1 }
        #expect(way(of: MadeUpSession.tracked(events)) == alone)
        #expect(alone > 980)
    }

    @Test func `a fleet has no distance`() {
        var meter = DistanceMeter()
        var tracker = Tracker()
        for second in 0...50 {
            let location = MadeUpSession.moving(Double(second))
            let update = LocationUpdate(.location(location), at: MadeUpSession.moment(second)).ofFleet
            for result in tracker.results(of: update) { meter.process(result) }
        }
        #expect(meter.distance == nil)
    }

    @Test func `an hour that a simulation plays in a minute covers the same way`() throws {
        let events = (0...3600).map { second in
            (LocationEvent.location(MadeUpSession.moving(Double(second))), Double(second) / 60)
        }
        let distance = try #require(way(of: MadeUpSession.tracked(events)))
        #expect(abs(distance - 36_000) < 50, "\(distance)")
    }
}
