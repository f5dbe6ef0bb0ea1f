import LocationCore

/// A picture of the offsets of the host's clock over time: a chart for each receiver and signal.
package struct ClockPlot: Picture {
    /// A chart of offsets, as their difference from the median.
    struct Chart: Hashable, Sendable {
        var title: String
        /// The points in runs without a pause: the seconds since the first comparison, and the value in the unit.
        var runs: [[Point]]

        struct Point: Hashable, Sendable {
            var second: Double
            var value: Double
        }

        /// The range of the values, which is never empty.
        var scale: ClosedRange<Double> {
            let values = runs.joined().map(\.value)
            let (low, high) = (values.min() ?? 0, values.max() ?? 0)
            return low < high ? low...high : low - 1...low + 1
        }
    }

    /// The number of receivers that are drawn.
    private static let receiverLimit = 4
    /// The pause after which a line is interrupted, in seconds.
    private static let longestGap = 5.0

    let charts: [Chart]
    /// The seconds from the first comparison to the last.
    let duration: Double
    private let title: String

    /// Creates a picture of the clocks so far.
    package init(_ clocks: ClockStatistics, title: String) {
        self.title = title
        let series = clocks.all.prefix(Self.receiverLimit).flatMap { entry in
            [("pulse", entry.clock.pulses), ("messages", entry.clock.messages)].map { (entry.device, $0.0, $0.1) }
        }.filter { $0.2.count > 0 }
        let times = series.flatMap { [$0.2.points.first?.time, $0.2.points.last?.time].compactMap(\.self) }
        let first = times.min() ?? 0
        duration = max(1, Double((times.max() ?? 0).subtractingClamped(first)) * 1e-9)
        charts = series.compactMap { Self.chart($0.2, of: $0.1, device: $0.0, since: first) }
    }

    private static func chart(_ series: ClockSeries, of name: String, device: String?, since first: Int64) -> Chart? {
        guard let figures = ClockFigures(series) else { return nil }
        let extent = Double(figures.largest.subtractingClamped(figures.smallest))
        let (unit, size) =
            extent < 2e3 ? ("ns", 1.0) : extent < 2e6 ? ("µs", 1e3) : extent < 2e9 ? ("ms", 1e6) : ("s", 1e9)
        var runs: [[Chart.Point]] = []
        for point in series.points {
            let place = Chart.Point(
                second: Double(point.time.subtractingClamped(first)) * 1e-9,
                value: Double(point.offset.subtractingClamped(figures.median)) / size)
            if let last = runs.last?.last, place.second - last.second <= longestGap {
                runs[runs.count - 1].append(place)
            } else {
                runs.append([place])
            }
        }
        let middle = RoundNumber.text(Double(figures.median) / 1e6)
        let owner = device.map { " of \(VisibleText.of($0).shortened(to: 24))" } ?? ""
        return Chart(title: "Offset by the \(name)\(owner), \(unit) from the median of \(middle) ms", runs: runs)
    }

    /// Returns the picture as lines of text for a terminal, with ASCII characters only if `isASCII`.
    package func terminal(columns: Int, colour: Bool, isASCII: Bool = false) -> String {
        let width = max(TrackPlot.fewestColumns, columns)
        return charts.flatMap { terminal($0, width).lines(colour: colour, isASCII: isASCII) }
            .map { $0.trimmingEnd() + "\n" }.joined()
    }

    private func terminal(_ chart: Chart, _ columns: Int) -> BrailleCanvas {
        let (left, rows) = (8, 7)
        var canvas = BrailleCanvas(columns: columns, rows: rows + 2)
        canvas.text(String(chart.title.prefix(columns - left)), column: left, row: 0)
        let (width, height) = (Double((columns - left) * 2 - 1), Double(rows * 4 - 1))
        let scale = chart.scale
        let extent = scale.upperBound - scale.lowerBound
        for run in chart.runs {
            let points = run.map { point in
                (
                    Double(left * 2) + width * min(1, max(0, point.second / duration)),
                    4 + height * (scale.upperBound - point.value) / extent
                )
            }
            canvas.path(points, 36)
        }
        for (value, row) in [(scale.upperBound, 1), (scale.lowerBound, rows)] {
            let text = String(RoundNumber.text(value).suffix(left - 1))
            canvas.text(text, column: left - 1 - text.count, row: row)
        }
        let end = RoundNumber.clock(Duration(clampingSeconds: duration))
        canvas.text("0:00", column: left, row: rows + 1)
        canvas.text(end, column: columns - end.count, row: rows + 1)
        return canvas
    }

    /// Returns the picture as an SVG document.
    package func svg(_ theme: TrackPlot.Theme = .automatic) -> [UInt8] {
        let (top, pitch) = (70.0, 206.0)
        let height = top + Double(max(1, charts.count)) * pitch + 20
        var canvas = SVGCanvas()
        canvas.raw(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" height=\"\(Int(clamping: height))\" "
                + "viewBox=\"0 0 1000 \(Int(clamping: height))\" role=\"img\">\n<title>")
        canvas.text(escaped: title)
        canvas.raw("</title>\n<style>\(TrackPlotStyle.sheet(theme))</style>\n")
        canvas.rectangle(0, 0, 1000, height, "page")
        canvas.text(title.shortened(to: 70), 20, 30, "h")
        canvas.text("positive: the system clock is ahead of the receiver", 20, 50, "t")
        for (index, chart) in charts.enumerated() {
            canvas.openGroup(20, top + Double(index) * pitch)
            draw(chart, &canvas)
            canvas.close("g")
        }
        canvas.text("time since the first comparison", 500, height - 12, "t", .middle)
        canvas.close("svg")
        return canvas.bytes
    }

    private func draw(_ chart: Chart, _ canvas: inout SVGCanvas) {
        let (left, right, top, bottom) = (44.0, 950.0, 14.0, 164.0)
        let scale = chart.scale
        let extent = scale.upperBound - scale.lowerBound
        func x(_ second: Double) -> Double { left + (right - left) * min(1, max(0, second / duration)) }
        func y(_ value: Double) -> Double { bottom - (bottom - top) * (value - scale.lowerBound) / extent }
        canvas.text(chart.title, left, 8, "p")
        let whole = Duration(clampingSeconds: duration)
        let step = RoundNumber.step(of: whole, atMost: 10)
        var mark = Duration.zero
        while mark <= whole {
            canvas.line(x(mark / .seconds(1)), top, x(mark / .seconds(1)), bottom + 4, "grid")
            canvas.text(RoundNumber.clock(mark), x(mark / .seconds(1)), bottom + 16, "s", .middle)
            mark += step
        }
        let pitch = RoundNumber.below(extent / 3)
        // The marks are counted, because adding a step that is tiny beside the values would never reach the end.
        for count in 0...20 {
            let value = (scale.lowerBound / pitch).rounded(.up) * pitch + Double(count) * pitch
            guard value <= scale.upperBound else { break }
            canvas.line(left, y(value), right, y(value), "grid")
            canvas.text(RoundNumber.text(value), left - 6, y(value) + 4, "s", .end)
        }
        for run in chart.runs {
            let points = run.map { (x($0.second), y($0.value)) }
            if points.count == 1 { canvas.dots(points, "dot") } else { canvas.path(points, "curve") }
        }
    }
}
