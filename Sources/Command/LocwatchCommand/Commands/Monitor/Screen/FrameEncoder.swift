import LocationCore
import LocwatchTerminal

/// An encoder of frames as the bytes that a terminal needs to get from one frame to the next.
struct FrameEncoder {
    private let depth: ColorDepth
    /// The frame that the terminal shows, or `nil` if that is unknown.
    private(set) var shown: Frame?
    private var changes: [FrameChange] = []

    /// The width of the strips of the screen that are written one after the other: the way from one figure to the one
    /// below it is shorter than the way across the screen.
    private static let strip = 20
    /// The size in bytes from which an update is marked, so that the terminal does not show a part of it.
    ///
    /// A smaller one reaches the terminal in one piece, and most are smaller.
    private static let markedSize = 400

    init(depth: ColorDepth) { self.depth = depth }

    /// Forgets what the terminal shows, so that the next frame is written completely.
    mutating func forget() { shown = nil }

    /// Returns the bytes that turn the shown frame into another one; none if both are equal.
    mutating func bytes(for frame: Frame) -> [UInt8] {
        var pen = TerminalPen(depth: depth, size: frame.size)
        changes.removeAll(keepingCapacity: true)
        let isWhole = shown?.size != frame.size
        if isWhole { pen.clear() }
        let before = isWhole ? Frame(frame.size) : shown ?? frame
        for row in 0..<frame.size.rows { frame.appendChanges(in: row, since: before, to: &changes) }
        shown = frame
        guard isWhole || !changes.isEmpty else { return [] }
        if !isWhole {
            changes.sort { ($0.start / Self.strip, $0.row, $0.start) < ($1.start / Self.strip, $1.row, $1.start) }
        }
        for change in changes {
            let line = frame.row(change.row)
            if change.isBlankRest {
                pen.clearLine(from: change.start, change.row, of: line)
            } else {
                let cells = line[(line.startIndex + change.start)..<(line.startIndex + change.end)]
                pen.put(cells, change.start, change.row, of: line)
            }
        }
        pen.finish()
        guard pen.out.count >= Self.markedSize else { return pen.out.bytes }
        return Array("\u{1B}[?2026h".utf8) + pen.out.written + Array("\u{1B}[?2026l".utf8)
    }
}
