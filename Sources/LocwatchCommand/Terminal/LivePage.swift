/// Text on the terminal that is rewritten in place, from where the cursor stood when it was first shown.
struct LivePage {
    private let columns: Int
    private let rows: Int
    private var height = 0

    /// A page on a screen of so many columns and rows.
    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// What is to be written to show a text of whole lines in the place of the last one.
    ///
    /// Lines are cut to the screen, as one that goes on in a second row could not be taken back.
    mutating func show(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .prefix(max(1, rows - 1)).map { Self.cut($0, to: columns - 1) }
        let page = wipe() + lines.map { $0 + "\n" }.joined()
        height = lines.count
        return page
    }

    /// What is to be written to take the page off the screen.
    mutating func wipe() -> String {
        defer { height = 0 }
        return height > 0 ? "\u{1B}[\(height)A\r\u{1B}[J" : ""
    }

    /// The beginning of a line that is shown in so many columns; what sets colours takes none.
    static func cut(_ line: Substring, to columns: Int) -> String {
        var shown = ""
        var width = 0
        var isSequence = false
        for character in line {
            if character == "\u{1B}" { isSequence = true }
            if !isSequence {
                guard width < columns else { continue }
                width += 1
            }
            shown.append(character)
            if isSequence, character == "m" { isSequence = false }
        }
        return shown
    }
}
