import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct ClockPlotTests {
    /// A pulse with a pause and a drift, messages that scatter, and a receiver without a name and with two comparisons.
    @Test func `the picture of the clocks is as in its files`() throws {
        var clocks = ClockStatistics()
        func add(_ source: ClockSample.Source, _ second: Int, _ offset: Int, device: String? = "/dev/<ttyS0>") {
            let sample = ClockSamples.sample(source, second: Double(second), offset: Int64(offset), device: device)
            clocks.process(.clock(sample), at: MadeUpSession.moment(Double(second)))
        }
        for second in 0..<90 {
            if !(40..<50 ~= second) { add(.pulse, second, second * 15 + second % 3 * 200) }
            add(.message, second, 143_000_000 + second % 7 * 900_000)
        }
        for second in [3, 80] { add(.message, second, second * 50_000_000, device: nil) }
        let plot = ClockPlot(clocks, title: "clocks & more")
        try GoldenFile("clocks.svg").expect(String(decoding: plot.svg(), as: UTF8.self))
        try GoldenFile("clocks.txt").expect(plot.terminal(columns: 70, colour: false))
        #expect(ClockPlot(ClockStatistics(), title: "none").charts.isEmpty)
    }
}
