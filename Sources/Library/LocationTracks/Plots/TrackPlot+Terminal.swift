import Glibc
import LocationCore

extension TrackPlot {
    package static let fewestColumns = 40

    /// Returns the picture as lines of text for a terminal with the given number of columns, at least 40.
    ///
    /// With fewer than 80 columns the parts stand one below the other.
    ///
    /// - Parameters:
    ///   - columns: The number of columns of the terminal.
    ///   - colour: Whether the terminal shows colours.
    ///   - isASCII: Whether the terminal lacks characters beyond ASCII, so that the picture is coarser.
    public func terminal(columns: Int, colour: Bool, isASCII: Bool = false) -> String {
        func lines(_ canvas: BrailleCanvas) -> [String] { canvas.lines(colour: colour, isASCII: isASCII) }
        let width = max(Self.fewestColumns, columns)
        let across = width < 80 ? 1 : 2
        let column = across == 1 ? width : (width - 2) / 2
        let rows = max(12, min(24, column / 2))
        let panels = [terminalTrack, terminalScatter, terminalSky].compactMap { $0(column, rows) }
        var all: [String] = []
        for first in stride(from: 0, to: panels.count, by: across) {
            let left = lines(panels[first])
            let right = across == 2 && first + 1 < panels.count ? lines(panels[first + 1]) : []
            all += left.indices.map { $0 < right.count ? left[$0] + "  " + right[$0] : left[$0] }
            all.append("")
        }
        for strip in strips { all += lines(terminalStrip(strip, width)) }
        return all.map { $0.trimmingEnd() + "\n" }.joined()
    }

    private func terminalTrack(_ columns: Int, _ rows: Int) -> BrailleCanvas? {
        let lines = trackLines
        guard let first = lines.first?.first, let last = lines.last?.last else { return nil }
        var canvas = BrailleCanvas(columns: columns, rows: rows)
        // The first row is for the title, and the last one for the scale.
        let size = min(canvas.width, canvas.height - 8)
        let frame = GroundFrame(lines.flatMap(\.self), margin: 3, size: size)
        let shift = ((canvas.width - size) / 2, 4.0)
        func place(_ offset: GroundOffset) -> (Double, Double) {
            let (x, y) = frame.place(offset)
            return (x + shift.0, y + shift.1)
        }
        for line in lines { canvas.path(line.map(place), .blue) }
        let (begin, end) = (place(first), place(last))
        canvas.text("○", column: Int(clamping: begin.0) / 2, row: Int(clamping: begin.1) / 4)
        canvas.text("■", column: Int(clamping: end.0) / 2, row: Int(clamping: end.1) / 4)
        canvas.text("Track  ○ begins  ■ ends", column: 0, row: 0)
        canvas.text("↑ N", column: columns - 3, row: 0)
        let length = units.roundLength(below: frame.metres(canvas.width / 3))
        let bar = max(2, Int(clamping: frame.pixels(length) / 2))
        canvas.text(
            "├" + String(repeating: "─", count: bar - 2) + "┤ " + units.text(length), column: 0, row: rows - 1)
        return canvas
    }

    private func terminalScatter(_ columns: Int, _ rows: Int) -> BrailleCanvas? {
        guard let scatter else { return nil }
        var canvas = BrailleCanvas(columns: columns, rows: rows)
        let reach = groundReach(scatter.cep95 * 1.5)
        let (x, y) = (canvas.width / 2, 4 + (canvas.height - 8) / 2)
        let scale = min(x, (canvas.height - 8) / 2) / reach
        for place in statistics.standstill.places where abs(place.north) < reach {
            canvas.dot(x + place.east * scale, y - place.north * scale, .blue)
        }
        for (radius, ink) in [(scatter.cep50, BrailleCanvas.Ink.yellow), (scatter.cep95, .red)] {
            for step in 0..<360 {
                let angle = Double(step) * .pi / 180
                canvas.dot(x + radius * scale * sin(angle), y - radius * scale * cos(angle), ink)
            }
        }
        if let reference = referenceOffset {
            let (column, row) = (
                Int(clamping: x + reference.east * scale) / 2, Int(clamping: y - reference.north * scale) / 4
            )
            if 0..<columns ~= column, 1..<rows - 2 ~= row { canvas.text("×", column: column, row: row) }
            canvas.text("× reference, \(referenceText)", column: 0, row: rows - 2)
        }
        canvas.text("Scatter of the longest standstill", column: 0, row: 0)
        canvas.text("CEP50 \(units.text(scatter.cep50))", column: 0, row: rows - 1, .yellow)
        canvas.text("CEP95 \(units.text(scatter.cep95))", column: 16, row: rows - 1, .red)
        return canvas
    }

    private func terminalSky(_ columns: Int, _ rows: Int) -> BrailleCanvas? {
        let satellites = satellites
        guard !satellites.isEmpty else { return nil }
        var canvas = BrailleCanvas(columns: columns, rows: rows)
        let (x, y) = (canvas.width / 2, 4 + (canvas.height - 4) / 2)
        let circle = HorizonCircle(centre: (x, y), radius: min(x, (canvas.height - 4) / 2) - 3)
        for elevation in [0.0, 45] {
            for azimuth in stride(from: 0.0, to: 360, by: elevation == 0 ? 2 : 12) {
                let point = circle.place((elevation, azimuth))
                canvas.dot(point.0, point.1, .faint)
            }
        }
        for (_, path) in satellites {
            let points = path.places.map(circle.place)
            canvas.path(points, path.wasUsed ? .blue : .yellow)
        }
        var taken: Set<Int> = []
        for (key, path) in satellites {
            guard let last = path.places.last else { continue }
            let point = circle.place(last)
            let name = (path.wasUsed ? "●" : "○") + (key.constellation?.letter ?? "") + "\(key.number)"
            let cell = (column: min(columns - name.count, Int(clamping: point.0) / 2), row: Int(clamping: point.1) / 4)
            let cells = (0..<name.count).map { cell.row * columns + cell.column + $0 }
            // A name is not drawn over another one; its mark is, unless it would cover letters.
            let isFree = taken.isDisjoint(with: cells)
            guard let mark = cells.first, isFree || !taken.contains(mark) else { continue }
            let ink = path.wasUsed ? BrailleCanvas.Ink.blue : .yellow
            canvas.text(isFree ? name : String(name.prefix(1)), column: cell.column, row: cell.row, ink)
            taken.formUnion(isFree ? cells : [mark])
        }
        canvas.text("Satellites  ● used  ○ seen", column: 0, row: 0)
        canvas.text("N", column: columns / 2, row: 1)
        return canvas
    }

    private func terminalStrip(_ strip: Strip, _ columns: Int) -> BrailleCanvas {
        if let chart = chart(of: strip, withBands: false) { return chart.terminal(columns: columns, rows: 5) }
        var canvas = TimeChart.terminal(
            "State  █ found  ▒ searching  × error", seconds, columns: columns, rows: 1)
        let (left, duration) = (TimeChart.margin, statistics.duration)
        func x(_ time: Duration) -> Double {
            Double(left * 2) + Double((columns - left) * 2 - 1) * min(1, max(0, time / duration))
        }
        let states = statistics.history.states
        for (index, (start, state)) in states.enumerated() {
            let end = index + 1 < states.count ? states[index + 1].start : duration
            let (from, to) = (Int(clamping: x(start)) / 2, max(Int(clamping: x(start)) / 2, Int(clamping: x(end)) / 2))
            let (mark, ink): (String, BrailleCanvas.Ink) =
                switch state {
                case .found: ("█", .blue)
                case .searching: ("▒", .yellow)
                case .error: ("×", .red)
                }
            canvas.text(String(repeating: mark, count: to - from + 1), column: from, row: 1, ink)
        }
        return canvas
    }
}

extension String {
    func trimmingEnd() -> Substring {
        var end = self[...]
        while end.last == " " { end.removeLast() }
        return end
    }
}
