import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct FigureClockTests {
    /// Returns the seconds of the figures after positions with times of their receiver and of the session.
    private func seconds(_ positions: [(receiver: Double, session: Double)]) -> Double {
        var clock = FigureClock()
        var moment = MadeUpSession.moment(0)
        for position in positions {
            var location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), device: "a")
            location.timestamp = MadeUpSession.moment(position.receiver).wall
            moment = MadeUpSession.moment(position.session)
            clock.follow(location, at: moment.elapsed.clampedNanoseconds)
        }
        return clock.moment(of: moment).elapsed.inSeconds
    }

    @Test func `the time is the receiver's where a recording runs at another pace`() {
        #expect(seconds([(0, 0), (1, 1), (2, 2)]) == 2)
        // One interval of ten seconds in one does not count as a pace.
        #expect(seconds([(0, 0), (10, 1), (20, 2), (30, 3)]) == 21)
    }

    @Test func `a receiver's clock that is set does not count`() {
        #expect(seconds([(0, 0), (1, 1), (5000, 2), (5001, 3)]) == 3)
        #expect(seconds([(0, 0), (1, 1), (-5000, 2), (-4999, 3)]) == 3)
    }

    @Test func `two positions at one moment of the session leave its pace unknown`() {
        #expect(seconds([(0, 0), (1, 0), (100, 1)]) == 2)
    }

    @Test func `a clock that leaps by centuries overflows nothing`() {
        var clock = FigureClock()
        for turn in 0..<40 {
            var location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), device: "a")
            location.timestamp = Timestamp(nanosecondsSince1970: turn % 2 == 0 ? .min : .max)
            let arrival = turn % 3 == 0 ? Int64.max : Int64(turn)
            clock.follow(location, at: arrival)
            #expect(clock.time(of: arrival) >= 0)
        }
    }
}
