import LocationTesting
import Testing

@testable import LocationCore

@Suite struct RecentIntervalsTests {
    @Test func `the median is the lower one of the last five intervals, sorted`() {
        var random = SplitMix64(seed: 3)
        var intervals = RecentIntervals()
        #expect(intervals.median == nil)
        var all: [Duration] = []
        for _ in 0..<500 {
            let interval = Duration.milliseconds(Int(random.next() % 6) * 10_000_000 + 1)
            intervals.note(interval)
            all.append(interval)
            let last = all.suffix(5).sorted()
            #expect(intervals.count == last.count)
            #expect(intervals.median == last[(last.count - 1) / 2])
        }
    }

    @Test func `equal intervals in the same order are equal, wherever they are stored`() {
        var (left, right) = (RecentIntervals(), RecentIntervals())
        left.note(.seconds(9))
        for second in 1...5 {
            left.note(.seconds(second))
            right.note(.seconds(second))
        }
        #expect(left == right)
        #expect(Set([left, right]).count == 1)
        right.note(.seconds(6))
        #expect(left != right)
    }
}
