import LocationCore
import LocwatchTerminal

/// An encoder of frames as the bytes that a terminal needs to get from one frame to the next.
struct FrameEncoder {
    private let depth: ColorDepth
    /// The frame that the terminal shows, or `nil` if that is unknown.
    private(set) var shown: Frame?

    /// The size in bytes from which an update is marked, so that the terminal does not show a part of it.
    ///
    /// A smaller one reaches the terminal in one piece, and most are smaller.
    private static let markedSize = 400

    init(depth: ColorDepth) { self.depth = depth }

    /// Forgets what the terminal shows, so that the next frame is written completely.
    mutating func forget() { shown = nil }

    /// Returns the bytes that turn the shown frame into another one; none if both are equal.
    mutating func bytes(for frame: Frame) -> [UInt8] {
        var pen = TerminalPen(depth: depth)
        let isWhole = shown?.size != frame.size
        let before = isWhole ? Frame(frame.size) : shown ?? frame
        if isWhole { pen.clear() }
        for row in 0..<frame.size.rows where frame.row(row) != before.row(row) {
            put(frame.row(row), row, since: before.row(row), with: &pen)
        }
        shown = frame
        pen.finish()
        guard pen.out.count >= Self.markedSize else { return pen.out.bytes }
        return Array("\u{1B}[?2026h".utf8) + pen.out.written + Array("\u{1B}[?2026l".utf8)
    }

    /// Writes the cells of a row that have changed.
    private func put(_ new: ArraySlice<Cell>, _ row: Int, since old: ArraySlice<Cell>, with pen: inout TerminalPen) {
        // Both slices have the indices of their row.
        for place in new.indices where !new[place].isRightHalf {
            let isWide = place + 1 < new.endIndex && new[place + 1].isRightHalf
            guard new[place] != old[place] || isWide && !old[place + 1].isRightHalf else { continue }
            pen.put(new[place], place - new.startIndex, row)
            // A terminal may disagree about the width of a character beyond ASCII, and about the cursor behind the last column.
            if isWide || place + 1 == new.endIndex { pen.loseCursor() }
        }
    }
}
