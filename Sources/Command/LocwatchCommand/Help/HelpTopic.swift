import CLocwatchResources
import LocwatchArguments
import LocwatchTerminal

/// A topic of `locwatch help`.
enum HelpTopic: Hashable, Sendable {
    case overview
    case command(CommandName)
    case sources, targets, template, hooks, simulation
    /// The faults and the words for tests of programs that read gpsd.
    case faults
    case places, receiver, safety, schema
    /// The manual page, in roff.
    case manual

    private static let pages: KeyValuePairs<String, HelpTopic> = [
        "sources": .sources, "targets": .targets, "template": .template, "hooks": .hooks, "sim": .simulation,
        "faults": .faults, "places": .places, "receiver": .receiver, "safety": .safety, "schema": .schema,
        "manual": .manual,
    ]

    /// Every word that names a topic.
    static let words = CommandName.allCases.map(\.rawValue) + pages.map(\.key)

    init(word: String) throws(UsageError) {
        if let command = CommandName(rawValue: word) {
            self = .command(command)
        } else if let page = Self.pages.first(where: { $0.key == word }) {
            self = page.value
        } else {
            let meant = Spelling.nearest(to: word, among: HelpTopic.words).map { " (did you mean \($0)?)" } ?? ""
            throw UsageError(
                "unknown help topic \"\(word.printable)\"\(meant): the topics are the commands, "
                    + EnglishList.and(Self.pages.map(\.key)))
        }
    }

    /// The text at the default width.
    var text: String { text(width: Paragraph.width) }

    /// Returns the text for a screen of some width, which does not affect the schema and the manual page.
    func text(width: Int, isBrief: Bool = false) -> String {
        // Longer lines are hard to read.
        var help = HelpText(width: min(width, 100))
        switch self {
        case .overview: help.overview()
        case .command(let name): if isBrief { help.brief(name) } else { help.command(name) }
        case .sources: help.sources()
        case .targets: help.targets()
        case .template: help.template()
        case .hooks: help.hooks()
        case .simulation: help.simulation()
        case .faults: help.faults()
        case .places: help.places()
        case .receiver: help.receiver()
        case .safety: help.safety()
        case .schema: return String(cString: locwatch_json_schema())
        case .manual: return ManualPage.text
        }
        return help.output
    }
}
