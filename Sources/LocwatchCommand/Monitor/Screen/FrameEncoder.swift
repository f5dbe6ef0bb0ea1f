/// An encoder of frames as the bytes that a terminal needs to get from one frame to the next.
struct FrameEncoder {
    private let depth: ColorDepth
    /// The frame that the terminal shows, or `nil` if that is unknown.
    private(set) var shown: Frame?
    private var out = TextBuffer()
    private var cursor: (column: Int, row: Int)?
    private var style: CellStyle?

    /// Unchanged cells up to this number are written again, because moving the cursor costs more bytes.
    private static let shortGap = 4

    /// The beginning of a synchronized update.
    private static let begin: StaticString = "\u{1B}[?2026h"

    init(depth: ColorDepth) { self.depth = depth }

    /// Forgets what the terminal shows, so that the next frame is written completely.
    mutating func forget() { shown = nil }

    /// Returns the bytes that turn the shown frame into another one; none if both are equal.
    mutating func bytes(for frame: Frame) -> [UInt8] {
        out.removeAll()
        cursor = nil
        let before: Frame
        if let shown, shown.size == frame.size {
            if shown == frame { return [] }
            before = shown
            // The terminal shows the old frame until it has received the whole new one.
            out.put(Self.begin)
            style = .plain
        } else {
            before = Frame(frame.size)
            out.put(Self.begin)
            out.put("\u{1B}[0m\u{1B}[2J")
            style = .plain
        }
        for row in 0..<frame.size.rows { write(row, of: frame, after: before) }
        select(.plain)
        out.put("\u{1B}[?2026l")
        shown = frame
        return out.bytes
    }

    private mutating func write(_ row: Int, of frame: Frame, after before: Frame) {
        let (new, old) = (frame.row(row), before.row(row))
        guard new != old else { return }
        let columns = frame.size.columns
        // The cells from here to the end of the row are blank.
        var end = columns
        while end > 0, new[new.startIndex + end - 1] == .blank { end -= 1 }
        var lastChange: Int?
        var column = 0
        while column < end {
            let cell = new[new.startIndex + column]
            let isWide = column + 1 < columns && new[new.startIndex + column + 1].isRightHalf
            let width = isWide ? 2 : 1
            let hasChanged =
                cell != old[old.startIndex + column]
                || isWide && !old[old.startIndex + column + 1].isRightHalf
            if hasChanged {
                if let last = lastChange, column - last <= Self.shortGap, cursor?.row == row {
                    let gap = new[(new.startIndex + last)..<(new.startIndex + column)]
                    if !gap.contains(where: \.isRightHalf) {
                        for (place, cell) in gap.enumerated() { put(cell, last + place, row) }
                    }
                }
                put(cell, column, row)
                // A terminal may disagree about the width of a character beyond ASCII, so the cursor is set again.
                if isWide { cursor = nil }
                lastChange = column + width
            }
            column += width
        }
        if end < columns, old[(old.startIndex + end)...].contains(where: { $0 != .blank }) {
            move(end, row)
            select(.plain)
            out.put("\u{1B}[K")
        }
    }

    private mutating func put(_ cell: Cell, _ column: Int, _ row: Int) {
        move(column, row)
        // A space looks the same in every style except a reversed one.
        if cell.scalar != " " || cell.style.isReversed || style?.isReversed ?? true { select(cell.style) }
        if cell.scalar.isASCII {
            out.put(UInt8(truncatingIfNeeded: cell.scalar.value))
        } else {
            for byte in UTF8.encode(cell.scalar) ?? .init() { out.put(byte) }
        }
        cursor = (column + 1, row)
    }

    private mutating func move(_ column: Int, _ row: Int) {
        if let cursor, cursor == (column, row) { return }
        out.put("\u{1B}[")
        if let cursor, cursor.row == row, column > cursor.column {
            out.put(column - cursor.column)
            out.put("C")
        } else {
            out.put(row + 1)
            out.put(";")
            out.put(column + 1)
            out.put("H")
        }
        cursor = (column, row)
    }

    private mutating func select(_ new: CellStyle) {
        guard new != style else { return }
        if let old = style, old.attributes == new.attributes {
            style = new
            guard depth.parameters(of: old.tint) != depth.parameters(of: new.tint) else { return }
            // The colour alone; 39 is the terminal's own.
            out.put("\u{1B}[")
            out.put(depth.parameters(of: new.tint) ?? "39")
            out.put("m")
            return
        }
        style = new
        out.put("\u{1B}[0")
        if new.attributes.contains(.bold) { out.put(";1") }
        if new.attributes.contains(.faint) { out.put(";2") }
        if new.attributes.contains(.reversed) { out.put(";7") }
        if let color = depth.parameters(of: new.tint) {
            out.put(";")
            out.put(color)
        }
        out.put("m")
    }
}
