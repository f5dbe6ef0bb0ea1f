import LocationCore

extension TrackPlot {
    /// A chart over the time of the session.
    struct Strip {
        var title: String
        var series: TimeSeries?
        var height: Double
        /// Whether the scale begins at zero instead of the smallest value.
        var beginsAtZero = true

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
        if let chart = chart(of: strip, withBands: true) { return chart.draw(height: strip.height, on: &canvas) }
        TimeChart.drawAxis(strip.title, seconds, height: strip.height, on: &canvas)
        drawStates(&canvas, top: TimeChart.top, height: strip.height)
    }

    var seconds: Double { statistics.duration.inSeconds }

    /// Returns the chart of a strip, unless it shows the states.
    ///
    /// - Parameter withBands: Whether a step has the middle of its time, and the range of its values.
    func chart(of strip: Strip, withBands: Bool) -> TimeChart? {
        guard let series = strip.series else { return nil }
        let runs = series.runs.map { run in
            run.map { place in
                let step = series.steps[place]
                let time = series.width * Double(place) + (withBands ? series.width / 2 : .zero)
                let hasBand = withBands && series.width > .seconds(1)
                return TimeChart.Point(
                    second: time.inSeconds, value: step.mean, band: hasBand ? step.minimum...step.maximum : nil)
            }
        }
        return TimeChart(
            title: strip.title, runs: runs, scale: strip.scale, duration: seconds, headroom: 0.05, leastMarks: 2)
    }

    private func drawStates(_ canvas: inout SVGCanvas, top: Double, height: Double) {
        let states = statistics.history.states
        func x(_ time: Duration) -> Double { TimeChart.x(time.inSeconds, of: seconds) }
        for (index, (start, state)) in states.enumerated() {
            let end = index + 1 < states.count ? states[index + 1].start : statistics.duration
            // The heights differ too, for readers who cannot tell the colours apart.
            let share =
                switch state {
                case .found: 1.0
                case .searching: 0.55
                default: 0.3
                }
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
}

extension TimeSeries {
    /// The indices of steps with values in runs; a pause longer than three steps and five seconds is a gap.
    var runs: [[Int]] {
        let longestGap = max(3, Int(clamping: Duration.seconds(5) / width))
        return steps.indices.filter { steps[$0].count > 0 }.runs { $1 - $0 <= longestGap }
    }
}

extension Sequence {
    /// Returns the elements in runs, which end where the next element is not near the one before it.
    func runs(_ isNear: (_ last: Element, _ next: Element) -> Bool) -> [[Element]] {
        reduce(into: []) { runs, element in
            if let last = runs.last?.last, isNear(last, element) {
                runs[runs.count - 1].append(element)
            } else {
                runs.append([element])
            }
        }
    }
}
