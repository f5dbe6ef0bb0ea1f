import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .withFew) struct HelpTests {
    /// The help of one command stands for all, which are made of the same tables: of one whose options seldom change.
    @Test(arguments: [(HelpTopic.command(TimeCommand.entry.name), "help-time.txt"), (.overview, "help.txt")])
    func `the help of a command and the overview match their golden files`(topic: HelpTopic, file: String) throws {
        try Golden.expect(topic.text, is: file)
    }

    @Test(arguments: ["template", "sim", "faults", "receiver", "safety"] + CommandName.allCases.map(\.rawValue))
    func `every terminal can show the help`(topic: String) throws {
        let text = try HelpTopic(word: topic).text + HelpTopic.overview.text
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
    }

    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test(arguments: CommandName.allCases)
    func `help begins with the summary in a line, and with examples`(command: CommandName) {
        let title = "locwatch \(command.rawValue): \(command.entry.summary)"
        #expect(title.count <= 80, "the summary is \(title.count - 80) characters too long for a line of 80: \(title)")
        #expect(lines(HelpTopic.command(command).text).prefix(3) == [title[...], "", "Examples:"])
    }

    @Test(arguments: CommandName.allCases) func `help fits two screens of 40 lines, and -h one`(command: CommandName) {
        let (whole, brief) = (
            HelpTopic.command(command).text, HelpTopic.command(command).text(width: 80, isBrief: true)
        )
        #expect(lines(whole).count <= 81, "\(whole)")
        #expect(lines(brief).count <= 41, "\(brief)")
    }

    @Test(arguments: CommandName.allCases) func `help fits 80 columns`(command: CommandName) {
        for line in lines(HelpTopic.command(command).text) where !line.hasPrefix("  locwatch") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test(arguments: CommandTable.all.flatMap { $0.entry.examples.map(\.term) })
    func `every example is a valid command line`(line: String) throws {
        guard line.hasPrefix("locwatch") else { return #expect(line.hasPrefix("cgps ")) }
        // The shell parses the line with a locwatch that only prints its arguments.
        let harmless = line.replacing(">~/", with: ">/dev/null # ")
        let shown = try Tool(
            "bash", ["-c", "locwatch() { printf '%s\\n' \"$@\" >&2; }; man() { :; }; jq() { :; }; \(harmless)"])
        let arguments = shown.errors.split(separator: "\n").map(String.init)
        _ = try Invocation.parse(
            arguments, exists: { _ in false }, read: { _ in ConfigurationText("to udp://127.0.0.1:10110") })
    }

    @Test func `the manual page has no warnings from man and mandoc`() throws {
        let page = HelpTopic.manual.text
        let file = try Scratch()
        let path = try file.write(page, to: "locwatch.1").path
        let man = try Tool("man", ["--warnings", "-E", "UTF-8", "-l", path])
        #expect(man.status == 0)
        #expect(man.errors == "")
        for name in ["NO_COLOR"] + StatusBar.all.map(\.name) {
            #expect(man.output.contains("\n       \(name)"), "\(name)")
        }
        let mandoc = try Tool("mandoc", ["-T", "lint", "-W", "style", path])
        #expect(mandoc.output + mandoc.errors == "")
    }

    @Test func `the example line of the manual page is a line of the text output`() {
        let printer = TextPrinter(style: TextStyle(), localTime: LocalTime { _ in 3600 })
        let lines = printer.text(of: ScriptedSession.updates).split(separator: "\n").map(String.init)
        let section = ManualText.section("OUTPUT")
        let example = section.lazy.compactMap { if case .example(let line) = $0 { line } else { nil } }.first ?? ""
        let columns = section.compactMap { if case .term(let term, _) = $0 { term } else { nil } }
        #expect(lines.contains(example))
        let words = example.split(separator: " ").joined(separator: " ")
        #expect(columns.prefix { !$0.hasPrefix("hdg") }.joined(separator: " ") == words)
        for mark in ["2D", "late", "-"] {
            #expect(columns.contains { $0.split(separator: " ").first == Substring(mark) })
            #expect(lines.contains { $0.split(separator: " ").contains(Substring(mark)) }, "\(mark)")
        }
    }

    @Test func `the manual page explains each reason of integrity, in their order`() {
        let terms = ManualText.section("INTEGRITY").compactMap { if case .term(let term, _) = $0 { term } else { nil } }
        #expect(terms == IntegrityReasons.named.map(\.code))
    }
}
