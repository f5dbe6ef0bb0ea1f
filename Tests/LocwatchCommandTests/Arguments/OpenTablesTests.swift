import Foundation
import LocationCore
import LocationTesting
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchCommand

/// Tests that parser, help, completions and manual page cover every declared command, source, format and option.
struct OpenTablesTests {
    @Test func `every command appears in the help, the completions and the manual page, with an example`() {
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

    @Test func `every kind of source appears in the help and the manual page, and its prefixes select it`() throws {
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
            ("gpsd://pi", "gpsd://"), ("serial:/dev/x", "serial:"), ("replay:x", "replay:"), ("raw:x", "raw:"),
            ("sim:walk", "sim:"), ("tcp://pi", "tcp://"), ("udp://", "udp://"), ("ntrip://pi/M", "ntrip://"),
        ] {
            let source = try SourceWord(word, exists: { _ in false }).source
            #expect(type(of: source).prefixes.contains(prefix))
            #expect(source.description.hasPrefix(prefix))
        }
        for word in ["mqtt://pi", "mqtts://pi"] {
            #expect(try SourceWord(word, exists: { _ in false }).isFleet)
        }
        #expect(prefixes.count == 10, "a new kind of source needs a word in this test")
    }

    @Test func `every export format appears in the help, the completions and the manual page, and has a reader`() {
        let names = TrackFormat.allCases.map(\.name)
        #expect(Set(names).count == names.count)
        let help = HelpText.command(ExportCommand.entry.name, width: 200)
        let manual = HelpTopic.manual.text.replacing("\n", with: " ")
        for format in TrackFormat.allCases {
            #expect(help.contains("\n  \(format.name) ") && help.contains(format.summary))
            #expect(manual.contains("\(format.name) (") && ExportCommand.entry.summary.contains(format.title))
            #expect(TrackFormat(named: format.name) == format)
        }
        for shell in Shell.allCases { #expect(shell.completions.contains(names.joined(separator: " ")), "\(shell)") }
        #expect(
            Set(ExportCommandTests.readers.map(\.0)) == Set(names), "a new format needs a reader in ExportCommandTests")
    }

    @Test(arguments: TrackFormat.allCases)
    func `every format can be exported and continued as a log`(_ format: TrackFormat) async throws {
        let scratch = try Scratch()
        let drive = try scratch.write(RecordedDrive.text(points: 5), to: "drive.json")
        let whole = try await CommandTrial().run(["export", format.name, drive.path])
        #expect(whole.code == .done && (format.choosesColumns || !whole.output.isEmpty))
        let log = scratch.url.appending(path: "log").path
        let script: [ScriptStep] = [.location(45, 7), .wait(.seconds(1)), .location(45.1, 7), .end]
        for points in [2, 2] {
            let result = try await CommandTrial.run("export \(format.name) -o \(log) x", script)
            #expect(result.errors.contains("saved \(points) points in"), "\(result.errors)")
        }
    }

    @Test func `every path for programs appears in the help, the manual page and the README`() throws {
        let paths = WebRoute.all.map(\.path)
        #expect(Set(paths).count == paths.count)
        let help = HelpText.command(WebCommand.entry.name).replacing("\n", with: " ")
        let manual = HelpTopic.manual.text.replacing("\\-", with: "-").replacing("\\(aq", with: "'")
            .replacing("\n", with: " ")
        let readme = try String(contentsOf: Golden.package.appending(path: "README.md"), encoding: .utf8)
        for route in WebRoute.programs {
            #expect(!route.help.isEmpty && help.contains("\(route.path) (\(route.help))"))
            #expect(manual.contains("\\fB\(route.path)\\fR \(route.help.sentence)"))
            #expect(readme.contains("`\(route.path)`"))
        }
    }

    @Test func `the page links to the paths with a name, except the track of a fleet`() throws {
        for source in [SourceWord.standard, try SourceWord("mqtt://pi", exists: { _ in false })] {
            var facts = TextBuffer()
            facts.putFacts(source, Settings())
            let object = try JSONSerialization.jsonObject(with: Data(facts.bytes)) as? [String: Any]
            let links = try #require(object?["links"] as? [[String: String]])
            #expect(links.count == (source.isFleet ? 1 : 3))
            for link in links {
                let path = try #require(link["path"])
                let route = try #require(WebRoute.all.first { $0.path == "/\(path)" })
                #expect(route.link == link["name"] && !(source.isFleet && route.isTrack))
            }
        }
    }

    @Test func `the error for an unknown format lists all formats`() async throws {
        let result = try await CommandTrial.run("export geojsn x", [.end])
        #expect(result.code == .usage)
        #expect(result.errors.contains("gpx, geojson, kml, csv, nmea or json"))
        #expect(result.errors.contains("did you mean geojson?"))
    }

    @Test func `doctor runs every check on each kind of live source`() {
        for source in [
            SourceWord.standard, .serial(path: "/dev/ttyACM0", speed: nil), SourceWord(SimulatedSource(name: "walk")),
        ] {
            #expect(Set(CheckName.order(for: source)) == Set(CheckName.allCases))
        }
    }
}
