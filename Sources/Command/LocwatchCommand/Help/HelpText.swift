import LocationCore
import LocationPublishing
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import LocwatchTerminal

/// The output of `--help` and `locwatch help`.
enum HelpText {
    static let tagline = "shows where this machine is and how accurate that is, through gpsd"

    /// Returns the text of `locwatch help`: examples, commands, sources, and references.
    static func overview(width: Int = Paragraph.width) -> String {
        var lines = Paragraph.lines("locwatch \(tagline)", width: width) + ["", "Examples:"]
        lines += examples(overviewExamples, width)
        lines += ["", "Usage:"] + Paragraph.lines("locwatch [COMMAND] [OPTIONS] [SOURCE]", indent: 2, width: width)
        lines += ["", "Commands:"]
        lines += Paragraph.table(commands { !$0.isForTests }, column: 22, width: width) + [""]
        lines += Paragraph.lines(
            "SOURCE is nothing for the gpsd of this machine, or a host, a receiver, a file, or sim:NAME; 'locwatch help sources' lists "
                + "all. 'locwatch help COMMAND' explains a command, 'locwatch help manual | man -l -' everything.",
            width: width)
        lines += ["", "\(OptionGroup.testing.rawValue):"]
        let faults = (term: "help faults", meaning: "describe the faults and the scripts of serve")
        lines += Paragraph.table(commands(\.isForTests) + [faults], column: 22, width: width)
        return joined(lines)
    }

    /// Returns the commands that satisfy a condition, with their required operands and their summaries.
    private static func commands(_ isIncluded: (CommandEntry) -> Bool) -> [(term: String, meaning: String)] {
        CommandName.allCases.map(\.entry).filter(isIncluded).map { entry in
            let operands = entry.operands.filter(\.isRequired).map(\.placeholder)
            return (([entry.name.rawValue] + operands).joined(separator: " "), entry.summary)
        }
    }

    /// Returns the text of `locwatch help COMMAND`: examples, the first paragraph of the description, and the options.
    ///
    /// It fits two screens of 40 lines; the manual page has the rest.
    static func command(_ name: CommandName, width: Int = Paragraph.width) -> String {
        let entry = name.entry
        var lines = heading(entry, width)
        if let first = entry.description.first { lines += [""] + Paragraph.lines(first, width: width) }
        for operand in entry.operands where !operand.meanings.isEmpty {
            lines += ["", "\(operand.placeholder):"] + Paragraph.table(operand.meanings, column: 12, width: width)
        }
        for group in OptionGroup.allCases {
            let options = OptionTable.all.filter { $0.group == group && $0.isTaken(by: name) }
            if options.isEmpty { continue }
            lines += ["", "\(group.rawValue):"] + table(options, width)
        }
        return joined(lines + references(entry, width))
    }

    /// Returns the text of `locwatch COMMAND -h`: examples and the options that matter most.
    static func brief(_ name: CommandName, width: Int = Paragraph.width) -> String {
        let entry = name.entry
        let main = OptionTable.main.compactMap { name in OptionTable.all.first { $0.name == name } }
            .filter { $0.isTaken(by: name) }.prefix(10)
        var lines = heading(entry, width)
        if !main.isEmpty { lines += ["", "Options (--help lists all):"] + table(Array(main), width) }
        return joined(lines + references(entry, width))
    }

    static func sources(width: Int = Paragraph.width) -> String {
        var lines = ["SOURCE (doctor takes no file):"] + Paragraph.table(SourceHelp.rows, column: 38, width: width)
        lines += [""] + Paragraph.lines(SourceHelp.rule, width: width)
        return joined(lines)
    }

    static func targets(width: Int = Paragraph.width) -> String {
        var lines = ["TARGET:"] + Paragraph.table(TargetHelp.rows, column: 38, width: width)
        lines += ["", "Parameters in the query of a TARGET:"]
        lines += Paragraph.table(
            TargetParameter.all.map { ("?\($0.name)=", $0.meaning) }, column: 38, width: width)
        lines += [""] + Paragraph.lines(TargetHelp.rule, width: width)
        return joined(lines)
    }

    /// Returns the text of `locwatch help safety`, the section of the manual page.
    static func safety(width: Int = Paragraph.width) -> String {
        section("SAFETY", "locwatch: what a hostile receiver, file or server cannot do", width: width)
    }

    /// Returns a section of the manual page with its tables as lines.
    static func section(_ title: String, _ heading: String, _ tables: [String: [String]] = [:], width: Int) -> String {
        var lines = Paragraph.lines(heading, width: width)
        for block in ManualText.section(title) {
            switch block {
            case .paragraph(let text): lines += [""] + Paragraph.lines(text, width: width)
            case .term(let term, let meaning):
                lines += [""] + Paragraph.table([(term, meaning)], column: 14, width: width)
            case .table(let name):
                guard let rows = tables[name] else { preconditionFailure("the section has an unknown table \(name)") }
                lines += [""] + rows
            case .title, .topic, .step, .example: preconditionFailure("the section has no such block")
            }
        }
        return joined(lines)
    }

    private static func heading(_ entry: CommandEntry, _ width: Int) -> [String] {
        Paragraph.lines("locwatch \(entry.name.rawValue): \(entry.summary)", width: width) + ["", "Examples:"]
            + examples(entry.examples, width)
            + ["", "Usage:"] + Paragraph.lines(entry.usage, indent: 2, width: width)
    }

    private static func table(_ options: [OptionEntry], _ width: Int) -> [String] {
        Paragraph.table(options.map { ($0.usage, $0.summary) }, column: 30, width: width)
    }

    /// Returns the lines that say where more is explained.
    private static func references(_ entry: CommandEntry, _ width: Int) -> [String] {
        let kinds = entry.operands.map(\.kind)
        let topics =
            (kinds.contains(where: \.takesSource) ? ["'locwatch help sources' lists what SOURCE can be"] : [])
            + (kinds.contains(where: \.takesTarget) ? ["'locwatch help targets' what TARGET can be"] : [])
            + ["'locwatch help manual | man -l -' explains everything"]
        return [""] + Paragraph.lines(topics.joined(separator: ", ") + ".", width: width)
    }

    /// Returns the text of `locwatch help template`: the names for `--format`.
    static func template(width: Int = Paragraph.width) -> String {
        var lines = Paragraph.lines("locwatch --format: print positions with a template", width: width)
        lines += ["", "Examples:"]
        lines += examples(
            [
                .init(line: "locwatch -f '%{lat} %{lon}'", explanation: "latitude and longitude"),
                .init(
                    line: "locwatch -f '%{clock} %{alt:.0} %{units}' --units imperial", explanation: "altitude in feet"),
                .init(line: "locwatch once -f '%{osm}'", explanation: "a link to a map"),
            ], width)
        lines += [""]
        lines += Paragraph.lines(
            "%{NAME} becomes the value with that name, or - if it is unknown, and %{NAME:.DECIMALS} a number with that many "
                + "decimals, as in %{eph:.1}. %% becomes a percent sign, \\t a tab, \\n a new line, and \\\\ a backslash. "
                + "The names are the keys of JSON, explained by 'locwatch help schema':",
            width: width)
        let numbers = LocationNumbers.fields.map { ($0.name.description, $0.explanation) }
        let explained = Set(numbers.map(\.0) + PointFieldNames.derived.map(\.name))
        let reported = PointFieldNames.all.filter { !explained.contains($0) }
        lines += [""]
        lines += Paragraph.lines(reported.joined(separator: " "), indent: 2, width: width)
        lines += [""]
        lines += Paragraph.lines(
            "these numbers, of which --units changes the units of lengths and speeds:", width: width)
        lines += [""]
        lines += Paragraph.table(numbers, column: 18, width: width)
        lines += ["", "and these:", ""]
        lines += Paragraph.table(
            PointFieldNames.derived.map { ($0.name, $0.meaning) }
                + Template.Extra.allCases.map { ($0.rawValue, $0.meaning) } + Template.fenceFigures, column: 14,
            width: width)
        lines += [""]
        lines += Paragraph.lines(
            "In place of a template, these words print the state for a status bar, as the manual page explains:",
            width: width)
        lines += [""]
        lines += Paragraph.table(StatusBar.all.map { ($0.name, $0.meaning) }, column: 14, width: width)
        return joined(lines)
    }

    static let overviewExamples = CommandName.allCases.flatMap { $0.entry.examples.filter(\.isForOverview) }

    private static func examples(_ examples: [CommandEntry.Example], _ width: Int) -> [String] {
        Paragraph.table(examples.map { ($0.line, $0.explanation) }, column: 36, width: width)
    }

    private static func joined(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}
