import LocationCore

/// The box with the accuracy, speed, altitude, satellites, signal and state of the last minutes.
struct HistoryBox {
    private let state: MonitorState
    private let view: MonitorView

    private struct Series {
        let name: String
        let value: (MonitorHistory.Second) -> Float
        let text: (Double) -> String
    }

    init(_ state: MonitorState, _ view: MonitorView) { (self.state, self.view) = (state, view) }

    func draw(on frame: inout Frame, in area: Area) {
        let seconds = state.history.seconds
        guard area.rows >= 2, area.columns >= 24 else { return }
        var graphs = area
        drawState(seconds, on: &frame, in: graphs.takeBottom(1))
        let present = series.filter { series in seconds.contains { !series.value($0).isNaN } }
        guard !present.isEmpty else {
            frame.put("no figures yet", area.column + 1, area.row, .faint, in: area)
            return
        }
        let shown = present.prefix(graphs.rows)
        let height = max(1, min(4, graphs.rows / shown.count))
        for series in shown { draw(series, seconds, on: &frame, in: graphs.takeTop(height)) }
    }

    private var series: [Series] {
        let text = MonitorText(view)
        let length = view.units.length(1)
        let speed = view.units.speed(1)
        func plain(_ decimals: Int) -> (Double) -> String { { text.fixed($0, decimals) } }
        return [
            Series(name: "acc \(length.unit)", value: \.accuracy) { text.fixed($0 * length.value, 1) },
            Series(name: speed.unit, value: \.speed) { text.fixed($0 * speed.value, 1) },
            Series(name: "used", value: \.used, text: plain(0)),
            Series(name: "alt \(length.unit)", value: \.altitude) { text.fixed($0 * length.value, 0) },
            Series(name: "dB-Hz", value: \.signal, text: plain(0)),
            Series(name: "clock s", value: \.clock, text: plain(3)),
        ]
    }

    private var span: Int { view.showsHour ? 3600 : 600 }

    private func draw(
        _ series: Series, _ seconds: Ring<MonitorHistory.Second>, on frame: inout Frame, in area: Area
    ) {
        let (left, right) = (8, 12)
        let columns = area.columns - left - right
        guard columns > 0, area.rows > 0 else { return }
        var dots = DotCanvas(columns: columns, rows: area.rows, view.glyphs)
        let steps = means(series, seconds, count: dots.width)
        let known = steps.filter { !$0.isNaN }
        frame.put(series.name, area.column + 1, area.row, .faint, in: area.cut(before: area.column + left))
        guard let low = known.min(), let high = known.max() else { return }
        let texts = [series.text(low), series.text(high)]
        let shown = texts[0] == texts[1] ? texts[0] : texts.joined(separator: view.glyphs == .ascii ? ".." : "…")
        frame.put(
            ShortenedText.middle(shown, to: right - 1, view.glyphs.text), area.column + area.columns - right + 1,
            area.row, .plain, in: area)
        let graph = Area(column: area.column + left, row: area.row, columns: columns, rows: area.rows)
        let scale = high > low ? high - low : 1
        if view.glyphs == .braille {
            for (x, value) in steps.enumerated() where !value.isNaN {
                let y = (1 - (value - low) / scale) * Double(dots.height - 1)
                dots.dot(Double(x), high > low ? y : Double((dots.height - 1) / 2), .title)
            }
            dots.draw(on: &frame, at: graph)
        } else {
            for (x, value) in steps.enumerated() where !value.isNaN {
                let level = view.glyphs.level(high > low ? (value - low) / scale * 0.999 : 0.5)
                frame.set(graph.column + x, graph.row + graph.rows - 1, level, .title)
            }
        }
    }

    /// Returns the mean of a figure for each of `count` steps up to now; NaN where it is not known.
    private func means(_ series: Series, _ seconds: Ring<MonitorHistory.Second>, count: Int) -> [Double] {
        (0..<count).map { step in
            let (start, end) = bounds(step, of: count, seconds.count)
            var (sum, number) = (0.0, 0.0)
            for index in start..<end {
                let value = series.value(seconds[index])
                guard value.isFinite else { continue }
                sum += Double(value)
                number += 1
            }
            return number > 0 ? sum / number : .nan
        }
    }

    /// Returns the entries of the history that belong to a step.
    private func bounds(_ step: Int, of count: Int, _ entries: Int) -> (start: Int, end: Int) {
        let start = entries - span + span * step / count
        let end = entries - span + span * (step + 1) / count
        return (min(max(0, start), entries), min(max(0, max(end, start + 1)), entries))
    }

    private func drawState(_ seconds: Ring<MonitorHistory.Second>, on frame: inout Frame, in area: Area) {
        let left = 8
        frame.put("state", area.column + 1, area.row, .faint, in: area)
        let columns = area.columns - left - 1
        guard columns > 0 else { return }
        for column in 0..<columns {
            let (start, end) = bounds(column, of: columns, seconds.count)
            guard start < end else { continue }
            // The worst state of a step is shown, so that a short loss is not hidden.
            let worst = (start..<end).map { seconds[$0].state.badness }.max() ?? 0
            let (mark, style): (Unicode.Scalar, CellStyle) =
                switch (worst, view.glyphs == .ascii) {
                case (0, false): ("█", CellStyle(tint: .good))
                case (1, false): ("░", CellStyle(tint: .waiting))
                case (_, false): ("×", CellStyle(tint: .bad))
                case (0, true): ("#", CellStyle(tint: .good))
                case (1, true): (".", CellStyle(tint: .waiting))
                case (_, true): ("x", CellStyle(tint: .bad))
                }
            frame.set(area.column + left + column, area.row, mark, style)
        }
    }
}

extension MonitorHistory.State {
    fileprivate var badness: Int {
        switch self {
        case .found: 0
        case .searching: 1
        case .error: 2
        }
    }
}
