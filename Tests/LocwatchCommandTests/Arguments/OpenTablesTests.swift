import Foundation
import LocationCore
import LocationPublishing
import LocationTesting
@testable import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests that each command, format, target, option, check and box of the tables is of use.
@Suite(.serialized, .withClocks) struct OpenTablesTests {
    @Test func `every option is taken by a command, and every option of a command is declared`() {
        for option in OptionTable.all { #expect(!option.commands.isEmpty, "\(option.long)") }
        let declared = Set(OptionTable.all.map(\.name))
        for command in CommandTable.all {
            let options = command.entry.options
            #expect(declared.isSuperset(of: options), "\(Set(options).subtracting(declared))")
            #expect(Set(options).count == options.count, "\(command.entry.name.rawValue) lists an option twice")
        }
    }

    @Test func `the names of the commands have the order of their table`() {
        #expect(CommandName.allCases == CommandTable.all.map { $0.entry.name })
    }

    /// The formats that an option without a value selects.
    private static let formats = OptionTable.all.compactMap { option -> (option: OptionEntry, format: OutputFormat)? in
        guard option.form == nil else { return nil }
        let none = OutputFormat("") { _, _, _ in SatelliteCSVPrinter() }
        var settings = Settings()
        settings.output.format = none
        try? option.apply("", &settings)
        return settings.output.format == none ? nil : (option, settings.output.format)
    }

    @Test func `every format is named by its option`() {
        for (option, format) in Self.formats { #expect(format.option == option.long && option.group == .output) }
        #expect(Set(Self.formats.map(\.option.name)) == ["json", "csv"])
    }

    @Test(
        arguments: formats.map(\.format.option) + StatusBar.all.map(\.format.option) + [
            "--format %{lat}", "--format influx",
        ])
    func `every format prints a position, and tells of a failure once`(option: String) async throws {
        let found = try await CommandTrial.run("once \(option) x", [.location(45.5, 7), .end])
        #expect(found.code == .done && found.output.contains("45.5"), "\(found.output)")
        let error = LocationError.unreachable(host: "pi", port: 2947, cause: "refused")
        let failed = try await CommandTrial.run("watch \(option) x", [.error(error), .wait(.seconds(1)), .end])
        let format = try Invocation.of(option).settings.output.format
        #expect(failed.errors.contains("refused") != format.carries(.diagnostics), "\(failed.errors)")
    }

    @Test func `the error for an unknown scheme lists all schemes`() throws {
        let message = try #require(UsageError.message("publish ftp://h x"))
        for scheme in TargetScheme.all { #expect(message.contains(" \(scheme.prefix)")) }
    }

    @Test(arguments: TrackFormat.allCases)
    func `every format can be exported and continued as a log`(_ format: TrackFormat) async throws {
        let drive = RecordedDrive.text(points: 5)
        let whole = try await CommandTrial.run("export \(format.name) @", reading: drive)
        #expect(whole.code == .done && !whole.output.isEmpty)
        let scratch = try Scratch()
        let log = scratch.path("log")
        let script: [ScriptStep] = [.location(45, 7), .wait(.seconds(1)), .location(45.1, 7), .end]
        for points in [2, 2] {
            let result = try await CommandTrial.run("export \(format.name) -o \(log) x", script)
            #expect(result.errors.contains("saved \(points) points in"), "\(result.errors)")
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

    @Test func `the error for an unknown format lists all formats`() {
        let names = EnglishList.or(TrackFormat.allCases.map(\.name))
        let message = "invalid value \"geojsn\" for FORMAT (did you mean geojson?): expected \(names)"
        #expect(UsageError.message("export geojsn x") == message)
    }

    @Test(arguments: [SourceWord.standard, .of("serial:/dev/ttyACM0"), .of("sim:walk")])
    func `doctor runs every check on each kind of live source`(source: SourceWord) {
        let names = Check.all(for: source).map(\.name)
        #expect(Set(names) == Set(Check.all(for: .standard).map(\.name)) && Set(names).count == names.count)
    }

    @Test func `every box of the monitor is on a large screen`() throws {
        let names = BoxTable.all.map { $0.name }
        #expect(Set(names).count == names.count)
        let sample = try #require(MonitorSamples.all.first { $0.name == "found" })
        let layout = MonitorLayout(sample.state, MonitorView(), size: ScreenSize(columns: 200, rows: 60))
        #expect(Set(layout.boxes.map { type(of: $0.box).name }) == Set(names))
    }

    @Test func `each digit of the help hides its box and shows it again`() throws {
        let sample = try #require(MonitorSamples.all.first { $0.name == "found" })
        let size = ScreenSize(columns: 200, rows: 60)
        var view = MonitorView()
        let keys = BoxTable.hideable.compactMap { $0.key }
        #expect(keys.map(String.init) == keys.indices.map { "\($0 + 1)" })
        for (box, key) in zip(BoxTable.hideable, keys) {
            #expect(HelpBox.keys.contains { $0.key.contains("\(key)") && $0.meaning.contains(box.name) })
            for isHidden in [true, false] {
                #expect(view.process(.character(key), sample.state) == nil)
                let shown = MonitorLayout(sample.state, view, size: size).boxes.map { type(of: $0.box).name }
                #expect(shown.contains(box.name) != isHidden)
            }
        }
    }
}
