import LocationCore
import LocwatchTerminal

/// An encoder of frames as the bytes that a terminal needs to get from one frame to the next.
///
/// Only sequences that every terminal knows are used: none that repeats a character (REP), which the Linux console lacks.
struct FrameEncoder {
    /// The size in bytes from which an update is marked, so that the terminal does not show a part of it.
    ///
    /// A smaller one reaches the terminal in one piece, and most are smaller.
    private static let markedSize = 400
    private static let parameters: [(CellStyle.Attributes, StaticString)] = [
        (.bold, ";1"), (.faint, ";2"), (.reversed, ";7"),
    ]

    private let depth: ColorDepth
    /// The frame that the terminal shows, or `nil` if that is unknown.
    private var shown: Frame?
    private var out = TextBuffer()
    /// The place of the cursor within a frame, if it is known.
    private var cursor: (column: Int, row: Int)?
    /// The style of the terminal, which is plain between frames.
    private var style = CellStyle.plain

    init(depth: ColorDepth) { self.depth = depth }

    /// Forgets what the terminal shows, so that the next frame is written completely.
    mutating func forget() { shown = nil }

    /// Returns the bytes that turn the shown frame into another one; none if both are equal.
    mutating func bytes(for frame: Frame) -> [UInt8] {
        let isWhole = shown?.size != frame.size
        let before = isWhole ? Frame(frame.size) : shown ?? frame
        out.removeAll()
        cursor = nil
        if isWhole { out.put("\u{1B}[m\u{1B}[2J") }
        for row in 0..<frame.size.rows where frame.row(row) != before.row(row) {
            put(frame.row(row), row, since: before.row(row))
        }
        select(.plain)
        shown = frame
        guard out.count >= Self.markedSize else { return out.bytes }
        return Array("\u{1B}[?2026h".utf8) + out.written + Array("\u{1B}[?2026l".utf8)
    }

    /// Writes the cells of a row that have changed.
    private mutating func put(_ new: ArraySlice<Cell>, _ row: Int, since old: ArraySlice<Cell>) {
        // Both slices have the indices of their row.
        for place in new.indices where !new[place].isRightHalf {
            let isWide = place + 1 < new.endIndex && new[place + 1].isRightHalf
            guard new[place] != old[place] || isWide && !old[place + 1].isRightHalf else { continue }
            put(new[place], place - new.startIndex, row)
            // A terminal may disagree about the width of a character beyond ASCII, and about the cursor behind the last column.
            if isWide || place + 1 == new.endIndex { cursor = nil }
        }
    }

    private mutating func put(_ cell: Cell, _ column: Int, _ row: Int) {
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
}
