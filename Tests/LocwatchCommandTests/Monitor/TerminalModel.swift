@testable import LocwatchCommand
@testable import LocwatchTerminal

/// A small terminal that understands the sequences that the monitor writes, and nothing else.
struct TerminalModel {
    let columns, rows: Int
    /// The characters, with the null character in the right half of a wide one.
    private(set) var cells: [[Unicode.Scalar]]
    /// The parameters of the style of each cell, such as `;1;32`.
    private(set) var styles: [[String]]
    /// Sequences that the model does not know, which the monitor must not write.
    private(set) var unknown: [String] = []
    private(set) var isSynchronized = false
    private var cursor = (column: 0, row: 0)
    private var style = ""
    /// The styles that have been selected, of which each is checked once.
    private var selected: Set<String> = []
    private var pending: ArraySlice<UInt8> = []

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        styles = Array(repeating: Array(repeating: "", count: columns), count: rows)
    }

    /// The text of the screen, without spaces at the ends of the lines.
    var text: String {
        cells.map { row in
            var line = row.filter { $0 != Cell.rightHalf }
            while line.last == " " { line.removeLast() }
            return String(String.UnicodeScalarView(line)) + "\n"
        }.joined()
    }

    /// Processes bytes, which may end within a sequence.
    mutating func write(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        while let length = length(of: pending) {
            process(pending.prefix(length))
            pending = pending.dropFirst(length)
        }
    }

    /// Returns the length of the character or sequence at the start, or `nil` if it is not complete.
    private func length(of text: ArraySlice<UInt8>) -> Int? {
        guard let first = text.first else { return nil }
        guard first == 0x1B else {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            return text.count >= length ? length : nil
        }
        guard let end = text.dropFirst(2).firstIndex(where: { 0x40...0x7E ~= $0 }) else { return nil }
        return end - text.startIndex + 1
    }

    private mutating func process(_ piece: ArraySlice<UInt8>) {
        let text = String(decoding: piece, as: UTF8.self)
        defer {
            if cursor.column < 0 || cursor.column > columns || !(0..<rows ~= cursor.row) {
                unknown.append("cursor outside: \(text)")
                cursor = (min(max(0, cursor.column), columns), min(max(0, cursor.row), rows - 1))
            }
        }
        guard piece.first == 0x1B else {
            guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1, scalar.value >= 0x20,
                !(0x7F..<0xA0 ~= scalar.value)
            else { return unknown.append(text) }
            return put(scalar)
        }
        let parameters = text.dropFirst(2).dropLast()
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        switch (text.last, parameters) {
        case ("h", "?2026"): isSynchronized = true
        case ("l", "?2026"): isSynchronized = false
        case ("m", _): select(parameters)
        case ("J", "2"):
            let blank = TerminalModel(columns: columns, rows: rows)
            (cells, styles) = (blank.cells, blank.styles)
        case ("H", _): cursor = (numbers.count > 1 ? numbers[1] - 1 : 0, (numbers.first ?? 1) - 1)
        default: unknown.append(text)
        }
    }

    /// Selects a style, whose first parameter is an empty one, which resets everything.
    private mutating func select(_ parameters: Substring) {
        style = String(parameters)
        guard selected.insert(style).inserted else { return }
        if style.wholeMatch(of: /(;[127])*(;3[1-79]|;38;5;\d+|;38;2;\d+;\d+;\d+)?/) == nil {
            unknown.append("style \(style)")
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        // Without wrapping, the last column is overwritten again and again.
        let column = min(cursor.column, columns - 1)
        if DisplayWidth.of(scalar) == 2 {
            guard column + 1 < columns else { return unknown.append("a wide character at the edge") }
            set(column + 1, cursor.row, " ", style)
            set(column, cursor.row, scalar, style)
            cells[cursor.row][column + 1] = Cell.rightHalf
            cursor.column = column + 2
        } else {
            set(column, cursor.row, scalar, style)
            cursor.column = column + 1
        }
    }

    private mutating func set(_ column: Int, _ row: Int, _ scalar: Unicode.Scalar, _ style: String) {
        if cells[row][column] == Cell.rightHalf, column > 0 { cells[row][column - 1] = " " }
        if column + 1 < columns, cells[row][column + 1] == Cell.rightHalf { cells[row][column + 1] = " " }
        cells[row][column] = scalar
        // A space looks the same in every style except a reversed one.
        styles[row][column] = scalar == " " && !style.split(separator: ";").contains("7") ? "" : style
    }
}
