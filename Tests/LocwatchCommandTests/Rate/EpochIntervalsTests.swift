import LocationCore
import TestSupport
import Testing

@testable import LocwatchCommand

@Suite struct EpochIntervalsTests {
    private func intervals(_ milliseconds: [Int]) -> EpochIntervals {
        var intervals = EpochIntervals()
        var time = Timestamp(nanosecondsSince1970: 1_790_000_000_000_000_000)
        for step in [0] + milliseconds {
            time = time.advanced(by: .milliseconds(step))
            intervals.note(Location(coordinate: Coordinate(latitude: 1, longitude: 2), timestamp: time))
        }
        return intervals
    }

    private func verdict(_ milliseconds: [Int], window: Duration = .seconds(1)) -> EpochIntervals.Verdict {
        var rules = RateRules()
        rules.window = window
        return intervals(milliseconds).verdict(on: .milliseconds(100), by: rules)
    }

    @Test func `ten right intervals within the window keep a rate`() {
        #expect(verdict(Array(repeating: 100, count: 10)) == .kept)
        #expect(verdict(Array(repeating: 100, count: 9)) == .undecided)
        #expect(verdict(Array(repeating: 100, count: 10), window: .seconds(2)) == .undecided)
        #expect(verdict(Array(repeating: 100, count: 20), window: .seconds(2)) == .kept)
    }

    @Test func `a median up to a tenth away is right`() {
        #expect(verdict(Array(repeating: 110, count: 10)) == .kept)
        #expect(verdict(Array(repeating: 90, count: 12)) == .kept)
        #expect(verdict(Array(repeating: 112, count: 10)) == .differs(.milliseconds(112)))
        // Single intervals swing, as those of a busy receiver.
        #expect(verdict([100, 140, 60, 100, 100, 100, 130, 70, 100, 100]) == .kept)
    }

    @Test func `more than half of wrong intervals decide before the last ones`() {
        #expect(verdict(Array(repeating: 1000, count: 5)) == .undecided)
        #expect(verdict(Array(repeating: 1000, count: 6)) == .differs(.seconds(1)))
    }

    @Test func `each missing epoch is counted`() {
        #expect(verdict(Array(repeating: 100, count: 10) + [200]) == .lost(1))
        #expect(verdict([100, 100, 400] + Array(repeating: 100, count: 7)) == .lost(3))
    }

    @Test func `positions without a time, of the same time or of an earlier one are no epochs`() {
        var some = intervals([100])
        let place = Coordinate(latitude: 1, longitude: 2)
        some.note(Location(coordinate: place))
        for time in [1_790_000_000_100_000_000, 1_790_000_000_000_000_000] as [Int64] {
            some.note(Location(coordinate: place, timestamp: Timestamp(nanosecondsSince1970: time)))
        }
        #expect(some.all == [.milliseconds(100)])
    }

    /// The wait for a slow receiver is five of its intervals, so that a jump by years would be a wait without an end.
    @Test func `a jump of the receiver's clock, forward or back, does not count`() {
        let years = 20 * 365 * 86_400_000
        #expect(intervals([1000, years, 1000, -years, 1000]).all == Array(repeating: .seconds(1), count: 3))
    }

    @Test func `the number of intervals is bounded`() {
        #expect(intervals(Array(repeating: 1, count: 5000)).all.count == 4096)
    }
}

@Suite struct LineCapacityTests {
    @Test func `a byte takes ten bits of a line`() throws {
        let capacity = try #require(
            LineCapacity(bytes: 1200, within: .seconds(3), cycle: .seconds(1), bitsPerSecond: 9600))
        #expect(capacity.bytesPerEpoch == 400)
        #expect(capacity.carries(cycle: .milliseconds(417)) && !capacity.carries(cycle: .milliseconds(416)))
        #expect(capacity.shortestCycle == .microseconds(416_667))
    }

    @Test(arguments: [(0, 1, 9600), (100, 5, 9600), (100, 1, nil), (100, 1, 0), (100, 0, 9600)] as [(Int, Int, Int?)])
    func `what is not known limits nothing`(bytes: Int, cycle: Int, speed: Int?) {
        #expect(LineCapacity(bytes: bytes, within: .seconds(3), cycle: .seconds(cycle), bitsPerSecond: speed) == nil)
    }

    @Test func `absurd counts do not trap`() {
        let capacity = LineCapacity(bytes: .max, within: .seconds(3), cycle: .seconds(1), bitsPerSecond: 1)
        #expect(capacity?.carries(cycle: .seconds(1)) == false)
    }
}
