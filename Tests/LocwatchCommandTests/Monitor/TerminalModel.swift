@testable import LocwatchCommand
@testable import LocwatchTerminal

/// A small terminal that understands the sequences that the monitor writes, and nothing else.
struct TerminalModel {
    private(set) var columns: Int
    private(set) var rows: Int
    /// The characters, with the null character in the right half of a wide one.
    private(set) var cells: [[Unicode.Scalar]]
    /// The parameters of the style of each cell, such as `1;32`.
    private(set) var styles: [[String]]
    /// Sequences that the model does not know, which the monitor must not write.
    private(set) var unknown: [String] = []
    private(set) var isSynchronized = false
    private var cursor = (column: 0, row: 0)
    private var style = ""
    private var attributes: Set<String> = []
    private var color = "39"
    private var pending: [UInt8] = []

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
        let text = pending + bytes
        pending = []
        var place = 0
        while place < text.count {
            let length = length(of: text[place...])
            guard let length else {
                pending = Array(text[place...])
                return
            }
            process(text[place..<(place + length)])
            place += length
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
        case ("J", "2"): self = TerminalModel(columns: columns, rows: rows, keeping: self)
        case ("H", _): cursor = (numbers.count > 1 ? numbers[1] - 1 : 0, (numbers.first ?? 1) - 1)
        default: unknown.append(text)
        }
    }

    /// Selects a style; an empty parameter or a 0 resets it.
    private mutating func select(_ parameters: Substring) {
        var parts = parameters.split(separator: ";", omittingEmptySubsequences: false).map(String.init)[...]
        while let part = parts.popFirst() {
            switch part {
            case "", "0": (attributes, color) = ([], "39")
            case "1", "2", "7": attributes.insert(part)
            case "38":
                // A colour of a palette, or one of three parts.
                let count = parts.first == "5" ? 2 : 4
                color = ([part] + parts.prefix(count)).joined(separator: ";")
                parts = parts.dropFirst(count)
            case "31", "32", "33", "34", "35", "36", "37", "39": color = part
            default: unknown.append("style \(part)")
            }
        }
        style = ([color] + attributes.sorted()).joined(separator: ";")
        if style == "39" { style = "" }
    }

    private init(columns: Int, rows: Int, keeping other: TerminalModel) {
        self.init(columns: columns, rows: rows)
        (unknown, isSynchronized) = (other.unknown, other.isSynchronized)
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
