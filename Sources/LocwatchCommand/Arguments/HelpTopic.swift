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
    var text: String {
        switch self {
        case .overview: HelpText.overview
        case .command(let name): HelpText.command(name)
        case .template: HelpText.template
        case .schema: JSONSchema.text
        case .manual: ManualPage.text
        }
    }
}
