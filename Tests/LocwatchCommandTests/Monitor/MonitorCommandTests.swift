import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchTerminal

/// The command `monitor` in memory: over scripted sources and recordings, with a terminal and keys of the test.
@Suite(.serialized, .withClocks, .timeLimit(.minutes(2))) struct MonitorCommandTests {
    private static let gate = ScriptedSession.gate

    private func run(
        _ script: [ScriptStep], on terminal: FakeTerminal, _ line: String = "monitor x"
    ) async throws -> CommandTrial.Result {
        try await CommandTrial.run(line, script, terminal: terminal)
    }

    @Test func `the screen shows the states of a script, and the terminal is restored at the end`() async throws {
        let terminal = try FakeTerminal()
        let result = try await run(
            [
                .searching(.connected(release: "3.25")), .wait(.seconds(2)), .location(Self.gate),
                .wait(.seconds(10)), .end,
            ], on: terminal)
        #expect(result.code == .done)
        #expect(result.output == "" && result.errors == "")
        let state = terminal.state
        #expect(state.isEntered == false)
        #expect(state.screen.unknown == [])
        #expect(state.screen.text.contains("STALE"))
        #expect(state.screen.text.contains("52.5163000 N   13.3777000 E"))
        #expect(state.screen.text.contains("3D fix after 2 s"))
        #expect(state.screen.text.contains("fix lost, held for 3 s: no report for 3 s"))
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `the fences around the position are shown, and the log has the change`(size: (Int, Int)) async throws {
        let terminal = try FakeTerminal(columns: size.0, rows: size.1)
        let gone = with(Self.gate) {
            $0.coordinate = Coordinate(latitude: 52.6, longitude: 13.3777)
            $0.timestamp = Timestamp.testEpoch.advanced(by: .seconds(10))
        }
        _ = try await run(
            [
                .searching(.connected(release: "3.25")), .wait(.seconds(2)), .location(Self.gate),
                .wait(.seconds(10)), .location(gone), .wait(.seconds(2)), .end,
            ], on: terminal,
            "monitor --fence gate=52.5163,13.3777,100 --fence north=52.6,13.3777,100 x")
        let screen = terminal.state.screen.text
        for words in ["outside gate 9.31 km 180° S", "inside north 0.0 m"] {
            #expect(screen.contains(words), "\(screen)")
        }
        // A small log has scrolled past the first change.
        for words in ["inside gate", "exited gate", "entered north"].dropFirst(size.1 < 40 ? 1 : 0) {
            #expect(screen.contains("fence      \(words)"), "\(words)\n\(screen)")
        }
    }

    @Test func `a failure that ends the session restores the terminal before its message`() async throws {
        let terminal = try FakeTerminal()
        let result = try await run(
            [.location(Self.gate), .endThrowing(.connectionLost(host: "x", port: 1, cause: "end of file"))],
            on: terminal,
            "monitor --no-reconnect x")
        #expect(result.code == .unavailable)
        #expect(result.errors.contains("connection"))
        #expect(terminal.state.isEntered == false)
    }

    @Test func `without a terminal the command names another one`() async throws {
        let result = try await CommandTrial.run("monitor x", [.hang])
        #expect(result.status == 64)
        #expect(
            result.errors == "locwatch: monitor needs a terminal on standard output; use 'locwatch watch' instead\n")
    }

    @Test func `keys change the view, and q quits`() async throws {
        let terminal = try FakeTerminal(keys: [
            ("52.5163000", "d"), ("52°30.97800'N", "?"), ("quit", "?/FIX\r"), ("log with \"FIX\"", "\u{1B}[A r"),
            ("frozen at", "q"),
        ])
        #expect(try await run([.location(Self.gate), .hang], on: terminal).code == .done)
        #expect(terminal.state.screen.text.contains("frozen at"))
    }

    private static var walk: String { ExportCommandTests.fixture("walk") }

    @Test func `a recording is played, paused, scrubbed in both directions, and stays at its end`() async throws {
        let terminal = try FakeTerminal(keys: [
            ("09:00:02", " "), ("paused", "\u{1B}[C"), ("paused 1x  12 s", "\u{1B}[C \u{1B}[C\u{1B}[C"),
            ("end ", "\u{1B}[D"),
            ("playing 1x  13 s", "+"), ("playing 2x", "q"),
        ])
        #expect(try await CommandTrial(terminal: terminal).run(["monitor", Self.walk]).code == .done)
        let state = terminal.state
        #expect(state.screens.contains { $0.contains("end 1x  23 s") && $0.contains("45.0551811 N") })
        #expect(state.screen.text.contains("found"))
    }

    /// A recording of ten minutes with a position and forty satellites each second.
    private static var longRecording: String {
        let satellites = (1...40).map {
            #"{"PRN":\#($0),"gnssid":0,"svid":\#($0),"el":40,"az":\#($0),"ss":40,"used":true}"#
        }
        let sky = #"{"class":"SKY","device":"/dev/ttyACM0","satellites":[\#(satellites.joined(separator: ","))]}"#
        return RecordedDrive.text(points: 600).replacing("\n", with: "\n\(sky)\n")
    }

    @Test func `several keys at once move a recording as far as one after another`() async throws {
        let (left, right) = ("\u{1B}[D", "\u{1B}[C")
        let terminal = try FakeTerminal(keys: [
            ("00:00:01", " " + String(repeating: right, count: 20)),
            // The time of the position, because the place in the recording is shown before it has been read up to there.
            ("00:03:21", left + left + left + right),
            ("00:03:01", "q"),
        ])
        let result = try await CommandTrial.run("monitor @", reading: Self.longRecording, terminal: terminal)
        let screen = terminal.state.screen.text
        #expect(result.code == .done && screen.contains("paused 1x  3 min 1 s"), "\(screen)")
    }

    @Test func `a move backwards invents neither a loss nor a gap`() async throws {
        let right = String(repeating: "\u{1B}[C", count: 58)
        let terminal = try FakeTerminal(keys: [
            ("00:00:01", " " + right), ("paused 1x  9 min 4", "\u{1B}[D"), ("00:09:3", "q"),
        ])
        let result = try await CommandTrial.run("monitor @", reading: Self.longRecording, terminal: terminal)
        #expect(result.code == .done)
        for screen in terminal.state.screens { #expect(!screen.contains("fix lost")) }
        let history = terminal.state.screen.text.split(separator: "\n").first { $0.contains(" acc m") } ?? ""
        #expect(history.unicodeScalars.count { 0x2801...0x28FF ~= $0.value } >= 12, "\(terminal.state.screen.text)")
    }

    @Test func `a move backwards from the end at the pace max plays on at the pace of the recording`() async throws {
        let terminal = try FakeTerminal(keys: [("end at once", "\u{1B}[D"), ("playing 1x  1", "q")])
        let result = try await CommandTrial(terminal: terminal).run(["monitor", "--pace", "max", Self.walk])
        #expect(result.code == .done)
    }

    @Test func `a file that is not a recording is an error`() async throws {
        let terminal = try FakeTerminal()
        let result = try await CommandTrial.run("monitor @", reading: "", terminal: terminal)
        #expect(result.status == 65)
        #expect(terminal.state.isEntered == false)
    }

    @Test func `no key is skipped while a receiver reports eighty satellites ten times a second`() async throws {
        let letters = "abcdefghijkl"
        var script: [ScriptStep] = []
        for epoch in 0..<300 {
            let satellites = (0..<80).map { number in
                let (place, signal) = (Double(number), Double(20 + (number + epoch) % 25))
                return Satellite(
                    number: number, elevation: place, azimuth: 4 * place, signal: signal, isUsed: number % 3 == 0)
            }
            let sky = SkyView(satellites: satellites, device: "/dev/gps0")
            script += [.satellites(sky), .location(Self.gate), .wait(.milliseconds(100))]
        }
        // Each key is typed when the one before is on the screen.
        let steps = letters.indices.map { index in
            (whenShown: "/\(letters[..<index])_", keys: String(letters[index]))
        }
        let terminal = try FakeTerminal(
            columns: 120, rows: 40, keys: [("FOUND", "/")] + steps + [("/\(letters)_", "\r"), ("\"\(letters)\"", "q")])
        #expect(try await run(script + [.hang], on: terminal).code == .done)
        #expect(terminal.state.screen.text.contains("/80 used"))
    }

    @Test func `what is in memory is saved as a recording and as a picture`() throws {
        var state = MonitorState(place: "test", now: ScriptedSession.moment(0))
        let lines = try String(contentsOfFile: Self.walk, encoding: .utf8).split(separator: "\r\n")
        for (index, line) in lines.enumerated() where !line.contains("locwatch.dev") {
            state.keep(Array(line.utf8), at: ScriptedSession.moment(Double(index) / 4))
        }
        let recording = state.recording(of: .standard)
        #expect(String(decoding: recording, as: UTF8.self).contains("\"TPV\""))
        let picture = String(decoding: state.picture(of: .standard, staleAfter: nil, units: .metric), as: UTF8.self)
        #expect(picture.hasPrefix("<svg") && picture.contains("Satellites"))
    }
}

/// The parts of the monitor that keep their memory bounded.
@Suite(.serialized, .withClocks) struct MonitorMemoryTests {
    @Test func `history, log, raw lines and trails do not grow`() {
        var state = MonitorState(place: "x", now: ScriptedSession.moment(0))
        for step in 0..<30_000 {
            let seconds = Double(step) / 4
            var updates = [MonitorSamples.location(seconds)]
            if step % 100 == 0 { updates.append(MonitorSamples.sky(80, used: 80, at: seconds)) }
            if step % 10 == 0 {
                updates.append(LocationUpdate(.notice(.message("note \(step)")), at: seconds))
                updates.append(LocationUpdate(.line(Array(repeating: 65, count: 1500)), at: seconds))
            }
            for update in updates { state.process(.update(update), SessionView()) }
        }
        #expect(state.scene.history.seconds.count == MonitorHistory.limit)
        #expect(state.scene.history.places.count == MonitorHistory.placeLimit)
        #expect(state.log.entries.count == MonitorLog.limit)
        #expect(state.raw.kept.reduce(0) { $0 + $1.bytes.count } <= RawLines.limit)
        #expect(state.scene.trails.trails.values.allSatisfy { $0.count <= 20 })
    }

    @Test func `a gap in time leaves a gap in the history, however long it is`() {
        var history = MonitorHistory()
        history.advance(to: ScriptedSession.moment(0), in: .found)
        history.advance(to: ScriptedSession.moment(5), in: .searching)
        #expect(history.seconds.count == 6)
        history.advance(to: ScriptedSession.moment(1e9), in: .searching)
        #expect(history.seconds.count == MonitorHistory.limit)
        history.advance(to: ScriptedSession.moment(3), in: .found)
        #expect(history.seconds.count == MonitorHistory.limit)
    }

    @Test func `lines from the beginning of a session stay in a recording of what is in memory`() {
        var raw = RawLines()
        raw.append(Array(#"{"class":"VERSION","release":"3.25"}"#.utf8), at: ScriptedSession.moment(0))
        for step in 0..<2000 {
            raw.append(Array(repeating: UInt8(ascii: "x"), count: 2000), at: ScriptedSession.moment(Double(step)))
        }
        #expect(raw.recording.first?.bytes.starts(with: #"{"class":"VERSION""#.utf8) == true)
        #expect(raw.recording.count < 500)
    }
}
