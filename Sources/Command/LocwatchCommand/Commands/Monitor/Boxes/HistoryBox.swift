import LocationCore
import LocwatchSupport
import LocwatchTerminal

/// The box with the accuracy, speed, altitude, satellites, signal, clock and state of the last minutes.
struct HistoryBox: MonitorBox {
    static let name = "history"
    static let key: Unicode.Scalar? = "3"

    let state: MonitorState
    let view: MonitorView

    private struct Series {
        let name: String
        let figure: (MonitorHistory.Second) -> MonitorHistory.Figure
        /// The factor for the unit that is shown.
        var factor = 1.0
        var decimals = 0
    }

    /// The columns of the names, and of the ranges.
    private static let (left, right) = (8, 12)

    func region(on screen: ScreenSize, room: Int) -> BoxRegion? {
        // On a small screen there is no room for the history beside a track that was asked for.
        screen.rows >= (view.ground == .automatic ? 20 : 36) ? .left : nil
    }

    func rows(of rows: Int, above others: [any MonitorBox]) -> Int { max(7, rows * 2 / 5) }

    func rowsForPosition(of rows: Int) -> Int { max(9, rows - 7) }

    var title: String { "\(view.showsHour ? "last hour" : "last 10 min"): \(range("lowest", "highest"))" }

    func draw(on frame: inout Frame, in area: Area) {
        guard area.rows >= 2, area.columns >= 24 else { return }
        var graphs = area
        drawState(on: &frame, in: graphs.takeBottom(1))
        // Braille characters have two dots side by side.
        let most = max(1, area.columns - Self.left - Self.right) * (view.glyphs == .braille ? 2 : 1)
        let ranges = bounds(steps(most), isComplete: true)
        let known = series.map { (series: $0, steps: figures($0, ranges)) }.filter { !$0.steps.lowest.isNaN }
        guard !known.isEmpty else {
            frame.put("no figures yet", area.column + 1, area.row, .faint, in: area)
            return
        }
        let shown = known.prefix(graphs.rows)
        let height = max(1, min(4, graphs.rows / shown.count))
        for (series, steps) in shown { draw(series, steps, on: &frame, in: graphs.takeTop(height)) }
    }

    private var series: [Series] {
        let length = view.units.length(1)
        let speed = view.units.speed(1)
        var series = [
            Series(name: "acc \(length.unit)", figure: { $0.accuracy }, factor: length.value, decimals: 1),
            Series(name: speed.unit, figure: { $0.speed }, factor: speed.value, decimals: 1),
            Series(name: "used", figure: { $0.used }),
            Series(name: "alt \(length.unit)", figure: { $0.altitude }, factor: length.value),
            Series(name: "dB-Hz", figure: { $0.signal }),
            Series(name: "delay s", figure: { $0.delay }, decimals: 2),
        ]
        if let clock = state.scene.clock {
            let unit = clock.unit(view.glyphs.text)
            series.append(Series(name: "\(clock.name) \(unit.name)", figure: { $0.clock }, factor: unit.count))
        }
        return series
    }

    private func range(_ low: String, _ high: String) -> String {
        low == high && !low.isEmpty ? low : "\(low)\(view.glyphs == .ascii ? ".." : "…")\(high)"
    }

    /// Returns the lowest and the highest value, with as many decimals as there is room for.
    private func range(of series: Series, _ figures: Figures) -> String {
        let room = Self.right - 1
        let (low, high) = (figures.lowest.decimal * series.factor, figures.highest.decimal * series.factor)
        var forms = (0...series.decimals).reversed().map { range(text.fixed(low, $0), text.fixed(high, $0)) }
        // A number without some of its digits would be another one.
        forms += [range("", text.fixed(high, 0)), range("", "")]
        return forms.first { $0.unicodeScalars.count <= room } ?? ""
    }

    private func draw(_ series: Series, _ figures: Figures, on frame: inout Frame, in area: Area) {
        let columns = area.columns - Self.left - Self.right
        guard columns > 0, area.rows > 0 else { return }
        frame.put(series.name, area.column + 1, area.row, .faint, in: area.cut(before: area.column + Self.left))
        let (steps, low, high) = (figures.means, Double(figures.lowest), Double(figures.highest))
        frame.put(
            range(of: series, figures), area.column + area.columns - Self.right + 1, area.row, .plain, in: area)
        let graph = Area(column: area.column + Self.left, row: area.row, columns: columns, rows: area.rows)
        var dots = DotCanvas(columns: columns, rows: area.rows, view.glyphs)
        for (step, value) in steps.enumerated() where !value.isNaN {
            let place = dots.width - steps.count + step
            let share = high > low ? (value - low) / (high - low) : 0.5
            if view.glyphs == .braille {
                dots.dot(Double(place), (1 - share) * Double(dots.height - 1), .title)
            } else {
                let level = view.glyphs.level(high > low ? share * 0.999 : share)
                frame.set(graph.column + place, graph.row + graph.rows - 1, level, .title)
            }
        }
        dots.draw(on: &frame, at: graph)
    }

    // MARK: Steps

    /// Returns the most steps of whole seconds, at most `most`, that cover the history: their number and their width.
    private func steps(_ most: Int) -> (count: Int, width: Int) {
        let span = view.showsHour ? 3600 : 600
        let width = max(1, (span + most - 1) / most)
        return ((span + width - 1) / width, width)
    }

    /// Returns the entries of the history in each step, the newest last.
    ///
    /// The steps begin at multiples of their width, so that a graph moves on once in each step, instead of changing
    /// everywhere at each second.
    private func bounds(_ steps: (count: Int, width: Int), isComplete: Bool) -> [Range<Int>] {
        let entries = state.scene.history.seconds.count
        guard entries > 0 else { return [] }
        let newest = Int(clamping: state.scene.history.newest ?? 0)
        // Figures of the newest second can still change, and those of its step too; a short history shows them all the same.
        let isYoung = entries <= steps.width + 1
        let last = isComplete && !isYoung ? newest / steps.width - 1 : newest / steps.width
        let end = isComplete ? entries - 1 : entries
        return (0..<steps.count).map { step in
            let second = (last - steps.count + 1 + step) * steps.width
            let start = entries - 1 - (newest - second)
            return min(max(0, start), end)..<min(max(0, start + steps.width), end)
        }
    }

    /// The mean of a figure for each complete step, NaN where it is not known, and the lowest and highest value of all
    /// seconds, also of those whose step is not complete.
    private struct Figures {
        var means: [Double] = []
        var lowest = Float.nan
        var highest = Float.nan
    }

    private func figures(_ series: Series, _ ranges: [Range<Int>]) -> Figures {
        let seconds = state.scene.history.seconds
        var figures = Figures()
        for range in ranges + [(ranges.last?.upperBound ?? 0)..<seconds.count] {
            var (sum, number) = (0.0, 0.0)
            for index in range {
                let figure = series.figure(seconds[index])
                figures.lowest = .minimum(figures.lowest, figure.lowest)
                figures.highest = .maximum(figures.highest, figure.highest)
                guard figure.last.isFinite else { continue }
                sum += Double(figure.last)
                number += 1
            }
            figures.means.append(number > 0 ? sum / number : .nan)
        }
        figures.means.removeLast()
        return figures
    }

    private func drawState(on frame: inout Frame, in area: Area) {
        frame.put("state", area.column + 1, area.row, .faint, in: area)
        let steps = steps(max(1, area.columns - Self.left - 1))
        let seconds = state.scene.history.seconds
        let start = area.column + area.columns - 1 - steps.count
        for (step, range) in bounds(steps, isComplete: false).enumerated() where !range.isEmpty {
            // The worst state of a step is shown, so that a short loss is not hidden.
            let worst = range.map { seconds[$0].state.rawValue }.max() ?? 0
            let (mark, ascii, tint): (Unicode.Scalar, Unicode.Scalar, CellStyle.Tint) =
                switch MonitorDevice.DeviceState(rawValue: worst) {
                case .found: ("█", "#", .good)
                case .searching: ("░", ".", .waiting)
                default: ("×", "x", .bad)
                }
            frame.set(start + step, area.row, view.glyphs == .ascii ? ascii : mark, CellStyle(tint: tint))
        }
    }
}
