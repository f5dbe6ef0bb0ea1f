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
        if column >= area.column, let after = putASCII(text, column, row, style, before: end) { return after }
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

    /// Writes text of visible ASCII characters, as most texts are; returns the column after it, or `nil` for other text.
    ///
    /// Such text needs no decoding and no tables of widths, which were half of the work of drawing a figure.
    private mutating func putASCII(
        _ text: String, _ column: Int, _ row: Int, _ style: CellStyle, before end: Int
    ) -> Int? {
        guard text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return nil }
        let after = min(end, column + text.utf8.count)
        guard after > column, 0..<size.rows ~= row else { return column }
        // The halves of wide characters at both ends.
        set(column, row, " ", style)
        set(after - 1, row, " ", style)
        var place = row * size.columns + column
        for byte in text.utf8.prefix(after - column) {
            cells[place] = Cell(scalar: Unicode.Scalar(byte), style: style)
            place += 1
        }
        return after
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
