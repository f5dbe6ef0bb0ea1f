import Glibc
import LocationCore
import LocationGPSD
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite struct WordingTests {
    static let here = LocationError.unreachable(host: "localhost", port: 2947, cause: "connection refused")
    private static let place = ScriptedSession.location(1)

    static let errors: [(LocationError, ExitCode)] = [
        (here, .unavailable),
        (.unreachable(host: "::2", port: 2947, cause: "timed out"), .unavailable),
        (.unresolvable(host: "wach", port: 2947, cause: "unknown host"), .unavailable),
        (.unresolvable(host: "drive2.json", port: 2947, cause: "unknown host"), .unavailable),
        (LocationError.unresolvable(host: "localhost", port: "abc", cause: "there is no such service"), .unavailable),
        (.notGPSD(host: "pi", port: "22", answer: "SSH-2.0\u{1B}[2J\r\n"), .notGPSD),
        (.notGPSD(host: "pi", port: "22", answer: ""), .notGPSD),
        (.connectionLost(host: "pi", port: 2947, cause: "reset by peer"), .unavailable),
        (.denied(what: "/dev/ttyACM0", cause: "permission denied"), .denied),
        (.daemon(message: "Can't open the device"), .unavailable),
        (.deviceUnknown(path: "/dev/ttyACM9"), .unavailable),
        (.deviceUnusable(path: "/dev/ttyACM0", cause: .missing), .noInput),
        (.deviceUnusable(path: "/dev/ttyACM0", cause: .notPermitted), .denied),
        (.deviceUnusable(path: "/dev/ttyACM0", cause: .busy(holder: "ModemManager (812)")), .unavailable),
        (.deviceUnusable(path: "/dev/ttyACM0", cause: .busy(holder: nil)), .unavailable),
        (.deviceUnusable(path: "/dev/null", cause: .notASerialDevice), .noInput),
        (.deviceUnusable(path: "/dev/ttyACM0", cause: .system(cause: "input/output error")), .unavailable),
        (.daemonUnavailable(cause: "there is no program gpsd in PATH"), .unavailable),
        (.daemonUnavailable(cause: "gpsd was ended at once by signal 11"), .unavailable),
        (.unreadable(path: "none.json", cause: "no such file or directory"), .noInput),
        (.unreadable(path: "-", cause: "bad file descriptor"), .noInput),
        (.notASession(path: "a.png", line: 1, cause: "no JSON object"), .badData),
        (.notASession(path: "drive.json", line: 0, cause: "it is empty"), .badData),
        (.noFix(.nothingHeard(after: .seconds(60))), .noFix),
        (.noFix(.noPosition(after: .seconds(90), reason: .noFix(seen: 7, used: 0, best: 24))), .noFix),
        (.noFix(.noPosition(after: .seconds(90), reason: .noDevice)), .noFix),
        (.noFix(.tooCoarse(best: place, wanted: 5)), .noFix),
        (.noFix(.tooCoarse(best: Location(coordinate: place.coordinate), wanted: 5)), .noFix),
        (.noFix(.tooFlat(best: Location(coordinate: place.coordinate, fix: .twoD), wanted: .threeD)), .noFix),
        (.noFix(.tooOld(best: place, wanted: .milliseconds(100))), .noFix),
        (.noFix(.tooOld(best: Location(coordinate: place.coordinate), wanted: .seconds(2))), .noFix),
        (.noFix(.moved(after: .seconds(754), distance: 23.4)), .noFix),
        (.noFix(.interrupted(after: .seconds(754), silence: .seconds(60))), .noFix),
        (.noFix(.tooBrief(longest: .seconds(754), wanted: .seconds(1800))), .noFix),
        (.noFix(.tooBrief(longest: .zero, wanted: .seconds(1800))), .noFix),
        (.cancelled, .internalError), (LocationError.other(code: "odd", message: "something odd"), .internalError),
    ]

    @Test func `EXIT STATUS explains the code of a refused word of control, and what 75 means to each command`() {
        #expect(ExitCode.badData.meaning.contains("refused a word of 'control'"))
        #expect(ExitCode.noFix.meaning.contains("which are watch, once, export and publish"))
        let manual = HelpTopic.manual.text
        for code in ExitCode.allCases { #expect(manual.contains("\(code.rawValue)"), "\(code)") }
    }

    @Test(arguments: [(EACCES, ExitCode.denied), (ECONNREFUSED, .unavailable), (ENOENT, .unavailable)])
    func `a socket that cannot be reached has the code of a port that cannot be taken`(code: Int32, exit: ExitCode) {
        #expect(ExitCode(connecting: SystemFailure("connect to gps.sock", code: code)) == exit)
    }

    @Test(
        arguments: [
            (EADDRINUSE, "another program has the port; take another one with --port"),
            (EACCES, "take a port above 1023 with --port"), (EADDRNOTAVAIL, nil),
        ] as [(Int32, String?)])
    func `a port that cannot be taken has advice`(code: Int32, advice: String?) {
        let failure = SystemFailure("take port 80", code: code)
        let lines = ["locwatch: \(failure)"] + (advice.map { ["locwatch: \($0)"] } ?? [])
        #expect(StartFailure(port: failure).text == lines.map { $0 + "\n" }.joined())
    }

    @Test func `each error has a message, advice and an exit code`() throws {
        let lines = WordingTests.errors.map { error, code in
            #expect(ExitCode(for: error) == code, "\(error)")
            return "\(code.rawValue) \(error.code)\n\(ErrorText(error).lines)"
        }
        let text = lines.joined(separator: "\n")
        #expect(!text.contains("\u{1B}"))
        try Golden.expect(text, is: "errors.txt")
    }

    @Test func `each reason has a text`() throws {
        let reasons: [SearchReason] = [
            .starting, .connecting(attempt: 1), .connecting(attempt: 3), .connected(release: "3.22"),
            .connected(release: nil), .noDevice, .noFix(seen: 7, used: 0, best: 24),
            .noFix(seen: 1, used: nil, best: nil),
            .noFix(seen: nil, used: nil, best: nil), .deviceLost(path: "/dev/a"), .deviceUnopenable(path: "/dev/a"),
            .deviceSilent(path: "/dev/a"), .deviceBabbling(path: "/dev/a"), .silent(for: .milliseconds(3500)),
        ]
        let sources: [SourceWord?] = [
            nil, .standard, .gpsd(GPSDEndpoint(host: "::1", device: "/dev/b")), .of("serial:/dev/a?speed=9600"),
            .recording(path: "drive.json"), .recording(path: "-"), .of("sim:walk"),
        ]
        let lines = reasons.flatMap { reason in
            var seen = Set<String>()
            return sources.compactMap { source in
                let words = ReasonText(reason, source: source).words
                return seen.insert(words).inserted ? "\(reason.code): \(words)" : nil
            }
        }
        try Golden.expect(lines.joined(separator: "\n") + "\n", is: "reasons.txt")
    }

    @Test(arguments: [
        (0.0, "0 s"), (0.001, "0.001 s"), (0.0264, "0.03 s"), (0.126, "0.13 s"), (0.4, "0.4 s"), (1.26, "1.3 s"),
        (3, "3 s"), (9.94, "9.9 s"), (9.96, "10 s"), (19.8, "20 s"), (59.4, "59 s"),
        (59.6, "1 min"), (69, "1 min 9 s"), (3600, "1 h"), (7500, "2 h 5 min"), (273_600, "3 d 4 h"), (-1, "0 s"),
        (5399, "1 h 30 min"), (86_369, "23 h 59 min"), (86_370, "1 d"), (171_000, "2 d"), (3599.6, "1 h"),
    ])
    func `a duration is written in units that suit its length`(seconds: Double, text: String) {
        #expect(Duration.seconds(seconds).spoken == text)
    }

    @Test(
        arguments: [
            (
                LocationState.searching(.noFix(seen: 7, used: 3, best: 31)), 80,
                "searching 12 s · 7 satellites seen, 3 used, best 31 dB-Hz"
            ),
            (.searching(.noFix(seen: 7, used: 3, best: 31)), 30, "searching 12 s · 7 satellites"),
            (.searching(.noFix(seen: nil, used: nil, best: nil)), 80, "searching 12 s"),
            (.searching(.noDevice), 80, "searching 12 s · gpsd has no receiver"),
            (.searching(.deviceSilent(path: "/dev/一二三四")), 27, "searching 12 s · /dev/一二"),
            (.searching(.noDevice), 0, ""), (.found(WordingTests.place), 80, nil),
            (.error(WordingTests.here), 80, "waiting 12 s · no gpsd at localhost:2947: connection refused"),
        ] as [(LocationState, Int, String?)])
    func `the status line shows the satellites and fits the terminal`(
        state: LocationState, columns: Int, text: String?
    ) {
        let line = SearchProgress.text(for: state, elapsed: .milliseconds(12_900), columns: columns, glyphs: .utf8)
        #expect(line == text)
    }

    @Test func `the status line prefers the latest sky view to the reason's figures`() {
        let sky = SkyView(satellites: [Satellite(signal: 40, isUsed: true)])
        let line = SearchProgress.text(
            for: .searching(.noFix(seen: 0, used: 0, best: nil)), elapsed: .seconds(1), sky: sky, columns: 80,
            glyphs: .ascii)
        #expect(line == "searching 1 s - 1 satellite seen, 1 used, best 40 dB-Hz")
    }

    @Test(
        arguments: [
            (["LANG": "en_US.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "de_DE.UTF-8@euro"], true),
            ([:], false),
            (["LANG": "C"], false), (["LANG": "de_DE"], false), (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false),
            (["LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"], true),
            (["LC_CTYPE": "C", "LANG": "en_US.UTF-8"], false),
            (["LANG": "@"], false),
        ] as [([String: String], Bool)])
    func `characters beyond ASCII need a UTF-8 locale`(environment: [String: String], isUTF8: Bool) {
        #expect(Glyphs(environment: environment) == (isUTF8 ? .utf8 : .ascii))
    }

    @Test(
        arguments: [
            (ColorChoice.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
            (.auto, true, ["NO_COLOR": ""], true), (.auto, true, ["TERM": "dumb"], false),
            (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true), (.never, true, [:], false),
        ] as [(ColorChoice, Bool, [String: String], Bool)])
    func `colour follows the option, the terminal and the environment`(
        choice: ColorChoice, isTerminal: Bool, environment: [String: String], isColored: Bool
    ) {
        #expect(choice.isColored(isTerminal: isTerminal, environment: environment) == isColored)
    }

    @Test(
        arguments: [
            ("onec", "once"), ("wtch", "watch"), ("expotr", "export"), ("localhost", nil), ("gps.example.org", nil),
            ("192.0.2.1", nil), ("::1", nil), ("boat", nil), ("server", nil),
        ] as [(String, String?)])
    func `a word that resembles a command is not taken for a host`(word: String, meant: String?) {
        #expect(CommandName.meant(by: word) == meant)
    }

    @Test(
        arguments: [
            (.deviceLost(path: "x"), false, "offline"), (.deviceLost(path: "x"), true, "offline"),
            (.noFix(seen: 3, used: 0, best: nil), false, "searching"), (nil, false, "searching"),
            (.noFix(seen: 3, used: 0, best: nil), true, "lost"), (.connecting(attempt: 2), true, "lost"),
            (nil, true, "lost"), (.starting, true, "last known"), (.starting, false, "searching"),
            (.silent(for: .seconds(3)), true, "stale"), (.deviceSilent(path: "x"), true, "stale"),
        ] as [(SearchReason?, Bool, String)])
    func `a search has one word for lists, the monitor and bars`(
        reason: SearchReason?, hasPosition: Bool, word: String
    ) {
        #expect(StateWord.searching(reason, hasPosition: hasPosition) == word)
    }

    @Test func `the code of a reason has the words of the reason, and an unknown one stands for itself`() {
        let reasons: [SearchReason] = [
            .starting, .connecting(attempt: 1), .unanswered, .connected(release: nil), .noDevice,
            .noFix(seen: nil, used: nil, best: nil), .unsuitable,
        ]
        for reason in reasons { #expect(ReasonText.words(ofCode: reason.code) == ReasonText(reason).words) }
        let others = ["deviceLost", "deviceUnopenable", "silent", "connectionLost", "unreachable", "new\u{7}"]
        #expect(
            others.map(ReasonText.words) == [
                "the receiver is gone", "gpsd cannot open the receiver", "no report", "the connection was lost",
                "gpsd cannot be reached", "new\\x07",
            ])
    }
}
