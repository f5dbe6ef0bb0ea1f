import GPSDSimulation
import LocationCore
import LocationPublishing
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The output of `--help` and `locwatch help`: parts with an empty line between them, wrapped to a width.
struct HelpText {
    static let tagline = "shows where this machine is and how accurate that is, through gpsd"
    static let overviewExamples = CommandName.allCases.flatMap(\.entry.overview)

    private let width: Int
    private var lines: [String] = []

    init(width: Int) { self.width = width }

    var output: String { lines.joined(separator: "\n") + "\n" }

    // MARK: Parts

    private mutating func add(_ part: [String], below heading: String? = nil) {
        lines += (lines.isEmpty ? [] : [""]) + (heading.map { [$0] } ?? []) + part
    }

    private mutating func paragraph(_ text: String, indent: Int = 0, below heading: String? = nil) {
        add(Paragraph.lines(text, indent: indent, width: width), below: heading)
    }

    private mutating func table(_ rows: [(term: String, meaning: String)], column: Int, below heading: String? = nil) {
        add(Paragraph.table(rows, column: column, width: width), below: heading)
    }

    private mutating func examples(_ examples: [(term: String, meaning: String)]) {
        table(examples, column: 36, below: "Examples:")
    }

    private mutating func options(_ options: [OptionEntry], below heading: String) {
        if !options.isEmpty { table(options.map { ($0.usage, $0.summary) }, column: 30, below: heading) }
    }

    /// Appends a section of the manual page with its tables.
    private mutating func section(
        _ title: String, _ tables: [String: (rows: [(term: String, meaning: String)], column: Int)] = [:]
    ) {
        for block in ManualText.section(title) {
            switch block {
            case .paragraph(let text): paragraph(text)
            case .term(let term, let meaning): table([(term, meaning)], column: 14)
            case .example(let text): add(text.split(separator: "\n").map { "  \($0)" })
            case .table(let name):
                guard let known = tables[name] else { preconditionFailure("the section has an unknown table \(name)") }
                table(known.rows, column: known.column)
            case .title, .topic, .step: preconditionFailure("the section has no such block")
            }
        }
    }

    // MARK: Texts

    /// Appends the text of `locwatch help`: examples, commands, sources, and references.
    mutating func overview() {
        paragraph("locwatch \(Self.tagline)")
        examples(Self.overviewExamples)
        paragraph("locwatch [COMMAND] [OPTIONS] [SOURCE]", indent: 2, below: "Usage:")
        table(Self.commands { !$0.isForTests }, column: 22, below: "Commands:")
        paragraph(
            "Leave SOURCE out for the local gpsd, or give a host, a receiver, a file or sim:NAME; 'locwatch help sources' lists all. "
                + "'locwatch help COMMAND' explains a command, 'locwatch help manual | man -l -' everything.")
        let faults = (term: "help faults", meaning: "describe the faults and the scripts of serve")
        table(Self.commands(\.isForTests) + [faults], column: 22, below: "\(OptionGroup.testing.rawValue):")
    }

    /// Returns the commands that satisfy a condition, with their required operands and their summaries.
    private static func commands(_ isIncluded: (CommandEntry) -> Bool) -> [(term: String, meaning: String)] {
        CommandName.allCases.map(\.entry).filter(isIncluded).map { entry in
            let operands = entry.operands.filter(\.isRequired).map(\.placeholder)
            return (([entry.name.rawValue] + operands).joined(separator: " "), entry.summary)
        }
    }

    /// Appends the text of `locwatch help COMMAND`: examples, the first paragraph of the description, and the options.
    ///
    /// It fits two screens of 40 lines; the manual page has the rest.
    mutating func command(_ name: CommandName) {
        let entry = name.entry
        heading(entry)
        if let first = entry.description.first { paragraph(first) }
        for operand in entry.operands where !operand.meanings.isEmpty {
            table(operand.meanings, column: 12, below: "\(operand.placeholder):")
        }
        for group in OptionGroup.allCases {
            options(OptionTable.all.filter { $0.group == group && $0.isTaken(by: name) }, below: "\(group.rawValue):")
        }
        references(entry)
    }

    /// Appends the text of `locwatch COMMAND -h`: examples and the options that matter most.
    mutating func brief(_ name: CommandName) {
        heading(name.entry)
        let main = OptionTable.main.compactMap { name in OptionTable.all.first { $0.name == name } }
        options(Array(main.filter { $0.isTaken(by: name) }.prefix(10)), below: "Options (--help lists all):")
        references(name.entry)
    }

    private mutating func heading(_ entry: CommandEntry) {
        paragraph("locwatch \(entry.name.rawValue): \(entry.summary)")
        examples(entry.examples)
        paragraph(entry.usage, indent: 2, below: "Usage:")
    }

    /// Appends the lines that say where more is explained.
    private mutating func references(_ entry: CommandEntry) {
        let kinds = entry.operands.map(\.kind)
        let topics =
            (kinds.contains(where: \.takesSource) ? ["'locwatch help sources' lists what SOURCE can be"] : [])
            + (kinds.contains(where: \.takesTarget) ? ["'locwatch help targets' what TARGET can be"] : [])
            + ["'locwatch help manual | man -l -' explains everything"]
        paragraph(topics.joined(separator: ", ") + ".")
    }

    mutating func sources() {
        table(SourceTable.help, column: 38, below: "SOURCE (doctor takes no file):")
        paragraph(ManualText.paragraphs(of: "SOURCE")[0])
    }

    mutating func targets() {
        table(TargetScheme.all.map { ($0.example, $0.summary) }, column: 38, below: "TARGET:")
        let parameters = TargetParameter.all.map { (term: $0.form, meaning: $0.meaning) }
        table(parameters, column: 38, below: "Parameters in the query of a TARGET:")
        paragraph(ManualText.paragraphs(of: "TARGET")[0])
    }

    /// The simulated receivers, each with what it shows.
    static let receivers: [(term: String, meaning: String)] = ReceiverScenario.all.map {
        ("sim:\($0.name)", $0.summary)
    }

    mutating func simulation() {
        let paragraphs = ManualText.paragraphs(of: "SIMULATED RECEIVERS")
        paragraph("locwatch SOURCE sim:NAME: simulated receivers")
        paragraph(paragraphs[0])
        table(Self.receivers + [("sim:FILE.gpx", "moves along a track")], column: 20, below: "Receivers:")
        table(SimulationOption.rows, column: 20, below: "Options:")
        paragraph(paragraphs[1])
    }

    mutating func hooks() {
        let events: [(term: String, meaning: String)] = HookTrigger.TriggerKind.allCases.map {
            ($0.rawValue + ($0.concernsFence ? "[:NAME]" : ""), $0.meaning)
        }
        paragraph("locwatch --on EVENT=COMMAND: commands that run at events")
        section("HOOKS", ["events": (events, 18), "variables": (HookEvent.variables, 26)])
    }

    /// Appends the text of `locwatch help faults`: a section that the manual page leaves to it.
    mutating func faults() {
        paragraph("locwatch serve: faults, scripts and control for tests")
        for block in ManualText.section("FAULTS, SCRIPTS AND CONTROL") {
            switch block {
            case .table("faults"):
                table(StandInWord.faults.map { ($0.usage, $0.meaning) }, column: 22, below: "Faults:")
            case .table("words"):
                let words = StandInWord.all.map { word in
                    (term: word.usage, meaning: word.meaning + (word.isForScripts ? "" : " (not in a script)"))
                }
                table(words, column: 30, below: "Words of a script and of control:")
            // Such a paragraph is the title of the table that follows it.
            case .paragraph(let text) where !text.hasSuffix(":"): paragraph(text)
            default: break
            }
        }
    }

    mutating func places() {
        paragraph("locwatch: the forms of a place, as people write it")
        section("PLACES")
    }

    mutating func receiver() {
        paragraph("locwatch: the settings of a receiver, and what can go wrong with them")
        section("RECEIVERS")
    }

    mutating func safety() {
        paragraph("locwatch: what a hostile receiver, file or server cannot do")
        section("SAFETY")
    }

    /// Appends the text of `locwatch help template`: the names for `--format`.
    mutating func template() {
        paragraph("locwatch --format: print positions with a template")
        examples([
            ("locwatch -f '%{lat} %{lon}'", "latitude and longitude"),
            ("locwatch -f '%{clock} %{alt:.0} %{units}' --units imperial", "altitude in feet"),
            ("locwatch once -f '%{osm}'", "a link to a map"),
        ])
        paragraph(
            "%{NAME} becomes the value with that name, or - if it is unknown, %{NAME|TEXT} a TEXT then, and %{NAME:.DECIMALS} a number with that many "
                + "decimals, as in %{eph:.1}. %% becomes a percent sign, \\t a tab, \\n a new line, and \\\\ a backslash. "
                + "The names are the keys of JSON, explained by 'locwatch help schema':")
        let numbers = Location.Field.rows.map { (term: $0.name.description, meaning: $0.explanation) }
        let explained = Set(numbers.map(\.term) + PointFieldNames.derived.map(\.name))
        paragraph(PointFieldNames.all.filter { !explained.contains($0) }.joined(separator: " "), indent: 2)
        paragraph("these numbers, of which --units changes the units of lengths and speeds:")
        table(numbers, column: 18)
        paragraph("and these:")
        table(
            PointFieldNames.derived.map { ($0.name, $0.meaning) }
                + Template.Extra.allCases.map { ($0.rawValue, $0.meaning) }
                + Template.placeCodes + Template.fenceFigures, column: 14)
        paragraph(
            "In place of a template, these words print the state for a status bar, as the manual page explains:")
        table(StatusBar.all.map { ($0.name, $0.meaning) }, column: 14)
    }
}
