import LocwatchTerminal

extension ScreenSize {
    var area: Area { Area(column: 0, row: 0, columns: columns, rows: rows) }
}

/// One place of a screen.
struct Cell: Hashable, Sendable {
    /// The character, or the null character in the right half of a wide one.
    var scalar: Unicode.Scalar
    var style: CellStyle

    static let blank = Cell(scalar: " ", style: .plain)
    /// The character of the right half of a wide character.
    static let rightHalf: Unicode.Scalar = "\0"

    var isRightHalf: Bool { scalar == Self.rightHalf }
}

/// The content of a screen, as a value.
struct Frame: Hashable, Sendable {
    let size: ScreenSize
    /// The cells, row by row.
    var cells: [Cell]

    init(_ size: ScreenSize) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    func row(_ row: Int) -> ArraySlice<Cell> { cells[(row * size.columns)..<((row + 1) * size.columns)] }

    /// Returns whether cells of a row show nothing.
    func isBlank(_ column: Int, _ row: Int, _ count: Int) -> Bool {
        self.row(row).dropFirst(max(0, column)).prefix(count).allSatisfy { [" ", "\u{2800}"].contains($0.scalar) }
    }

    /// Sets a cell; a wide character that loses one of its cells becomes blank.
    ///
    /// Cells outside the screen do nothing.
    mutating func set(_ column: Int, _ row: Int, _ scalar: Unicode.Scalar, _ style: CellStyle) {
        guard 0..<size.columns ~= column, 0..<size.rows ~= row else { return }
        let place = row * size.columns + column
        if cells[place].isRightHalf, column > 0 { cells[place - 1].scalar = " " }
        if column + 1 < size.columns, cells[place + 1].isRightHalf { cells[place + 1].scalar = " " }
        cells[place] = Cell(scalar: scalar, style: style)
    }

    /// Sets the two cells of a wide character.
    mutating func setWide(_ column: Int, _ row: Int, _ scalar: Unicode.Scalar, _ style: CellStyle) {
        guard column >= 0, column + 1 < size.columns, 0..<size.rows ~= row else { return }
        set(column + 1, row, " ", style)
        set(column, row, scalar, style)
        cells[row * size.columns + column + 1].scalar = Cell.rightHalf
    }

    /// Replaces characters beyond ASCII, which names and messages can contain.
    mutating func reduceToASCII() {
        for place in cells.indices where !cells[place].scalar.isASCII || cells[place].isRightHalf {
            cells[place].scalar = "?"
        }
    }

    /// The characters, without spaces at the ends of the lines.
    var text: String {
        var text = String.UnicodeScalarView()
        for row in 0..<size.rows {
            var line = self.row(row).lazy.map(\.scalar).filter { $0 != Cell.rightHalf }
            while line.last == " " { line.removeLast() }
            text.append(contentsOf: line)
            text.append("\n")
        }
        return String(text)
    }
}

/// A rectangle of a screen.
struct Area: Hashable, Sendable {
    var column: Int
    var row: Int
    var columns: Int
    var rows: Int

    var isEmpty: Bool { columns <= 0 || rows <= 0 }

    /// Returns the part to the left of a column.
    func cut(before column: Int) -> Area {
        Area(column: self.column, row: row, columns: max(0, column - self.column), rows: rows)
    }

    /// Removes and returns the upper rows.
    mutating func takeTop(_ count: Int) -> Area {
        let count = min(max(0, count), max(0, rows))
        defer {
            row += count
            rows -= count
        }
        return Area(column: column, row: row, columns: columns, rows: count)
    }

    /// Removes and returns the lower rows.
    mutating func takeBottom(_ count: Int) -> Area {
        let count = min(max(0, count), max(0, rows))
        rows -= count
        return Area(column: column, row: row + rows, columns: columns, rows: count)
    }

    /// Removes and returns the right columns, and one column between them and the rest for a line.
    mutating func takeRight(_ count: Int) -> Area {
        let count = min(max(0, count), max(0, columns - 1))
        columns -= count + 1
        return Area(column: column + columns + 1, row: row, columns: count, rows: rows)
    }
}
