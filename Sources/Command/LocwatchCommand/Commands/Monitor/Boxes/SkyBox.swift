import Glibc
import LocationCore
import LocwatchTerminal

/// The box with the places of the satellites in the sky: filled marks are used, hollow ones seen.
struct SkyBox: MonitorBox {
    static let name = "sky"
    static let key: Unicode.Scalar? = "1"

    let state: MonitorState
    let view: MonitorView

    func region(on screen: ScreenSize, room: Int) -> BoxRegion? { .right }

    /// The direction that is up instead of north, if one was chosen and is known.
    private var top: SkyTop? { view.isHeadingUp ? state.top : nil }

    var title: String { view.isHeadingUp ? "sky, \(top?.name ?? "north") up" : "sky" }

    func draw(on frame: inout Frame, in area: Area) {
        guard area.rows >= 3, area.columns >= 9 else { return }
        let marks = state.picture.marks
        guard !marks.isEmpty else {
            let words = state.sky?.seen.map { $0 == 0 ? "no satellites" : "\($0) satellites" } ?? "no satellites yet"
            frame.put(words, area.column + 1, area.row, .faint, in: area)
            return
        }
        let isOld = !state.isCurrent
        let circle = SkyCircle(area, heading: top.map { Double(Int(clamping: $0.azimuth)) })
        var dots = DotCanvas(columns: area.columns, rows: area.rows, view.glyphs)
        drawCircles(circle, on: &dots)
        if area.rows >= 16 { drawTrails(circle, on: &dots) }
        dots.draw(on: &frame, at: area)
        for (name, azimuth) in [("N", 0.0), ("E", 90), ("S", 180), ("W", 270)] {
            let (column, row) = circle.cell(elevation: 0, azimuth: azimuth)
            frame.put(name, column, row, .bold, in: area)
        }
        drawSatellites(marks, circle, on: &frame, in: area, isOld)
        if area.rows >= 16, area.columns >= 30 { drawKey(on: &frame, in: area) }
    }

    private func drawCircles(_ circle: SkyCircle, on dots: inout DotCanvas) {
        let step = view.glyphs == .braille ? 4.0 : 12
        for elevation in circle.rows >= 8 ? [0.0, 45] : [0.0] {
            for azimuth in stride(from: 0.0, to: 360, by: step * (elevation == 0 ? 1 : 3)) {
                let (x, y) = circle.place(elevation: elevation, azimuth: azimuth)
                dots.dot(x * Double(dots.dotsAcross), y * Double(dots.dotsDown), .frame)
            }
        }
    }

    private func drawTrails(_ circle: SkyCircle, on dots: inout DotCanvas) {
        for (_, trail) in state.scene.trails.trails where trail.count > 1 {
            let places = trail.map { point in
                let (x, y) = circle.place(elevation: Double(point.elevation), azimuth: Double(point.azimuth))
                return (x: x * Double(dots.dotsAcross), y: y * Double(dots.dotsDown))
            }
            for (start, end) in zip(places, places.dropFirst()) { dots.line(from: start, to: end, .faint) }
        }
    }

    private func drawSatellites(
        _ marks: [SkyPicture.Mark], _ circle: SkyCircle, on frame: inout Frame, in area: Area, _ isOld: Bool
    ) {
        // Used satellites come first, so that those that do not fit are the ones that are only seen.
        let sorted = marks.sorted {
            ($0.isUsed ? 1 : 0, $0.level ?? -1, $0.number) > ($1.isUsed ? 1 : 0, $1.level ?? -1, $1.number)
        }
        let shown = sorted.compactMap { mark -> (mark: SkyPicture.Mark, cell: (column: Int, row: Int))? in
            guard let elevation = mark.elevation, let azimuth = mark.azimuth else { return nil }
            return (mark, circle.cell(elevation: elevation, azimuth: azimuth))
        }
        var taken: Set<Int> = []
        let columns = frame.size.columns
        for (mark, (column, row)) in shown where taken.insert(row * columns + column).inserted {
            let glyph = mark.isUsed ? view.glyphs.usedMark : view.glyphs.seenMark
            frame.put(glyph, column, row, CellStyle.signal(mark.level).dimmed(if: isOld), in: area)
        }
        for (mark, (column, row)) in shown {
            let width = mark.label.utf8.count
            func cells(_ start: Int) -> Range<Int> { row * columns + start..<row * columns + start + width }
            let start = [column + 1, column - width].first { start in
                start >= area.column && start + width <= area.column + area.columns
                    && taken.isDisjoint(with: cells(start))
            }
            guard let start else { continue }
            frame.put(mark.label, start, row, CellStyle.signal(mark.level).dimmed(if: isOld), in: area)
            taken.formUnion(cells(start))
        }
    }

    /// Draws the meaning of the colours and the marks where they cover nothing of the sky.
    private func drawKey(on frame: inout Frame, in area: Area) {
        let levels = [("<20", 10.0), ("20", 22), ("28", 30), ("35", 38), ("42 dB-Hz", 45)]
            .map { ("\(view.glyphs.usedMark)\($0) ", $1) }
        let bottom = area.row + area.rows - 1
        var column = area.column
        if frame.isBlank(column, bottom, levels.reduce(0) { $0 + DisplayWidth.of($1.0) }) {
            for (words, level) in levels { column = frame.put(words, column, bottom, .signal(level), in: area) }
        }
        let marks = "\(view.glyphs.usedMark) used  \(view.glyphs.seenMark) seen"
        let width = DisplayWidth.of(marks)
        if frame.isBlank(area.column + area.columns - width, area.row, width) {
            frame.put(right: marks, area.row, .faint, in: area)
        }
    }
}

/// The circle of the horizon in an area, whose cells are about twice as high as wide.
struct SkyCircle {
    private let area: Area
    private let heading: Double
    private let radiusRows: Double
    private let radiusColumns: Double

    init(_ area: Area, heading: Double?) {
        self.area = area
        self.heading = heading ?? 0
        let rows = (Double(area.rows) - 1) / 2
        let columns = (Double(area.columns) - 1) / 2
        radiusRows = max(0.5, min(rows, columns / 2))
        radiusColumns = max(0.5, min(columns, radiusRows * 2.1))
    }

    var rows: Int { Int(clamping: radiusRows * 2) }

    /// Returns a place in cells from the area's corner.
    func place(elevation: Double, azimuth: Double) -> (x: Double, y: Double) {
        let distance = (90 - min(90, max(0, elevation))) / 90
        let angle = (azimuth - heading) * .pi / 180
        return (
            (Double(area.columns) - 1) / 2 + distance * radiusColumns * sin(angle) + 0.5,
            (Double(area.rows) - 1) / 2 - distance * radiusRows * cos(angle) + 0.5
        )
    }

    /// Returns the cell of the screen at a place, which is always within the area.
    func cell(elevation: Double, azimuth: Double) -> (column: Int, row: Int) {
        let (x, y) = place(elevation: elevation, azimuth: azimuth)
        let column = min(max(0, Int(clamping: x)), area.columns - 1)
        let row = min(max(0, Int(clamping: y)), area.rows - 1)
        return (area.column + column, area.row + row)
    }
}
