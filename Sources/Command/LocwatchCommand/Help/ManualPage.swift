import GPSDSimulation
import LocationPublishing
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The manual page locwatch(1), in the man macros of roff: the text of `ManualText` with the tables of the program.
enum ManualPage {
    static var text: String {
        var page = Roff()
        page.line(".TH LOCWATCH 1 \(Version.date) \"locwatch \(Version.number)\" \"User Commands\"")
        page.section("NAME")
        page.text("locwatch - \(HelpText.tagline)", escapesHyphens: false)
        page.section("SYNOPSIS")
        page.line(".B locwatch")
        for word in ["COMMAND", "OPTIONS", "SOURCE"] { page.line("[\(Roff.italic(word))]") }
        // Text after a term or another text would continue it.
        var needsBreak = false
        for block in ManualText.page {
            switch block {
            case .title(let title), .topic(let title): page.section(title)
            case .term(let terms, let meaning):
                let names = terms.split(separator: ",").map { $0.drop { $0 == " " } }
                page.term(names.map { Roff.bold(String($0)) }.joined(separator: ", "))
                page.text(meaning)
            case .step(let number, let text):
                page.term(number)
                page.text(text)
            case .example(let lines): page.display(lines)
            case .table(let name): table(name, &page)
            case .paragraph(let text):
                if needsBreak { page.paragraph() }
                page.text(text)
            }
            needsBreak =
                switch block {
                case .title, .topic: false
                case .term, .step, .example, .table, .paragraph: true
                }
        }
        page.section("SEE ALSO")
        page.line(".BR gpsd (8),")
        page.line(".BR gpspipe (1),")
        page.line(".BR cgps (1)")
        return page.output
    }

    private static func table(_ name: String, _ page: inout Roff) {
        switch name {
        case "commands": commands(&page) { !$0.isForTests }
        case "testing": commands(&page, \.isForTests)
        case "sources": page.terms(SourceTable.help)
        case "scenarios": page.terms(HelpText.receivers + SimulationOption.rows)
        case "targets": page.terms(unencryptedTargets)
        case "parameters": page.terms(TargetParameter.all.map { ($0.form, $0.meaning) })
        case "options": options(&page)
        case "events":
            for kind in HookTrigger.TriggerKind.allCases {
                page.term(Roff.bold(kind.rawValue) + (kind.concernsFence ? "[:\(Roff.italic("NAME"))]" : ""))
                page.text(kind.meaning.sentence)
            }
        case "variables": page.terms(HookEvent.variables)
        case "states": page.terms(BarStatus.StatusKind.allCases.map { ($0.rawValue, $0.meaning) })
        case "bars":
            for bar in StatusBar.all {
                page.term(Roff.bold(bar.name))
                page.text("As \(bar.meaning):")
                page.display(bar.configuration)
            }
        case "keys":
            for (key, meaning) in HelpBox.keys {
                page.term(Roff.bold(key))
                page.text(meaning)
            }
        case "paths": page.terms(WebRoute.programs.map { ($0.path, $0.help) })
        case "codes": page.terms(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) })
        case "examples": page.terms(HelpText.overviewExamples)
        default: preconditionFailure("the manual names an unknown table \(name)")
        }
    }

    /// The targets without those of TLS, whose schemes have an s more.
    private static var unencryptedTargets: [(term: String, meaning: String)] {
        let names = Set(TargetScheme.all.map(\.name))
        let plain = TargetScheme.all.filter { scheme in
            !scheme.name.indices.contains { index in
                var plain = scheme.name
                return plain.remove(at: index) == "s" && names.contains(plain)
            }
        }
        return plain.map { ($0.example, $0.summary) }
    }

    private static func commands(_ page: inout Roff, _ isIncluded: (CommandEntry) -> Bool) {
        for entry in CommandName.allCases.map(\.entry).filter(isIncluded) {
            let operands = entry.operands.map { operand in
                operand.isRequired ? Roff.italic(operand.placeholder) : "[\(Roff.italic(operand.placeholder))]"
            }
            page.term(([Roff.bold(entry.name.rawValue)] + operands).joined(separator: " "))
            page.text(entry.summary.sentence)
            if entry.isForTests { continue }
            for paragraph in entry.description { page.text(paragraph) }
            for operand in entry.operands where !operand.meanings.isEmpty {
                let words = operand.meanings.map { "\($0.term) (\($0.meaning))" }
                page.text("\(operand.placeholder) is \(EnglishList.or(words)).")
            }
        }
    }

    private static func options(_ page: inout Roff) {
        for group in OptionGroup.allCases {
            page.subsection(group.rawValue)
            for option in OptionTable.all where option.group == group {
                page.term(spelled(option))
                page.text(option.summary.sentence)
                if !option.more.isEmpty { page.text(option.more) }
                guard !option.isForEveryCommand else { continue }
                page.text("(\(takers(of: option)))")
            }
        }
    }

    /// Returns the names of the commands that take an option; of most commands with a SOURCE those that do not.
    private static func takers(of option: OptionEntry) -> String {
        let withSource = CommandName.allCases.filter { $0.entry.operands.contains { $0.kind.takesSource } }
        let others = withSource.filter { !option.isTaken(by: $0) }.map(\.rawValue)
        let further = option.commands.filter { !withSource.contains($0) }.map(\.rawValue)
        guard others.count < 3, further.isEmpty else {
            return option.commands.map(\.rawValue).joined(separator: ", ")
        }
        return "each with a SOURCE" + (others.isEmpty ? "" : " but \(EnglishList.and(others))")
    }

    private static func spelled(_ option: OptionEntry) -> String {
        let short = option.short.map { Roff.bold("-\($0)") + ", " } ?? ""
        return short + Roff.bold(option.long) + (option.form.map { " \(Roff.italic($0.placeholder))" } ?? "")
    }
}

extension String {
    /// The text with an initial capital and a full stop at the end.
    var sentence: String {
        let capital = first.map { $0.isLetter && $0.isLowercase ? $0.uppercased() + dropFirst() : self } ?? ""
        return capital.last.map { ".?!)".contains($0) } == true && !capital.hasSuffix(")") ? capital : capital + "."
    }
}
