package import LocationCore

/// Text on the terminal that is rewritten in place, starting at the cursor position of the first write.
///
/// When the program was stopped (Ctrl-Z) and continued, it starts again where the shell has left the cursor; in the background it shows
/// nothing.
package struct LivePage {
    private let size: () -> (columns: Int, rows: Int)
    /// Returns the turn of the program on the terminal, as `JobControl.turn` does.
    private let turn: () -> Int?
    /// The turn in which the page was written.
    private var writtenIn: Int?
    /// The columns of each line on the screen.
    private var widths: [Int] = []
    /// The session time of the next refresh.
    private var next = Duration.zero

    /// The time between two refreshes.
    private static let interval = Duration.seconds(1)

    /// Creates a page for a screen whose present size `size` returns, on which the program has the turn that `turn` returns.
    package init(turn: @escaping () -> Int? = { 0 }, size: @escaping () -> (columns: Int, rows: Int)) {
        self.turn = turn
        self.size = size
    }

    /// Returns the bytes that replace the last text with a new one that consists of whole lines, or none in the background.
    ///
    /// Lines are cut to the screen, as one that wraps into a second row could not be erased. The last row counts the lines for
    /// which there is no room.
    package mutating func show(_ text: String) -> String {
        let (columns, rows) = size()
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let room = max(1, rows - 1)
        if lines.count > room, room > 1 {
            let left = lines.count - room + 1
            lines = lines.prefix(room - 1) + ["(\(left) more lines; enlarge the window)"]
        }
        let shown = lines.prefix(room).map { Self.cut($0, to: columns) }
        // Last, because the program can have been stopped since the refresh became due, and continue in the background.
        forgetIfLeft()
        guard writtenIn != nil else { return "" }
        defer { widths = shown.map(\.width) }
        guard !widths.isEmpty else { return shown.map { $0.text + "\n" }.joined() }
        // Each line is erased on its own: tmux keeps in its history what is erased from the first row on. A line that fills
        // the row would lose its last character to what erases it afterwards.
        return back() + shown.map { "\u{1B}[K" + $0.text + "\n" }.joined() + "\u{1B}[J"
    }

    /// The moment of the next refresh.
    ///
    /// - Parameter now: The current moment of the session.
    package func deadline(at now: Moment) -> Moment { now.advanced(by: next - now.elapsed) }

    /// Returns the moment of a refresh that is due, after which the next one is due in a second; none while the terminal has
    /// not taken the last one.
    ///
    /// - Parameters:
    ///   - moment: The deadline that has passed.
    ///   - now: The current moment, which is later than a deadline in a recording: its time stops between its lines.
    package mutating func refresh(at moment: Moment, now: Moment, on output: OutputChannel) -> Moment? {
        let now = max(moment, now)
        guard now.elapsed >= next else { return nil }
        next = now.elapsed + Self.interval
        return canShow(on: output) ? now : nil
    }

    /// Returns whether the terminal has taken what was written, and the program is in the foreground.
    package func canShow(on output: OutputChannel) -> Bool { !output.isBehind && turn() != nil }

    /// Forgets the rows on the screen if the cursor is not below them any more.
    private mutating func forgetIfLeft() {
        let turn = turn()
        if turn == nil || turn != writtenIn { widths = [] }
        writtenIn = turn
    }

    /// Makes a refresh due at once.
    package mutating func hurry() { next = .zero }

    /// Returns the bytes that erase the page, with the row below it, in which the terminal shows `^C`.
    ///
    /// A terminal that has become narrower has wrapped the lines.
    package mutating func wipe() -> String {
        forgetIfLeft()
        defer { widths = [] }
        guard height > 0 else { return "" }
        return back() + String(repeating: "\u{1B}[K\n", count: height) + "\u{1B}[K" + back()
    }

    /// The rows of the page on the screen.
    private var height: Int {
        let columns = max(1, size().columns)
        return widths.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
    }

    /// Returns the bytes that move the cursor to the first row of the page.
    private func back() -> String { height > 0 ? "\u{1B}[\(height)A\r" : "" }

    /// Returns the start of a line that fits the given columns; colour sequences take no columns.
    private static func cut(_ line: Substring, to columns: Int) -> (text: String, width: Int) {
        var shown = ""
        var width = 0
        var isSequence = false
        var isFull = false
        for scalar in line.unicodeScalars {
            if scalar == "\u{1B}" { isSequence = true }
            if !isSequence {
                isFull = isFull || width + DisplayWidth.of(scalar) > columns
                if isFull { continue }
                width += DisplayWidth.of(scalar)
            }
            shown.unicodeScalars.append(scalar)
            if isSequence, scalar == "m" { isSequence = false }
        }
        return (shown, width)
    }
}
