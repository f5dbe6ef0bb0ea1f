import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The events and the data of hooks, as the help describes them.
enum HookHelp {
    private static let events: [(term: String, meaning: String)] = HookTrigger.Kind.allCases.map {
        ($0.rawValue + ($0.concernsFence ? "[:NAME]" : ""), $0.meaning)
    }

    /// Returns the text of `locwatch help hooks`: the section of the manual page.
    static func text(width: Int) -> String {
        var lines = Paragraph.lines("locwatch --on EVENT=COMMAND: commands that run at events", width: width)
        for block in ManualText.section("HOOKS") {
            lines.append("")
            switch block {
            case .table("events"): lines += Paragraph.table(events, column: 18, width: width)
            case .table("variables"): lines += Paragraph.table(HookEvent.variables, column: 26, width: width)
            case .paragraph(let text): lines += Paragraph.lines(text, width: width)
            default: break
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
