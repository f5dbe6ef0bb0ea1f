import LocationCore

/// The cursor and the style of a terminal, which are changed only where the next cell needs it.
///
/// Only sequences that every terminal knows are used: none that repeats a character (REP), which the Linux console lacks.
struct TerminalPen {
    private let depth: ColorDepth
    private(set) var out = TextBuffer()
    /// The place of the cursor, if it is known.
    private var cursor: (column: Int, row: Int)?
    private var style = CellStyle.plain

    init(depth: ColorDepth) { self.depth = depth }

    mutating func clear() { out.put("\u{1B}[m\u{1B}[2J") }

    /// Writes a cell, which the right half of a wide one is not.
    mutating func put(_ cell: Cell, _ column: Int, _ row: Int) {
        if cursor.map({ $0 != (column, row) }) ?? true {
            out.put("\u{1B}[")
            out.put(row + 1)
            out.put(";")
            out.put(column + 1)
            out.put("H")
        }
        cursor = (column + 1, row)
        // A space looks the same in every style except a reversed one.
        if cell.scalar != " " || cell.style.isReversed || style.isReversed { select(cell.style) }
        for byte in UTF8.encode(cell.scalar) ?? .init() { out.put(byte) }
    }

    /// Sets the cursor again before the next cell.
    mutating func loseCursor() { cursor = nil }

    /// Ends a frame in the plain style.
    mutating func finish() { select(.plain) }

    private mutating func select(_ new: CellStyle) {
        guard new != style else { return }
        style = new
        // An empty parameter resets everything.
        out.put("\u{1B}[")
        for (attribute, parameter) in Self.parameters where new.attributes.contains(attribute) { out.put(parameter) }
        if let color = depth.parameters(of: new.tint) {
            out.put(";")
            out.put(color)
        }
        out.put("m")
    }

    private static let parameters: [(CellStyle.Attributes, StaticString)] = [
        (.bold, ";1"), (.faint, ";2"), (.reversed, ";7"),
    ]
}
