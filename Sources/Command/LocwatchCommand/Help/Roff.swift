import LocwatchTerminal

/// A builder of text in roff, the language of manual pages.
struct Roff {
    private(set) var output = ""

    mutating func line(_ request: String) { output += request + "\n" }
    mutating func section(_ title: String) { line(".SH \"\(title)\"") }
    mutating func subsection(_ title: String) { line(".SS \"\(title)\"") }
    mutating func paragraph() { line(".PP") }

    /// Appends a term that is already in roff, whose meaning follows.
    mutating func term(_ term: String) {
        line(".TP")
        line(term)
    }

    mutating func terms(_ rows: [(term: String, meaning: String)]) {
        for (term, meaning) in rows {
            self.term(Roff.bold(term))
            text(meaning.sentence)
        }
    }

    /// Appends lines that are not filled.
    mutating func display(_ lines: String) {
        line(".PP")
        line(".nf")
        line(Roff.escaped(lines))
        line(".fi")
    }

    /// Appends text, escaped so that no line is a request.
    mutating func text(_ text: String, escapesHyphens: Bool = true) {
        for line in Paragraph.lines(Roff.escaped(text, escapesHyphens: escapesHyphens), width: 76) {
            self.line(line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line)
        }
    }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// Returns the escaped text; a typed hyphen becomes a minus, so that it can be copied from the page.
    private static func escaped(_ text: String, escapesHyphens: Bool = true) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\e"
            case "-" where escapesHyphens: escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "±": escaped += "\\(+-"
            case "°": escaped += "\\(de"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
