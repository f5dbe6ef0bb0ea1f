import Foundation
import TestSupport
import Testing

/// The output on a terminal.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct TerminalTests {
    private func screen(
        _ line: String, columns: UInt16 = 80, environment: [String: String] = [:]
    ) async throws -> String {
        try await Locwatch.run(line, screen: .terminal(columns: columns), environment: environment).output
    }

    @Test(arguments: [40, 80, 200])
    func `the status line is rewritten in place, fits the terminal and is cleared before other output`(
        columns: UInt16
    ) async throws {
        let text = try await screen("$LW once -t 4s sim:indoors", columns: columns)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let status = lines[0].split(separator: "\r", omittingEmptySubsequences: true)
        #expect(status.count >= 3, "\(text)")
        #expect(
            status.allSatisfy { $0.hasSuffix("\u{1B}[K") && $0.count - 3 < Int(columns) || $0.contains("locwatch:") })
        #expect(lines[0].contains("\r\u{1B}[Klocwatch: "), "cleared before the message: \(text)")
    }

    @Test func `once shows what is wrong with the positions while it waits for a better one`() async throws {
        let text = try await screen("$LW once -a 1 -t 4s sim:walk", columns: 100, environment: ["LC_ALL": "C.UTF-8"])
        #expect(
            text.contains(/\r[1-4] s · no position accurate to 1 m; the best is accurate to [0-9.]+ m\u{1B}\[K/),
            "\(text)")
    }

    @Test func `a recording and a log say what they do as long as they last`() async throws {
        let folder = try Scratch()
        let locale = ["LC_ALL": "C.UTF-8"]
        let recorded = try await screen(
            "$LW record -x 5s \(folder.path("walk.json")) sim:walk", columns: 100, environment: locale)
        #expect(recorded.contains(/\rrecording for [3-5] s, [1-9][0-9]* lines, [0-9]+ bytes\u{1B}\[K/), "\(recorded)")
        let logged = try await screen(
            "$LW export gpx -x 5s -o \(folder.path("walk.gpx")) sim:walk", columns: 100, environment: locale)
        #expect(logged.contains(/\rlogging for [3-5] s, [1-9] points?\u{1B}\[K/), "\(logged)")
        #expect(logged.contains("0 points · searching"), "\(logged)")
    }

    @Test func `the page without a gpsd says on the terminal why it has no position`() async throws {
        let text = try await screen(
            "$LW web -x 2s --port \(ReservedPort().number) localhost:1", columns: 120,
            environment: ["LC_ALL": "C.UTF-8"])
        #expect(text.contains("0 readers · waiting 1 s · "), "\(text)")
    }

    @Test(arguments: ["stats", "time"])
    func `a failure is said by the page of figures, and not above its lines as well`(command: String) async throws {
        let text = try await screen("$LW \(command) -x 3s localhost:1")
        let pages = text.split(separator: /\u{1B}\[\d+A\r/)
        #expect(pages.count > 2 && pages[1].contains("no gpsd at localhost:1"), "\(text)")
        #expect(!pages[0].contains("no gpsd at"), "\(text)")
    }

    @Test func `the output of a reader in a pipe does not follow the status line`() async throws {
        let text = try await screen("$LW -j -x 3s sim:indoors | sed -u 's/.*\"event\":\"\\([a-z]*\\)\".*/event \\1/'")
        #expect(text.contains("event start") && text.contains("event end"), "\(text)")
        #expect(!text.contains("searching"), "\(text)")
        let waiting = try await screen("$LW once -j -t 2s sim:indoors | cat")
        #expect(waiting.contains("searching"), "nothing has been written yet: \(waiting)")
    }

    @Test func `the status line is cleared before data`() async throws {
        let text = try await screen("$LW -n 1 sim:walk")
        let shown = text.split(separator: "\r\n").filter { $0.contains("\rsearching") }
        #expect(!shown.isEmpty && shown.allSatisfy { $0.contains(/\r\u{1B}\[K[^\r]+$/) }, "\(shown)")
        #expect(text.contains("45.0548"), "\(text)")
    }

    @Test(arguments: [("C", "+-16.9 m"), ("de_DE.UTF-8", "\u{B1}16.9 m"), ("C.UTF-8", "\u{B1}16.9 m")])
    func `the locale changes signs a terminal may lack, but no number`(locale: String, accuracy: String) async throws {
        let text = try await screen(
            "$LW --pace max --color never $FIXTURES/walk/session.json", environment: ["LC_ALL": locale])
        let last = text.split(separator: "\r\n").last { $0.contains("45.0551811") }
        #expect(last?.contains("45.0551811    7.6869106  \(accuracy)  ") == true, "\(text.suffix(200))")
    }

    @Test func `colour is used only on terminals`() async throws {
        #expect(try await screen("$LW --pace max $FIXTURES/walk/session.json").contains("\u{1B}[3"))
        #expect(try await !Locwatch.run("$LW --pace max $FIXTURES/walk/session.json").output.contains("\u{1B}"))
    }

    @Test func `on a terminal without line rewriting there is no status line`() async throws {
        let text = try await screen("$LW once -t 2s sim:indoors", environment: ["TERM": "dumb"])
        #expect(!text.contains("\u{1B}"), "\(text)")
    }

    @Test func `on a terminal the statistics of a recording begin with it, also at a pace`() async throws {
        let text = try await screen("$LW stats --utc --pace 20x $FIXTURES/walk/session.json", columns: 100)
        let lines = text.components(separatedBy: "\r\n").filter { $0.contains(" to 2026-") || $0.contains(" UTC, ") }
        #expect(!lines.isEmpty && lines.allSatisfy { $0.contains("2026-11-20 09:00:00 to ") }, "\(text)")
    }
}
