import LocationCore

/// A drawing of dots that is finer than the cells where the terminal has braille characters.
struct DotCanvas {
    /// The dots of a cell, as columns and rows.
    let dotsAcross: Int
    let dotsDown: Int
    private let columns: Int
    private let rows: Int
    private let glyphs: MonitorGlyphs
    private var cells: [UInt8]
    private var styles: [CellStyle]

    init(columns: Int, rows: Int, _ glyphs: MonitorGlyphs) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        self.glyphs = glyphs
        (dotsAcross, dotsDown) = glyphs == .braille ? (2, 4) : (1, 1)
        cells = Array(repeating: 0, count: self.columns * self.rows)
        styles = Array(repeating: .plain, count: cells.count)
    }

    /// The number of dots in each direction.
    var width: Int { columns * dotsAcross }
    var height: Int { rows * dotsDown }

    /// Sets a dot; places outside do nothing.
    mutating func dot(_ x: Double, _ y: Double, _ style: CellStyle) {
        guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { return }
        let (across, down) = (Int(clamping: x), Int(clamping: y))
        let place = down / dotsDown * columns + across / dotsAcross
        cells[place] |= dotsDown == 1 ? 1 : Self.bits[across % 2][down % 4]
        styles[place] = style
    }

    mutating func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), _ style: CellStyle) {
        let length = max(abs(end.x - start.x), abs(end.y - start.y))
        guard length.isFinite else { return }
        // A line from far away is drawn with as many steps as the canvas can show.
        let steps = min(Int(clamping: length.rounded(.up)), 4 * (width + height)) + 1
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            dot(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share, style)
        }
    }

    func draw(on frame: inout Frame, at area: Area) {
        for row in 0..<min(rows, max(0, area.rows)) {
            for column in 0..<min(columns, max(0, area.columns)) {
                let place = row * columns + column
                guard cells[place] != 0 else { continue }
                let scalar = dotsDown == 1 ? glyphs.dot : Unicode.Scalar(0x2800 + UInt32(cells[place])) ?? " "
                frame.set(area.column + column, area.row + row, scalar, styles[place])
            }
        }
    }

    private static let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
}
