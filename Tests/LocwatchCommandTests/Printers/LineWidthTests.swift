import LocationCore
import GPSDProtocol
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchTerminal

/// The width of lines for people, which never exceeds that of the terminal.
@Suite(.serialized, .withClocks) struct LineWidthTests {
    private static let widths = [40, 41, 52, 60, 79, 80, 100, 200]

    private func expect(
        _ text: String, fits columns: Int, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let wide = text.split(separator: "\n").first { $0.unicodeScalars.count > columns }
        #expect(wide == nil, "\(what) at \(columns)", sourceLocation: sourceLocation)
    }

    @Test(arguments: Array(SampleRecording.all.enumerated()))
    func `no line of a recording is wider than the terminal`(number: Int, recording: SampleRecording) async throws {
        let commands = ["watch --sky -v", "watch --units dms,imperial", "once", "stats", "devices"]
        for (command, text) in commands.enumerated() {
            // Each recording is shown in both widths, and each command.
            let columns = (number + command).isMultiple(of: 2) ? 40 : 80
            let provider = ReplayProvider(.path(recording.path), pace: .max)
            let result = try await CommandTrial(provider: provider, columns: columns).run("\(text) x")
            expect(result.output + result.errors, fits: columns, "\(text) \(recording.path)")
        }
    }

    @Test(arguments: widths)
    func `no line of a session with long names is wider than the terminal`(columns: Int) async throws {
        let path =
            "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00"
            + String(repeating: "x", count: 90)
        var status = DeviceStatus(path: path, activity: .babbling)
        status.driver = String(repeating: "driver ", count: 12)
        status.subtype = String(repeating: "\u{7}", count: 60)
        status.speed = 100_000_000
        status.framing = "8N1"
        status.cycle = .seconds(3599)
        let gone = with(status) { $0.activity = .gone }
        let far = with(ScriptedSession.everything) {
            $0.coordinate = Coordinate(latitude: -89.9999999, longitude: -179.9999999)
            ($0.horizontalAccuracy, $0.altitudeMSL, $0.speed) = (12_345_678.9, -123_456.7, 12_345)
            $0.device = path
        }
        let near = with(far) { $0.device = path + "y" }
        let script: [ScriptStep] = [
            .searching(.connected(release: String(repeating: "3", count: 60))), .device(status), .wait(.seconds(1)),
            .location(far), .location(near), .wait(.seconds(1)), .device(gone), .wait(.seconds(20)), .location(near),
            .searching(.deviceLost(path: path)), .error(.daemon(message: String(repeating: "word ", count: 60))),
            .authorization(.denied), .notice(.message(String(repeating: "w", count: 300))), .end,
        ]
        let place = String(repeating: "host", count: 40)
        for command in [
            "watch -v --sky", "watch --units dms", "once", "stats", "devices", "doctor -t 5s", "watch -q",
            "devices --follow -x 1m",
        ] {
            let result = try await CommandTrial.run("\(command) \(place)", script, columns: columns)
            expect(result.output + result.errors, fits: columns, command)
        }
    }

    @Test func `a program that reads the output gets whole names and notices`() async throws {
        let name =
            "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00-port0-\(String(repeating: "x", count: 40))"
        let words = String(repeating: "word ", count: 60) + "end"
        let place = with(ScriptedSession.everything) { $0.device = name }
        let status = with(DeviceStatus(path: name, activity: .reporting)) { $0.driver = "u-blox" }
        let script: [ScriptStep] = [
            .device(status), .location(place), .location(with(place) { $0.device = name + "y" }),
            .notice(.message(words)), .wait(.seconds(1)), .end,
        ]
        let watched = try await CommandTrial.run("watch --all-devices x", script)
        #expect(watched.lines.contains { $0.hasSuffix(words) }, "\(watched.output)")
        #expect(
            watched.lines.count { $0.hasSuffix("  \(name)") || $0.hasSuffix("  \(name)y") } == 2, "\(watched.output)")
        #expect(watched.lines.contains { $0.contains("\(name): ") }, "\(watched.output)")
        for command in ["devices", "stats"] {
            let result = try await CommandTrial.run("\(command) x", script)
            #expect(result.lines.contains { $0.contains(name) }, "\(result.output)")
        }
    }

    @Test(arguments: widths)
    func `no line of help, errors or findings is wider than the terminal`(columns: Int) async throws {
        for topic in [""] + CommandName.allCases.map(\.rawValue) + ["template"] {
            let help = try await CommandTrial(provider: ScriptedLocationSource(), columns: columns).run("help \(topic)")
            expect(help.output, fits: columns, "help \(topic)")
        }
        let version = try await CommandTrial(provider: ScriptedLocationSource(), columns: columns).run("version -v")
        expect(version.output, fits: columns, "version -v")
        for (error, _) in WordingTests.errors {
            let trial = CommandTrial(provider: ScriptedLocationSource(), openingFailure: error, columns: columns)
            expect(try await trial.run("watch x").errors, fits: columns, "\(error)")
            expect(try await trial.run("doctor x").output, fits: columns, "doctor: \(error)")
        }
        for line in ["once --timeuot", "--units feet", "-f %{nothing}", "export", "--device", "sim:nothing"] {
            let trial = CommandTrial(provider: ScriptedLocationSource(), columns: columns)
            expect(try await trial.run(line).errors, fits: columns, line)
        }
    }

    @Test func `the last column of devices --follow is whole at 80 columns`() async throws {
        let path = "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_receiver-if00"
        let status = with(DeviceStatus(path: path, activity: .reporting)) {
            ($0.driver, $0.speed, $0.framing) = ("u-blox", 115_200, "8N1")
        }
        let silent = with(status) { $0.activity = .silent }
        let script: [ScriptStep] = [.device(status), .wait(.seconds(2)), .device(silent), .wait(.seconds(2)), .end]
        let result = try await CommandTrial.run("devices --follow x", script, columns: 80)
        expect(result.output, fits: 80, "devices --follow")
        #expect(result.lines.first { $0.contains("RECEIVER") }?.hasSuffix("STATE") == true, "\(result.output)")
        #expect(result.lines.contains { $0.hasSuffix(DeviceStatus.Activity.reporting.words) }, "\(result.output)")
        #expect(result.lines.contains { $0.hasSuffix(DeviceStatus.Activity.silent.words) }, "\(result.output)")
    }

    /// Returns which of some words the last line of positions has as the terminal narrows to 40 columns, each time they change.
    private func shown(_ words: [String], of positions: [Location], from columns: Int) -> [String] {
        var shown: [String] = []
        for columns in stride(from: columns, through: 40, by: -1) {
            let text = TextPrinter(style: TextStyle(columns: columns), localTime: .utc)
                .text(of: positions.map { .update(LocationUpdate(.location($0), at: 1)) })
            let line = text.split(separator: "\n").last ?? ""
            #expect(line.contains("45.0736120    7.6804310"), "at \(columns): \(line)")
            let found = words.filter { line.contains($0) }.joined(separator: " ")
            if shown.last != found { shown.append(found) }
        }
        return shown
    }

    @Test func `columns are omitted in a fixed order as the terminal narrows`() {
        let words = ["142°", "1.2 m/s", "  -", "264 m", "±5.4"]
        #expect(
            shown(words, of: [ScriptedSession.location(1)], from: 84) == [
                "142° 1.2 m/s   - 264 m ±5.4", "1.2 m/s   - 264 m ±5.4", "1.2 m/s 264 m ±5.4", "264 m ±5.4", "±5.4", "",
            ])
    }

    @Test(arguments: [Glyphs.utf8, .ascii])
    func `an unknown accuracy is a dash, as every unknown value is`(glyphs: Glyphs) {
        let location = with(ScriptedSession.location(1)) { $0.horizontalAccuracy = nil }
        let text = TextPrinter(style: TextStyle(glyphs: glyphs, columns: 80), localTime: .utc)
            .text(of: .location(location))
        #expect(text.contains("7.6804310  -  ") && !text.contains(glyphs.plusMinus), "\(text)")
    }

    @Test func `the name of a receiver is shortened after the columns are omitted, and the position stays whole`() {
        let location = ScriptedSession.location(1)
        let positions = [with(location) { $0.device = "/dev/ttyUSB0" }, location]
        let words = ["142°", "1.2 m/s", "264 m", "±5.4", "/dev/ttyACM0", "…"]
        #expect(
            shown(words, of: positions, from: 90) == [
                "142° 1.2 m/s 264 m ±5.4 /dev/ttyACM0", "1.2 m/s 264 m ±5.4 /dev/ttyACM0", "264 m ±5.4 /dev/ttyACM0",
                "±5.4 /dev/ttyACM0", "±5.4 …", "/dev/ttyACM0", "…",
            ])
    }

    @Test(arguments: [Glyphs.utf8, .ascii], [8, 12, 16, 20, 40])
    func `names of receivers that differ anywhere stay different when they are shortened`(glyphs: Glyphs, columns: Int)
    {
        for names in [
            ["/tmp/locwatch-Pf1Ldn/receiver", "/tmp/locwatch-Pq7Xyz/receiver"],
            [
                "/dev/serial/by-id/usb-FTDI_FT232R_A10KZP3B-if00-port0",
                "/dev/serial/by-id/usb-FTDI_FT232R_A10KZP4C-if00-port0",
            ],
            ["/dev/ttyUSB0", "/dev/ttyACM0"], ["abcdefghijklmnopqrstuvwxyz", "abcdefghijkXmnopqrstuvwxyz"],
        ] {
            let shown = names.map { ShortenedText.receiver($0, among: names, to: columns, glyphs) }
            #expect(shown[0] != shown[1] && shown.allSatisfy { DisplayWidth.of($0) <= columns }, "\(shown)")
            let sentence = ShortenedText.names(to: 2 * columns + 10, glyphs) {
                "\($0(names[0])) replaces \($0(names[1]))"
            }
            let parts = sentence.split(separator: " ")
            #expect(parts.first != parts.last, "\(sentence)")
        }
        let first = "/tmp/locwatch-Pf1Ldn/receiver"
        #expect(ShortenedText.receiver(first, among: ["/dev/ttyACM0"], to: 12, .utf8) == "/tmp/…ceiver")
        #expect(
            ShortenedText.receiver(first, among: ["/tmp/locwatch-Pq7Xyz/receiver"], to: 12, .utf8) == "…Pf1Ldn/rec…")
    }

    @Test(arguments: [40, 60])
    func `a single line of another day has both coordinates, with the date before them if there is room`(columns: Int) {
        var printer = TextPrinter(style: TextStyle(columns: columns), localTime: .utc)
        let later = ScriptedSession.time(1).advanced(by: .seconds(90 * 86_400))
        let start = SessionStart(source: .recording(path: "a.json"), now: later, isSingleLine: true)
        let head = TextBuffer.text { printer.start(start, into: &$0) }
        let location = ScriptedSession.location(1)
        let text = head + printer.text(of: .location(location))
        let lines = text.split(separator: "\n")
        #expect(lines.count == (columns < 50 ? 2 : 1) && lines[0].hasPrefix("20"), "\(text)")
        #expect(lines.last?.contains("\(location.coordinate.longitude)") == true, "\(text)")
    }

    @Test func `a printer follows changes of the terminal width`() {
        var (printer, out) = (TextPrinter(style: TextStyle(columns: 40), localTime: .utc), TextBuffer())
        for columns in [40, 80, 40] {
            printer.fit(columns: columns)
            let update = LocationUpdate(.location(ScriptedSession.location(1)), at: 1)
            printer.print(.update(update), SessionView(), into: &out)
        }
        #expect(out.text.split(separator: "\n").dropFirst().map { $0.contains("142°") } == [false, true, false])
    }

    @Test(arguments: [
        ("lost after 3 s: no signal", 40, "lost after 3 s: no signal"),
        ("lost after 3 s: no signal", 24, "lost after 3 s: no…"), ("lost after 3 s: no signal", 18, "lost after 3 s:…"),
        ("at 2007-04-06T13:00:01Z", 14, "at 2007-04-06…"), ("at 2007-04-06T13:00:01Z", 12, "at…"), ("a bc", 1, ""),
    ])
    func `a sentence loses its last words, and a word is cut if much of it fits`(
        text: String, columns: Int, shown: String
    ) {
        #expect(ShortenedText.sentence(text, to: columns, .utf8) == shown)
        #expect(DisplayWidth.of(ShortenedText.sentence(text, to: columns, .ascii)) <= columns)
    }
}
