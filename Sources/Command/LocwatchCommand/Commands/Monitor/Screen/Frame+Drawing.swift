import LocwatchTerminal

extension Frame {
    /// Writes text into an area, cut at its edge; returns the column after the text.
    ///
    /// Characters that must not reach a screen become question marks, and marks that combine with other characters are
    /// dropped, whatever the origin of the text.
    @discardableResult
    mutating func put(
        _ text: String, _ column: Int, _ row: Int, _ style: CellStyle = .plain, in area: Area
    ) -> Int {
        guard row >= area.row, row < area.row + area.rows else { return column }
        let end = min(area.column + area.columns, size.columns)
        var column = column
        for scalar in text.unicodeScalars where column < end {
            let isShowable = DisplayWidth.isShowable(scalar)
            let width = isShowable ? DisplayWidth.of(scalar) : 1
            guard column + width <= end else {
                set(column, row, " ", style)
                return end
            }
            if column >= area.column {
                if width == 2 { setWide(column, row, scalar, style) }
                if width == 1 { set(column, row, isShowable ? scalar : "?", style) }
            }
            column += width
        }
        return column
    }

    /// Writes text that ends at the right edge of an area; returns the column at which it begins.
    @discardableResult
    mutating func put(right text: String, _ row: Int, _ style: CellStyle = .plain, in area: Area) -> Int {
        let column = max(area.column, area.column + area.columns - DisplayWidth.of(text))
        put(text, column, row, style, in: area)
        return column
    }

    mutating func clear(_ area: Area) {
        for row in area.row..<(area.row + area.rows) {
            for column in area.column..<(area.column + area.columns) { set(column, row, " ", .plain) }
        }
    }
}

/// The lines between the boxes of a screen, joined where they meet.
struct FrameLines {
    private static let (up, down, left, right): (UInt8, UInt8, UInt8, UInt8) = (1, 2, 4, 8)

    private let size: ScreenSize
    private var ends: [UInt8]

    init(_ size: ScreenSize) {
        self.size = size
        ends = Array(repeating: 0, count: size.columns * size.rows)
    }

    /// Adds a horizontal line of `count` cells.
    mutating func horizontal(_ column: Int, _ row: Int, _ count: Int) {
        for place in column..<(column + max(0, count)) {
            add(place, row, (place > column ? Self.left : 0) | (place < column + count - 1 ? Self.right : 0))
        }
    }

    /// Adds a vertical line of `count` cells.
    mutating func vertical(_ column: Int, _ row: Int, _ count: Int) {
        for place in row..<(row + max(0, count)) {
            add(column, place, (place > row ? Self.up : 0) | (place < row + count - 1 ? Self.down : 0))
        }
    }

    private mutating func add(_ column: Int, _ row: Int, _ new: UInt8) {
        guard 0..<size.columns ~= column, 0..<size.rows ~= row else { return }
        ends[row * size.columns + column] |= new
    }

    func draw(on frame: inout Frame, _ glyphs: MonitorGlyphs) {
        for row in 0..<size.rows {
            for column in 0..<size.columns where ends[row * size.columns + column] != 0 {
                frame.set(column, row, glyphs.line(ends[row * size.columns + column]), .frame)
            }
        }
    }
}
