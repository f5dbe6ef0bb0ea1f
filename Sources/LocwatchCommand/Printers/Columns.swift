/// Columns that begin at a usual width and grow when something wider comes, so that later lines stay aligned.
struct Columns: Hashable, Sendable {
    enum Cell {
        case left(Int)
        case right(Int)
    }

    private var widths: [Int] = []
    private var column = 0
    private var lineStart = 0

    mutating func begin(at start: Int) {
        column = 0
        lineStart = start
    }

    /// Puts a cell, two spaces after the one before.
    mutating func put(_ cell: Cell, into out: inout TextBuffer, _ write: (inout TextBuffer) -> Void) {
        if out.count > lineStart { out.put("  ") }
        let start = out.count
        write(&out)
        let width = out.columns(from: start)
        let usual: Int
        switch cell {
        case .left(let least), .right(let least): usual = least
        }
        if column == widths.count { widths.append(usual) }
        widths[column] = max(widths[column], width)
        let padding = widths[column] - width
        column += 1
        switch cell {
        case .left: out.put(repeating: UInt8(ascii: " "), count: padding)
        case .right: out.insert(repeating: UInt8(ascii: " "), count: padding, at: start)
        }
    }
}
