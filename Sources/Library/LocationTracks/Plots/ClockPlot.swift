import LocationCore

/// A picture of the offsets of the host's clock over time: a chart for each receiver and signal.
package struct ClockPlot: Picture {
    private static let receiverLimit = 4
    /// The pause after which a line is interrupted, in seconds.
    private static let longestGap = 5.0

    /// The charts of offsets, as their difference from the median.
    let charts: [TimeChart]
    /// The seconds from the first comparison to the last.
    let duration: Double
    private let title: String

    package init(_ clocks: ClockStatistics, title: String) {
        self.title = title
        let series = clocks.all.prefix(Self.receiverLimit).flatMap { entry in
            [("pulse", entry.clock.pulses), ("messages", entry.clock.messages)].map { (entry.device, $0.0, $0.1) }
        }.filter { $0.2.count > 0 }
        let times = series.flatMap { [$0.2.points.first?.time, $0.2.points.last?.time].compactMap(\.self) }
        let first = times.min() ?? 0
        let duration = max(1, Double((times.max() ?? 0).subtractingClamped(first)) * 1e-9)
        self.duration = duration
        charts = series.compactMap { Self.chart($0.2, of: $0.1, device: $0.0, since: first, duration) }
    }

    private static func chart(
        _ series: ClockSeries, of name: String, device: String?, since first: Int64, _ duration: Double
    ) -> TimeChart? {
        guard let figures = ClockFigures(series) else { return nil }
        let extent = Double(figures.largest.subtractingClamped(figures.smallest))
        let (unit, size): (String, Double) =
            switch extent {
            case ..<2e3: ("ns", 1)
            case ..<2e6: ("µs", 1e3)
            case ..<2e9: ("ms", 1e6)
            default: ("s", 1e9)
            }
        let points = series.points.map { point in
            TimeChart.Point(
                second: Double(point.time.subtractingClamped(first)) * 1e-9,
                value: Double(point.offset.subtractingClamped(figures.median)) / size)
        }
        let middle = RoundNumber.text(Double(figures.median) / 1e6)
        let owner = device.map { " of \(VisibleText.of($0).shortened(to: 24))" } ?? ""
        let values = points.map(\.value)
        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
        return TimeChart(
            title: "Offset by the \(name)\(owner), \(unit) from the median of \(middle) ms",
            runs: points.runs { $1.second - $0.second <= longestGap },
            scale: low < high ? low...high : low - 1...low + 1, duration: duration)
    }

    /// Returns the picture as lines of text for a terminal, with ASCII characters only if `isASCII`.
    package func terminal(columns: Int, colour: Bool, isASCII: Bool = false) -> String {
        let width = max(TrackPlot.fewestColumns, columns)
        return charts.flatMap { $0.terminal(columns: width, rows: 7).lines(colour: colour, isASCII: isASCII) }
            .map { $0.trimmingEnd() + "\n" }.joined()
    }

    package func svg(_ theme: TrackPlot.Theme = .automatic) -> [UInt8] {
        let (top, pitch) = (70.0, 206.0)
        let height = top + Double(max(1, charts.count)) * pitch + 20
        var canvas = SVGCanvas(title, "positive: the system clock is ahead of the receiver", height: height, theme)
        for (index, chart) in charts.enumerated() {
            canvas.openGroup(20, top + Double(index) * pitch)
            chart.draw(height: 150, on: &canvas)
            canvas.close("g")
        }
        canvas.text("time since the first comparison", 500, height - 12, "t", .middle)
        canvas.close("svg")
        return canvas.bytes
    }
}
