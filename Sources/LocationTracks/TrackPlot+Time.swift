import LocationCore

extension TrackPlot {
    /// A picture of something over the time of the session.
    struct Strip {
        var title: String
        var series: TimeSeries?
        var height: Double
    }

    var strips: [Strip] {
        guard statistics.duration > .zero else { return [] }
        let history = statistics.history
        var strips = [Strip(title: "State", series: nil, height: 26)]
        if !history.accuracy.steps.isEmpty {
            strips.append(Strip(title: "Reported horizontal accuracy, m", series: history.accuracy, height: 100))
        }
        if !history.signal.steps.isEmpty {
            strips.append(Strip(title: "Best signal, dB-Hz", series: history.signal, height: 100))
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
            drawCurve(series, &canvas, x, top: top, bottom: bottom, left: left, right: right)
        } else {
            drawStates(&canvas, x, top: top, height: strip.height)
        }
    }

    private func drawStates(_ canvas: inout SVGCanvas, _ x: (Duration) -> Double, top: Double, height: Double) {
        let states = statistics.history.states
        for (index, (start, state)) in states.enumerated() {
            let end = index + 1 < states.count ? states[index + 1].start : statistics.duration
            // Heights differ too, for whoever sees no colours.
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
        _ series: TimeSeries, _ canvas: inout SVGCanvas, _ x: (Duration) -> Double,
        top: Double, bottom: Double, left: Double, right: Double
    ) {
        let highest = series.steps.filter { $0.count > 0 }.map(\.maximum).max() ?? 1
        let scale = (bottom - top) / max(highest * 1.05, 1e-9)
        let mark = RoundNumber.below(highest / 2)
        for value in RoundNumber.marks(upTo: highest * 1.05, every: mark) {
            canvas.line(left, bottom - value * scale, right, bottom - value * scale, "grid")
            canvas.text(RoundNumber.text(value), left - 6, bottom - value * scale + 4, "s", .end)
        }
        for run in series.runs {
            let steps = run.map { (x(series.width * Double($0) + series.width / 2), series.steps[$0]) }
            if series.width > .seconds(1) {
                let upper = steps.map { ($0.0, bottom - $0.1.maximum * scale) }
                let lower = steps.reversed().map { ($0.0, bottom - $0.1.minimum * scale) }
                canvas.path(upper + lower, "band", closed: true)
            }
            let points = steps.map { ($0.0, bottom - $0.1.mean * scale) }
            if points.count == 1 { canvas.dots(points, "dot") } else { canvas.path(points, "curve") }
        }
    }
}

extension TimeSeries {
    /// Steps with values that follow each other closely; a pause longer than three steps and five seconds is a gap.
    var runs: [[Int]] {
        let patience = max(3, Int(clamping: Duration.seconds(5) / width))
        var runs: [[Int]] = []
        for index in steps.indices where steps[index].count > 0 {
            if let last = runs.last?.last, index - last <= patience {
                runs[runs.count - 1].append(index)
            } else {
                runs.append([index])
            }
        }
        return runs
    }
}
