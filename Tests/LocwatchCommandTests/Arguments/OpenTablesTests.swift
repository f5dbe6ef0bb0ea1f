import Testing

@testable import LocwatchCommand

/// Commands, sources and options are declared once, and everything else is made of the declarations.
struct OpenTablesTests {
    @Test func `every command is in the help, the completions and the manual page, with an example`() {
        let names = CommandTable.all.map { $0.entry.name.rawValue }
        #expect(Set(names).count == names.count)
        let manual = HelpTopic.manual.text.replacing("\\-", with: "-")
        for entry in CommandTable.all.map({ $0.entry }) {
            let name = entry.name.rawValue
            #expect(HelpTopic.overview.text.contains("  \(name)"))
            #expect(HelpText.command(entry.name).hasPrefix("locwatch \(name): \(entry.summary)"))
            #expect(manual.contains("\\fB\(name)\\fR"))
            for shell in Shell.allCases { #expect(shell.completions.contains(name), "\(shell)") }
            #expect(!entry.examples.isEmpty && !entry.summary.isEmpty)
        }
    }

    @Test func `every option is taken by a command, and every option of a command is declared`() {
        for option in OptionTable.all { #expect(!option.commands.isEmpty, "\(option.long)") }
        let declared = Set(OptionTable.all.map(\.name))
        for command in CommandTable.all { #expect(command.entry.options.isSubset(of: declared)) }
    }

    @Test func `every kind of source is in the help and the manual page, and its prefixes lead to it`() throws {
        let manual = HelpTopic.manual.text.replacing("\\-", with: "-")
        for kind in SourceTable.all {
            #expect(!kind.help.isEmpty)
            for row in kind.help {
                #expect(SourceHelp.rows.contains { $0.term == row.term })
                #expect(HelpText.overview(width: 200).contains(row.term))
                #expect(manual.contains(row.term))
            }
        }
        let prefixes = SourceTable.all.flatMap { $0.prefixes }
        #expect(Set(prefixes).count == prefixes.count)
        for (word, prefix) in [
            ("gpsd://pi", "gpsd://"), ("serial:/dev/x", "serial:"), ("replay:x", "replay:"), ("sim:walk", "sim:"),
        ] {
            let source = try SourceWord(word, exists: { _ in false }).source
            #expect(type(of: source).prefixes == [prefix])
        }
        #expect(prefixes.count == 4, "a new kind of source has its word in this test too")
    }

    @Test func `every check of doctor is asked for each source that doctor takes`() {
        for source in [SourceWord.standard, .serial(path: "/dev/ttyACM0", speed: nil), .simulator(name: "walk")] {
            #expect(Set(CheckName.order(for: source)) == Set(CheckName.allCases))
        }
    }
}
