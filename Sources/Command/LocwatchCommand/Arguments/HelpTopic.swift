import CLocwatchResources
import LocwatchArguments
import LocwatchTerminal

/// A topic of `locwatch help`.
enum HelpTopic: Hashable, Sendable {
    case overview
    case command(CommandName)
    /// The names that templates can contain.
    case template
    /// The events and the data of hooks.
    case hooks
    /// The forms of SOURCE.
    case sources
    /// The forms of TARGET.
    case targets
    /// The simulated receivers.
    case simulation
    /// The faults and the words for tests of programs that read gpsd.
    case faults
    /// The limits of a hostile receiver, file or server.
    case safety
    /// The JSON Schema of the output of `--json`.
    case schema
    /// The manual page, in roff.
    case manual

    /// Every word that names a topic.
    static let words =
        CommandName.allCases.map(\.rawValue)
        + ["sources", "targets", "template", "hooks", "sim", "faults", "safety", "schema", "manual"]

    init(word: String) throws(UsageError) {
        switch word {
        case "sources": self = .sources
        case "targets": self = .targets
        case "template": self = .template
        case "hooks": self = .hooks
        case "sim": self = .simulation
        case "faults": self = .faults
        case "safety": self = .safety
        case "schema": self = .schema
        case "manual": self = .manual
        default:
            guard let command = CommandName(rawValue: word) else {
                let meant = Spelling.nearest(to: word, among: HelpTopic.words).map { "; did you mean \($0)?" } ?? ""
                throw UsageError(
                    "unknown help topic \"\(word.printable)\"\(meant)", command: HelpCommand.entry.name)
            }
            self = .command(command)
        }
    }

    /// The text at the default width.
    var text: String { text(width: Paragraph.width) }

    /// Returns the text for a screen of some width, which does not affect the schema and the manual page.
    ///
    /// - Parameter isBrief: Whether a command is explained by its examples and the options that matter most.
    func text(width: Int, isBrief: Bool = false) -> String {
        // Longer lines are hard to read.
        let width = min(width, 100)
        return switch self {
        case .overview: HelpText.overview(width: width)
        case .command(let name):
            isBrief ? HelpText.brief(name, width: width) : HelpText.command(name, width: width)
        case .sources: HelpText.sources(width: width)
        case .targets: HelpText.targets(width: width)
        case .template: HelpText.template(width: width)
        case .hooks: HookHelp.text(width: width)
        case .simulation: SimulationHelp.text(width: width)
        case .faults: FaultHelp.text(width: width)
        case .safety: HelpText.safety(width: width)
        case .schema: String(cString: locwatch_json_schema())
        case .manual: ManualPage.text
        }
    }
}
