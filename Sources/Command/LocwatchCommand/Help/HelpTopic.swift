import CLocwatchResources
import GPSDSimulation
import LocationPublishing
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// A topic of `locwatch help`.
enum HelpTopic: Hashable, Sendable {
    case overview
    case command(CommandName)
    case sources, targets, template, hooks, simulation
    /// The faults and the words for tests of programs that read gpsd.
    case faults
    case safety, schema
    /// The manual page, in roff.
    case manual

    private static let pages: KeyValuePairs<String, HelpTopic> = [
        "sources": .sources, "targets": .targets, "template": .template, "hooks": .hooks, "sim": .simulation,
        "faults": .faults, "safety": .safety, "schema": .schema, "manual": .manual,
    ]

    /// Every word that names a topic.
    static let words = CommandName.allCases.map(\.rawValue) + pages.map(\.key)

    init(word: String) throws(UsageError) {
        if let command = CommandName(rawValue: word) {
            self = .command(command)
        } else if let page = Self.pages.first(where: { $0.key == word }) {
            self = page.value
        } else {
            let meant = Spelling.nearest(to: word, among: HelpTopic.words).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("unknown help topic \"\(word.printable)\"\(meant)", command: HelpCommand.entry.name)
        }
    }

    /// The text at the default width.
    var text: String { text(width: Paragraph.width) }

    /// Returns the text for a screen of some width, which does not affect the schema and the manual page.
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

/// The forms of the SOURCE word, as the help and the manual page list them.
enum SourceHelp {
    static var rows: [(term: String, meaning: String)] { SourceTable.all.flatMap { $0.help } }

    static var rule: String { ManualText.paragraphs(of: "SOURCE")[0] }
}

/// The forms of the TARGET word, as the help and the manual page list them.
enum TargetHelp {
    static let rows: [(term: String, meaning: String)] = TargetScheme.all.map { ($0.example, $0.summary) }

    /// The rows without those of TLS, whose schemes have an s more.
    static var unencryptedRows: [(term: String, meaning: String)] {
        let names = Set(TargetScheme.all.map(\.name))
        return zip(TargetScheme.all, rows).filter { scheme, _ in
            !scheme.name.indices.contains { index in
                var plain = scheme.name
                return plain.remove(at: index) == "s" && names.contains(plain)
            }
        }.map(\.1)
    }

    static var rule: String { ManualText.paragraphs(of: "TARGET")[0] }
}

/// The simulated receivers and their options, as the help and the manual page describe them.
enum SimulationHelp {
    /// The receivers, each with what it shows.
    static let rows: [(term: String, meaning: String)] = ReceiverScenario.all.map { ("sim:\($0.name)", $0.summary) }

    static func text(width: Int) -> String {
        let paragraphs = ManualText.paragraphs(of: "SIMULATED RECEIVERS")
        var lines = Paragraph.lines("locwatch SOURCE sim:NAME: simulated receivers", width: width) + [""]
        lines += Paragraph.lines(paragraphs[0], width: width) + ["", "Receivers:"]
        lines += Paragraph.table(rows, column: 20, width: width)
        lines += Paragraph.table([("sim:FILE.gpx", "moves along a track")], column: 20, width: width)
        lines += ["", "Options:"] + Paragraph.table(SimulationOption.rows, column: 20, width: width)
        lines += [""] + Paragraph.lines(paragraphs[1], width: width)
        return lines.joined(separator: "\n") + "\n"
    }
}

/// The events and the data of hooks, as the help describes them.
enum HookHelp {
    private static let events: [(term: String, meaning: String)] = HookTrigger.Kind.allCases.map {
        ($0.rawValue + ($0.concernsFence ? "[:NAME]" : ""), $0.meaning)
    }

    /// Returns the text of `locwatch help hooks`.
    static func text(width: Int) -> String {
        let tables = [
            "events": Paragraph.table(events, column: 18, width: width),
            "variables": Paragraph.table(HookEvent.variables, column: 26, width: width),
        ]
        return HelpText.section(
            "HOOKS", "locwatch --on EVENT=COMMAND: commands that run at events", tables, width: width)
    }
}

/// The faults and the words of `control`, as the help describes them.
enum FaultHelp {
    static let faults: [(term: String, meaning: String)] = StandInWord.faults.map { ($0.usage, $0.meaning) }

    static let words: [(term: String, meaning: String)] = StandInWord.all.map {
        ($0.usage, $0.meaning + ($0.isForScripts ? "" : " (not in a script)"))
    }

    /// Returns the text of `locwatch help faults`: a section that the manual page leaves to it.
    static func text(width: Int) -> String {
        var lines = Paragraph.lines("locwatch serve: faults, scripts and control for tests", width: width)
        for block in ManualText.section("FAULTS, SCRIPTS AND CONTROL") {
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
