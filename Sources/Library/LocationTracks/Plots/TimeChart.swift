import LocationCore

/// A chart over time, which SVG and a terminal draw from the same points.
struct TimeChart: Hashable, Sendable {
    struct Point: Hashable, Sendable {
        /// The time since the beginning, in seconds.
        var second: Double
        var value: Double
        /// The values around that of a step that is longer than a second.
        var band: ClosedRange<Double>?
    }

    var title: String
    /// The points in runs without a pause.
    var runs: [[Point]]
    var scale: ClosedRange<Double>
    /// The seconds that the chart shows.
    var duration: Double
    /// The room above the greatest value, as a share of the scale, and the least number of marks.
    var headroom = 0.0
    var leastMarks = 3.0

    // MARK: SVG

    /// The columns of a chart in a picture.
    static let (left, right, top) = (44.0, 950.0, 14.0)

    static func x(_ second: Double, of duration: Double) -> Double {
        left + (right - left) * min(1, max(0, second / duration))
    }

    static func drawAxis(_ title: String, _ seconds: Double, height: Double, on canvas: inout SVGCanvas) {
        canvas.text(title, left, 8, "p")
        let duration = Duration(clampingSeconds: seconds)
        let step = RoundNumber.step(of: duration, atMost: 10)
        var mark = Duration.zero
        while mark <= duration {
            let x = x(mark.inSeconds, of: seconds)
            canvas.line(x, top, x, top + height + 4, "grid")
            canvas.text(RoundNumber.clock(mark), x, top + height + 16, "s", .middle)
            mark += step
        }
    }

    func draw(height: Double, on canvas: inout SVGCanvas) {
        Self.drawAxis(title, duration, height: height, on: &canvas)
        let (lowest, extent) = (scale.lowerBound, (scale.upperBound - scale.lowerBound) * (1 + headroom))
        func y(_ value: Double) -> Double { Self.top + height - (value - lowest) * height / extent }
        let pitch = RoundNumber.below((scale.upperBound - lowest) / leastMarks)
        // The marks are counted, because adding a step that is tiny beside the values would never reach the end.
        for count in 0...20 {
            let value = (lowest / pitch).rounded(.up) * pitch + Double(count) * pitch
            guard value <= lowest + extent else { break }
            canvas.line(Self.left, y(value), Self.right, y(value), "grid")
            canvas.text(RoundNumber.text(value), Self.left - 6, y(value) + 4, "s", .end)
        }
        for run in runs {
            let places = run.map { Self.x($0.second, of: duration) }
            let bands = zip(places, run).compactMap { x, point in point.band.map { (x, $0) } }
            canvas.path(
                bands.map { ($0, y($1.upperBound)) } + bands.reversed().map { ($0, y($1.lowerBound)) }, "band",
                closed: true)
            let points = zip(places, run).map { ($0, y($1.value)) }
            if points.count == 1 { canvas.dots(points, "dot") } else { canvas.path(points, "curve") }
        }
    }

    // MARK: The terminal

    /// The columns left of a chart in a terminal.
    static let margin = 8

    /// Returns an empty chart with a title and the times of its ends.
    static func terminal(_ title: String, _ seconds: Double, columns: Int, rows: Int) -> BrailleCanvas {
        var canvas = BrailleCanvas(columns: columns, rows: rows + 2)
        canvas.text(String(title.prefix(columns - margin)), column: margin, row: 0)
        let end = RoundNumber.clock(Duration(clampingSeconds: seconds))
        canvas.text("0:00", column: margin, row: rows + 1)
        canvas.text(end, column: columns - end.count, row: rows + 1)
        return canvas
    }

    /// Returns the chart with a number of rows for its values.
    func terminal(columns: Int, rows: Int) -> BrailleCanvas {
        var canvas = Self.terminal(title, duration, columns: columns, rows: rows)
        let (width, height) = (Double((columns - Self.margin) * 2 - 1), Double(rows * 4 - 1))
        let extent = scale.upperBound - scale.lowerBound
        for run in runs {
            canvas.path(
                run.map { point in
                    (
                        Double(Self.margin * 2) + width * min(1, max(0, point.second / duration)),
                        4 + height * (scale.upperBound - point.value) / extent
                    )
                }, .blue)
        }
        for (value, row) in [(scale.upperBound, 1), (scale.lowerBound, rows)] {
            let text = String(RoundNumber.text(value).suffix(Self.margin - 1))
            canvas.text(text, column: Self.margin - 1 - text.count, row: row)
        }
        return canvas
    }
}
