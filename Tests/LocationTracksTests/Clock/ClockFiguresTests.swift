import LocationCore
import Testing

@testable import LocationTracks

@Suite struct ClockFiguresTests {
    @Test func `few comparisons have neither drift nor jitter, and none have no figures`() {
        #expect(ClockFigures(ClockSeries()) == nil)
        let figures = ClockFigures(ClockSamples.series((0..<9).map { Int64($0) }))
        #expect(figures?.drift == nil && figures?.jitter == nil && figures?.allanDeviations.isEmpty == true)
    }

    @Test(arguments: [([7], 7), ([9, 1, 4, 3], 3), ([-9, -1, -4, -3], -4), ([5, 1, 100], 5)] as [([Int64], Int64)])
    func `the median of an even number is the mean of the middle two`(offsets: [Int64], median: Int64) {
        #expect(ClockFigures(ClockSamples.series(offsets))?.median == median)
    }

    @Test func `the spread leaves out a twentieth at each end`() {
        let figures = ClockFigures(ClockSamples.series([-1_000_000] + (0..<18).map { Int64($0) } + [1_000_000]))
        #expect(figures?.spread == 17)
        #expect(figures?.smallest == -1_000_000 && figures?.largest == 1_000_000)
    }

    @Test func `a clock that is too fast has a positive drift and no jitter`() throws {
        // A nanosecond in a millisecond is a part in a million.
        let figures = try #require(ClockFigures(ClockSamples.series((0..<300).map { $0 * 12_000 })))
        #expect(abs(try #require(figures.drift) - 12) < 1e-9)
        #expect(try #require(figures.jitter) < 1e-3)
        #expect(figures.allanDeviations.map(\.interval) == [1, 10, 100])
        #expect(figures.allanDeviations.allSatisfy { $0.deviation < 1e-15 })
    }

    @Test func `a drift that the scatter hides is not known`() throws {
        let noise: [Int64] = [0, 3, -2, 1, -3, 2, 0, -1, 3, -2, 1, 0, -3, 2, 86].map { $0 * 1_000_000 }
        let hidden = try #require(ClockFigures(ClockSamples.series(noise)))
        #expect(hidden.drift != nil && !hidden.isDriftKnown)
        let clear = try #require(ClockFigures(ClockSamples.series((0..<15).map { $0 * 30_000 + $0 % 2 * 1000 })))
        #expect(clear.isDriftKnown)
    }

    @Test func `drift and jitter do not depend on the size of the offset`() throws {
        let near: [Int64] = (0..<200).map { $0 * 5_000 + ($0 % 2 == 0 ? 300 : -300) }
        let far = near.map { $0 + 600_000_000_000_000_000 }
        let one = try #require(ClockFigures(ClockSamples.series(near)))
        let other = try #require(ClockFigures(ClockSamples.series(far)))
        #expect(one.drift == other.drift && one.jitter == other.jitter)
        #expect(one.allanDeviations == other.allanDeviations)
    }

    @Test func `seconds without an offset leave out the terms of the Allan deviation that need them`() throws {
        var series = ClockSeries()
        // Every third second is missing, so that no three consecutive ones are there.
        for second in 0..<200 where second % 3 != 2 {
            series.add(ClockSamples.sample(second: Double(second), offset: second % 2 == 0 ? 1000 : -1000))
        }
        #expect(try #require(ClockFigures(series)).allanDeviations.map(\.interval) == [])
    }
}
