/// Text on the terminal that is rewritten in place, starting at the cursor position of the first write.
package struct LivePage {
    private let columns: Int
    private let rows: Int
    private var height = 0

    /// Creates a page for a screen with the given columns and rows.
    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// Returns the bytes that replace the last text with a new one that consists of whole lines.
    ///
    /// Lines are cut to the screen, as one that wraps into a second row could not be erased.
    package mutating func show(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .prefix(max(1, rows - 1)).map { Self.cut($0, to: columns - 1) }
        let page = wipe() + lines.map { $0 + "\n" }.joined()
        height = lines.count
        return page
    }

    /// Returns the bytes that erase the page.
    package mutating func wipe() -> String {
        defer { height = 0 }
        return height > 0 ? "\u{1B}[\(height)A\r\u{1B}[J" : ""
    }

    /// Returns the start of a line that fits the given columns; colour sequences take no columns.
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
