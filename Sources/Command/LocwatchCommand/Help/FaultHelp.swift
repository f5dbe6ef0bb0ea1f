import GPSDSimulation
import LocwatchTerminal

/// The faults and the words of `control`, as the help and the manual page describe them.
enum FaultHelp {
    static let faults: [(term: String, meaning: String)] = StandInWord.faults.map { ($0.usage, $0.meaning) }

    static let words: [(term: String, meaning: String)] = StandInWord.all.map {
        ($0.usage, $0.meaning + ($0.isForScripts ? "" : " (not in a script)"))
    }

    /// Returns the text of `locwatch help faults`: the section of the manual page with shorter titles of the tables.
    static func text(width: Int) -> String {
        var lines = Paragraph.lines("locwatch serve: faults, scripts and control for tests", width: width)
        for block in ManualText.section("TESTING PROGRAMS THAT READ GPSD") {
            switch block {
            case .table("faults"): lines += ["", "Faults:"] + Paragraph.table(faults, column: 22, width: width)
            case .table("words"):
                lines += ["", "Words of a script and of control:"] + Paragraph.table(words, column: 30, width: width)
            // Such a paragraph is the title of the table that follows it.
            case .paragraph(let text) where !text.hasSuffix(":"): lines += [""] + Paragraph.lines(text, width: width)
            default: break
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
