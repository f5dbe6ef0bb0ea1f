import LocationCore
import Testing

@testable import LocationTracks

@Suite struct ClockSeriesTests {
    @Test func `a repeated or a late second is left out`() {
        var series = ClockSamples.series([1, 2, 3])
        series.add(ClockSamples.sample(second: 2, offset: 9))
        series.add(ClockSamples.sample(second: -1, offset: 9))
        #expect(series.points.map(\.offset) == [1, 2, 3])
        #expect(series.count == 3)
    }

    /// The receiver's date can go back too.
    @Test(
        arguments: [(4, 6_000_000_000), (4, -18_000_000_000), (4, 619_315_200_000_000_000), (-1.5, 4)]
            as [(Double, Int64)])
    func `a clock that is set starts anew, forwards or back`(second: Double, offset: Int64) {
        var series = ClockSamples.series([1, 2, 3])
        series.add(ClockSamples.sample(second: second, offset: offset))
        #expect(series.points.map(\.offset) == [offset] && series.count == 1)
    }

    @Test func `only the newest hour is kept, in order`() {
        let series = ClockSamples.series((0..<4000).map { Int64($0) })
        #expect(series.points.map(\.offset) == (400..<4000).map { Int64($0) })
        #expect(series.count == 4000)
    }

    @Test func `times at the limits of the representable range do not overflow`() throws {
        let extremes = [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max]
        for receiver in extremes {
            for host in extremes {
                var series = ClockSeries()
                for time in [receiver, host, receiver] {
                    series.add(
                        ClockSample(
                            .pulse, receiverTime: Timestamp(nanosecondsSince1970: time),
                            hostTime: Timestamp(nanosecondsSince1970: host), precision: .min, quantizationError: .max))
                }
                let figures = try #require(ClockFigures(series))
                #expect(figures.smallest <= figures.median && figures.median <= figures.largest)
            }
        }
    }

    @Test func `figures of extreme offsets are finite`() throws {
        var series = ClockSeries()
        for index in 0..<50 {
            let time = Int64.min + Int64(index) * 180_000_000_000_000_000
            series.add(
                ClockSample(
                    .message, receiverTime: Timestamp(nanosecondsSince1970: time),
                    hostTime: Timestamp(nanosecondsSince1970: time.addingReportingOverflow(4_000_000_000).partialValue)
                ))
        }
        let figures = try #require(ClockFigures(series))
        #expect(figures.drift?.isFinite == true && figures.jitter?.isFinite == true)
    }

    @Test func `quantisation errors of any size are gathered`() {
        var series = ClockSeries()
        for (second, error) in [-12_000, 0, 5_000, Int.max, Int.min].enumerated() {
            series.add(ClockSamples.sample(second: Double(second), offset: 0, quantizationError: error))
        }
        #expect(series.quantization.count == 5)
        #expect(series.quantization.smallest == .min && series.quantization.largest == .max)
        #expect(series.quantization.rootMeanSquare?.isFinite == true)
        #expect(ClockSeries().quantization.rootMeanSquare == nil)
    }
}
