import LocationCore

extension TrackPlot {
    /// A chart over the time of the session.
    struct Strip {
        var title: String
        var series: TimeSeries?
        var height: Double
        /// Whether the scale begins at zero instead of the smallest value.
        var beginsAtZero = true

        /// The range of values that the chart shows.
        var scale: ClosedRange<Double> {
            guard let range = series?.range else { return 0...1 }
            let low = beginsAtZero ? min(0, range.lowerBound) : range.lowerBound.rounded(.down)
            // A flat line needs a range too.
            return low...max(range.upperBound, low + 1e-9, beginsAtZero ? 0 : low + 1)
        }
    }

    var strips: [Strip] {
        guard statistics.duration > .zero else { return [] }
        let history = statistics.history
        var strips = [Strip(title: "State", series: nil, height: 26)]
        func add(_ title: String, _ series: TimeSeries, in unit: PlotUnits.Unit, beginsAtZero: Bool = true) {
            guard !series.steps.isEmpty else { return }
            strips.append(
                Strip(
                    title: "\(title), \(unit.name)", series: series.divided(by: unit.size), height: 100,
                    beginsAtZero: beginsAtZero))
        }
        add("Reported horizontal accuracy", history.accuracy, in: units.length)
        add("Error against the reference", history.error, in: units.length)
        add("Best signal", history.signal, in: ("dB-Hz", 1))
        add("Speed", history.speed, in: units.speed)
        if history.heightMSL.steps.isEmpty {
            add("Height above the ellipsoid", history.heightHAE, in: units.length, beginsAtZero: false)
        } else {
            add("Height above the sea", history.heightMSL, in: units.length, beginsAtZero: false)
        }
        return strips
    }

    func draw(_ strip: Strip, _ canvas: inout SVGCanvas) {
        let (left, right) = (44.0, 950.0)
        let duration = statistics.duration
        let top = 14.0
        let bottom = top + strip.height
        func x(_ time: Duration) -> Double { left + (right - left) * min(1, max(0, time / duration)) }
        canvas.text(strip.title, left, 8, "p")
        let step = RoundNumber.step(of: duration, atMost: 10)
        var mark = Duration.zero
        while mark <= duration {
            canvas.line(x(mark), top, x(mark), bottom + 4, "grid")
            canvas.text(RoundNumber.clock(mark), x(mark), bottom + 16, "s", .middle)
            mark += step
        }
        if let series = strip.series {
            drawCurve(series, on: strip.scale, &canvas, x, top: top, bottom: bottom, left: left, right: right)
        } else {
            drawStates(&canvas, x, top: top, height: strip.height)
        }
    }

    private func drawStates(_ canvas: inout SVGCanvas, _ x: (Duration) -> Double, top: Double, height: Double) {
        let states = statistics.history.states
        for (index, (start, state)) in states.enumerated() {
            let end = index + 1 < states.count ? states[index + 1].start : statistics.duration
            // The heights differ too, for readers who cannot tell the colours apart.
            let share = state == .found ? 1.0 : state == .searching ? 0.55 : 0.3
            canvas.rectangle(
                x(start), top + height * (1 - share), max(0.5, x(end) - x(start)), height * share, "\(state)")
        }
        var at = 690.0
        for (name, style, share) in [
            ("found", "found", 1.0), ("searching", "searching", 0.55), ("error", "error", 0.3),
        ] {
            canvas.rectangle(at, 8 - 11 * share, 14, 11 * share, style)
            canvas.text(name, at + 19, 8, "s")
            at += 90
        }
    }

    private func drawCurve(
        _ series: TimeSeries, on range: ClosedRange<Double>, _ canvas: inout SVGCanvas, _ x: (Duration) -> Double,
        top: Double, bottom: Double, left: Double, right: Double
    ) {
        let (lowest, extent) = (range.lowerBound, (range.upperBound - range.lowerBound) * 1.05)
        let scale = (bottom - top) / extent
        func y(_ value: Double) -> Double { bottom - (value - lowest) * scale }
        let mark = RoundNumber.below((range.upperBound - lowest) / 2)
        // The marks are counted, because adding a step that is tiny beside the values would never reach the end.
        for count in 0...20 {
            let value = (lowest / mark).rounded(.up) * mark + Double(count) * mark
            guard value <= lowest + extent else { break }
            canvas.line(left, y(value), right, y(value), "grid")
            canvas.text(RoundNumber.text(value), left - 6, y(value) + 4, "s", .end)
        }
        for run in series.runs {
            let steps = run.map { (x(series.width * Double($0) + series.width / 2), series.steps[$0]) }
            if series.width > .seconds(1) {
                let upper = steps.map { ($0.0, y($0.1.maximum)) }
                let lower = steps.reversed().map { ($0.0, y($0.1.minimum)) }
                canvas.path(upper + lower, "band", closed: true)
            }
            let points = steps.map { ($0.0, y($0.1.mean)) }
            if points.count == 1 { canvas.dots(points, "dot") } else { canvas.path(points, "curve") }
        }
    }
}

extension TimeSeries {
    /// The indices of steps with values in runs; a pause longer than three steps and five seconds is a gap.
    var runs: [[Int]] {
        let longestGap = max(3, Int(clamping: Duration.seconds(5) / width))
        var runs: [[Int]] = []
        for index in steps.indices where steps[index].count > 0 {
            if let last = runs.last?.last, index - last <= longestGap {
                runs[runs.count - 1].append(index)
            } else {
                runs.append([index])
            }
        }
        return runs
    }
}
