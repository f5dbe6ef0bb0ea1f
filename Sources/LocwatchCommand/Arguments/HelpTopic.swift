/// What `locwatch help` can tell about.
enum HelpTopic: Hashable, Sendable {
    case overview
    case command(CommandName)
    /// The names that a template knows.
    case template
    /// The JSON Schema of what `--json` prints.
    case schema
    /// The manual page, in roff.
    case manual

    /// Every word that names a topic.
    static let words = CommandName.allCases.map(\.rawValue) + ["template", "schema", "manual"]

    init(word: String) throws(UsageError) {
        switch word {
        case "template": self = .template
        case "schema": self = .schema
        case "manual": self = .manual
        default:
            guard let command = CommandName(rawValue: word) else {
                let meant = Spelling.nearest(to: word, among: HelpTopic.words).map { "; did you mean \($0)?" } ?? ""
                throw UsageError(
                    "there is no help about \"\(word.printable)\"\(meant)", command: HelpCommand.entry.name)
            }
            self = .command(command)
        }
    }

    /// The text for standard output.
    var text: String { text(width: Paragraph.width) }

    /// The text for a screen; the schema and the manual page are for programs, and the same on each.
    func text(width: Int) -> String {
        // Lines that are longer are hard to read.
        let width = min(width, 100)
        return switch self {
        case .overview: HelpText.overview(width: width)
        case .command(let name): HelpText.command(name, width: width)
        case .template: HelpText.template(width: width)
        case .schema: JSONSchema.text
        case .manual: ManualPage.text
        }
    }
}
