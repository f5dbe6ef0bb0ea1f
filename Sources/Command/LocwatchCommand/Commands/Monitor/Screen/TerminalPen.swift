import LocationCore
import LocwatchTerminal

/// The cursor and the style of a terminal, changed with the shortest sequences that every terminal knows.
///
/// Moving a line down and back under the last figure takes three bytes instead of the eight of an absolute position, and
/// adding an attribute four instead of nine. A column of figures then costs less than ncurses needs for it. Sequences
/// that repeat a character (REP) are not used, because the Linux console does not know them.
struct TerminalPen {
    private let depth: ColorDepth
    private let size: ScreenSize
    private(set) var out = TextBuffer()
    /// The place of the cursor, if it is known.
    private var cursor: (column: Int, row: Int)?
    private var style = CellStyle.plain

    /// Unchanged cells up to this number are considered for being written again.
    private static let shortGap = 6

    init(depth: ColorDepth, size: ScreenSize) { (self.depth, self.size) = (depth, size) }

    /// Clears the screen.
    mutating func clear() {
        out.put("\u{1B}[m\u{1B}[2J")
        style = .plain
    }

    /// Writes the cells of a part of a row.
    mutating func put(_ cells: ArraySlice<Cell>, _ column: Int, _ row: Int, of line: ArraySlice<Cell>) {
        move(column, row, over: line)
        for cell in cells where !cell.isRightHalf { put(cell) }
        // A terminal may disagree about the width of a character beyond ASCII, and about the cursor behind the last
        // column, so the cursor is set again.
        if cells.contains(where: \.isRightHalf) || column + cells.count >= size.columns { cursor = nil }
    }

    /// Makes the rest of a row blank.
    mutating func clearLine(from column: Int, _ row: Int, of line: ArraySlice<Cell>) {
        move(column, row, over: line)
        select(.plain)
        out.put("\u{1B}[K")
    }

    /// Ends a frame in the plain style.
    mutating func finish() {
        select(.plain)
    }

    private mutating func put(_ cell: Cell) {
        // A space looks the same in every style except a reversed one.
        if cell.scalar != " " || cell.style.isReversed || style.isReversed { select(cell.style) }
        let value = cell.scalar.value
        if value < 0x80 {
            out.put(UInt8(truncatingIfNeeded: value))
        } else {
            for byte in UTF8.encode(cell.scalar) ?? .init() { out.put(byte) }
        }
        cursor?.column += 1
    }

    // MARK: Moving

    private mutating func move(_ column: Int, _ row: Int, over line: ArraySlice<Cell>) {
        defer { cursor = (column, row) }
        let absolute = 4 + Self.digits(row + 1) + (column == 0 ? -1 : Self.digits(column + 1))
        guard let cursor else { return moveAbsolutely(column, row) }
        if cursor.row == row, column > cursor.column, column - cursor.column <= Self.shortGap {
            let gap = line[(line.startIndex + cursor.column)..<(line.startIndex + column)]
            if gap.allSatisfy({ isFree($0) }), gap.count <= 2 + Self.digits(column - cursor.column) {
                return gap.forEach { put($0) }
            }
        }
        let down = row - cursor.row
        let vertical = down == 0 ? 0 : down > 0 && down <= 3 ? down : 2 + Self.parameter(down.magnitude)
        let across = column - cursor.column
        let back = across < 0 && -across <= 2 + Self.parameter(across.magnitude)
        let horizontal = across == 0 ? 0 : column == 0 ? 1 : back ? -across : 2 + Self.parameter(across.magnitude)
        guard vertical + horizontal < absolute else { return moveAbsolutely(column, row) }
        if down > 0, down <= 3 {
            // Output is not processed, so the column stays.
            out.put(repeating: 0x0A, count: down)
        } else if down != 0 {
            sequence(down.magnitude, down > 0 ? "B" : "A")
        }
        if across != 0, column == 0 {
            out.put(UInt8(0x0D))
        } else if back {
            out.put(repeating: 0x08, count: -across)
        } else if across != 0 {
            sequence(across.magnitude, across > 0 ? "C" : "D")
        }
    }

    /// Whether a cell can be written as one byte without a change of style.
    private func isFree(_ cell: Cell) -> Bool {
        cell.scalar.isASCII && !cell.isRightHalf
            && (cell.style == style || cell.scalar == " " && !cell.style.isReversed && !style.isReversed)
    }

    private mutating func moveAbsolutely(_ column: Int, _ row: Int) {
        out.put("\u{1B}[")
        out.put(row + 1)
        if column > 0 {
            out.put(";")
            out.put(column + 1)
        }
        out.put("H")
    }

    private mutating func sequence(_ count: UInt, _ letter: StaticString) {
        out.put("\u{1B}[")
        if count > 1 { out.put(Int(count)) }
        out.put(letter)
    }

    private static func digits(_ value: Int) -> Int { value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : 4 }

    /// The length of a parameter, which is 1 if it is left out, and of the letter.
    private static func parameter(_ count: UInt) -> Int { count == 1 ? 1 : 1 + digits(Int(count)) }

    // MARK: Styles

    private mutating func select(_ new: CellStyle) {
        guard new != style else { return }
        let old = style
        style = new
        let (oldColor, newColor) = (color(of: old), color(of: new))
        let isReset = !new.attributes.isSuperset(of: old.attributes) || newColor == nil && new.attributes.isEmpty
        let added = isReset ? new.attributes : new.attributes.subtracting(old.attributes)
        // 39 is the terminal's own colour.
        let color = isReset ? newColor : newColor == oldColor ? nil : newColor ?? "39"
        guard isReset || !added.isEmpty || color != nil else { return }
        if isReset, oldColor == nil, newColor == nil, old.attributes == new.attributes { return }
        out.put("\u{1B}[")
        // An empty parameter resets everything.
        var isFirst = !isReset
        func separate(_ out: inout TextBuffer) {
            if !isFirst { out.put(";") }
            isFirst = false
        }
        for (attribute, parameter) in Self.parameters where added.contains(attribute) {
            separate(&out)
            out.put(parameter)
        }
        if let color {
            separate(&out)
            out.put(color)
        }
        out.put("m")
    }

    /// The colour of a style, or `nil` for the terminal's own.
    private func color(of style: CellStyle) -> String? {
        let color = depth.parameters(of: style.tint)
        return color == "39" ? nil : color
    }

    private static let parameters: [(CellStyle.Attributes, UInt8)] = [
        (.bold, UInt8(ascii: "1")), (.faint, UInt8(ascii: "2")), (.reversed, UInt8(ascii: "7")),
    ]
}
