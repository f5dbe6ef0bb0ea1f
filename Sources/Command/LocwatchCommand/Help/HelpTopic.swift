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

    /// Returns the text of `locwatch help sim`.
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
