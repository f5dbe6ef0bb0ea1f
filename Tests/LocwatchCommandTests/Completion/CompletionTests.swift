import Foundation
import GPSDSimulation
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand

extension CompleteCommand {
    /// Returns the words that fish gets for a line.
    static func words(_ line: String) -> [String] {
        answer(.fish, line, devices: { ["/dev/ttyACM0"] }).split(separator: "\n", omittingEmptySubsequences: false)
            .dropFirst().map { String($0.prefix { $0 != "\t" }) }.filter { !$0.isEmpty }
    }
}

/// Tests of what the program answers; `ShellCompletionTests` lets the shells ask.
@Suite(.serialized, .withClocks) struct CompletionTests {
    @Test(arguments: Shell.allCases)
    func `the completion script matches its golden file, and is short`(shell: Shell) throws {
        try Golden.expect(shell.completions, is: "completions.\(shell.rawValue)")
        #expect(shell.completions.split(separator: "\n").count <= 28)
    }

    private static let commands = CommandName.allCases.map(\.rawValue)
    private static let receivers = ReceiverScenario.all.map(\.name)
    private static let sims = receivers.map { "sim:\($0)" }
    private static let source = sims + ["\tfile", "\thostname"]

    /// The words after `locwatch`, and the lines of the answer to bash: what is kept of the word, then what follows.
    static let lines: [(typed: String, end: String, answer: [String])] = [
        ("--un", "--un", ["", "--units"]), ("once --f", "--f", ["", "--format", "--fix", "--fence"]),
        ("once -", "-", ["", "-j", "-f", "-t", "-a", "-q", "-v", "-h", "-V"]),
        ("--units im", "im", ["", "imperial"]), ("--units=im", "im", ["", "imperial"]),
        ("--units=im", "--units=im", ["--units=", "imperial"]),
        ("--units=", "", ["", "metric", "imperial", "nautical", "d", "dm", "dms"]),
        ("'--units=im", "--units=im", ["--units=", "imperial"]), ("--unit im", "im", ["", "imperial"]),
        ("", "", [""] + commands + source), ("exp", "exp", ["", "export", "\tfile", "\thostname"]),
        ("-n 5 onc", "onc", ["", "once", "\tfile", "\thostname"]), ("once x ", "", nothing),
        ("sim:w", "w", ["", "walk"]), ("sim:w", "sim:w", ["", "sim:walk", "\tfile", "\thostname"]),
        ("watch si", "si", [""] + source), ("x wa", "wa", [""]), ("/dev/x:y", "y", [""]),
        ("export g", "g", ["", "gpx", "geojson", "gpsd"]), ("export ", "", [""] + TrackFormat.allCases.map(\.name)),
        ("export gpx dri", "dri", ["", "\tfile", "\thostname"]), ("record dri", "dri", ["", "\tfile"]),
        ("record x.json ", "", [""] + source), ("completions ", "", ["", "bash", "zsh", "fish"]),
        ("help sch", "sch", ["", "schema"]), ("help ", "", [""] + HelpTopic.words),
        ("control ", "", ["", "\tfile"]), ("control x st", "st", ["", "status", "step"]),
        ("control x jump -", "-", [""]),
        ("serve --fault lo", "lo", ["", "lose", "long"]), ("publish mqtts", "mqtts", ["", "mqtts://", "mqtts+ha://"]),
        ("publish mqtt://h/t sim:w", "w", ["", "walk"]), ("publish --to mqtt://h/t sim:w", "w", ["", "walk"]),
        ("--device /", "/", ["", "/dev/ttyACM0"]), ("--device=/", "/", ["", "/dev/ttyACM0"]),
        ("once --device x", "x", [""]), ("--timeout ", "", [""]), ("-qn ", "", [""]),
        ("-qi 5 mon", "mon", ["", "monitor"] + place), ("--rotat 1h exp", "exp", ["", "export"] + place),
        ("export -o", "-o", ["", "-o"]), ("export -odri", "-odri", ["-o", "\tfile"]),
        ("export -qo dri", "dri", ["", "\tfile"]), ("version -v", "-v", ["", "-v", "-vh", "-vV"]), ("-z", "-z", [""]),
        ("version ", "", ["", "--verbose", "-v"] + common), ("version -v ", "", [""] + common),
        ("version x --", "--", ["", "--verbose", "--config", "--no-config", "--help", "--version"]),
        ("stats --plot dri", "dri", ["", "\tfile", "\thostname"]), ("stats --plot dri x ", "", nothing),
        ("stats --plot-file dri", "dri", ["", "\tdirectory", "\tfile .svg"]),
        ("publish --queue ", "", ["", "\tdirectory"]),
        ("--columns time,velN,vel", "time,velN,vel", ["time,velN,", "velN", "velE", "velD"]),
        ("-- --js", "--js", [""] + place), ("-- onc", "onc", [""] + place), ("--json -- ", "", [""] + source),
        ("--json --js", "--js", [""]), ("--json=", "", [""]),
        ("--fence a=1,2,3 --fen", "--fen", ["", "--fence"]),
        ("--on e", "e", ["", "error=", "enter=", "enter:", "exit=", "exit:", "every="]),
        ("--on=fo", "fo", ["", "found="]), ("--fence home=45,7,9 --on enter:h", "h", ["", "home="]),
        ("--fence=home=45,7,9 --on=enter:", "", ["", "home="]),
        ("--fence \"my house=45,7,9\" --on enter:m", "m", ["", #"my\ house="#]), ("--on found:", "", [""]),
        ("--on found=notify", "notify", ["", "\tcommand"]), ("--on 'found=notify x", "found=notify x", ["found="]),
        ("--on enter:home=notify", "notify", ["", "\tcommand"]), ("--on found=true record dri", "dri", ["", "\tfile"]),
    ]
    private static let place = ["\tfile", "\thostname"]
    private static let common = ["--config", "--no-config", "--help", "-h", "--version", "-V"]
    /// Only options can follow.
    private static let nothing: [String] = []

    @Test(arguments: lines)
    func `bash gets the matching words`(typed: String, end: String, answer: [String]) {
        func lines(_ typed: String, _ end: String) -> [String] {
            CompleteCommand.answer(.bash, "locwatch \(typed)", end: end, devices: { ["/dev/ttyACM0"] })
                .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
        // Without a word, the options are those after a hyphen.
        let expected = answer.isEmpty ? lines(typed + "-", "-") : answer
        // The long options come between the short ones.
        let found = lines(typed, end)
        #expect(typed == "once -" ? found.filter { !$0.hasPrefix("--") } == expected : found == expected)
    }

    @Test func `zsh and fish get all words, with descriptions`() {
        func answer(_ shell: Shell, _ line: String) -> String {
            CompleteCommand.answer(shell, "locwatch \(line)", devices: { [] })
        }
        #expect(answer(.zsh, "--units=im") == "--units=\nmetric\nimperial\nnautical\nd\ndm\ndms\n")
        let formats = TrackFormat.allCases.map { "\n\($0.name)\t\($0.summary)" }.joined()
        #expect(answer(.fish, "export g") == formats + "\n")
        #expect(answer(.fish, "-").contains("\n-j\tprint JSON, one object per line"))
        #expect(answer(.zsh, "help x").contains("\nonce\tprint one position"))
        #expect(answer(.zsh, "-n ") == "\n\tmessage N\n")
        #expect(answer(.fish, "-n ") == "\n")
    }

    @Test(arguments: ["locwatch", "/usr/bin/locwatch", "sudo locwatch", "A=b locwatch", "if locwatch", "lw"])
    func `a line can begin with other words or an alias`(start: String) {
        #expect(CompleteCommand.words("\(start) export ") == TrackFormat.allCases.map(\.name))
    }

    @Test(arguments: [
        "", "locwatch", "locw", "'", "\"\\", "locwatch \0", "locwatch " + String(repeating: "a", count: 9_000),
        "locwatch " + String(repeating: "a ", count: 9_000),
    ])
    func `a line without a word to complete, or a very long one, gets no answer`(line: String) {
        for shell in Shell.allCases { #expect(CompleteCommand.answer(shell, line, devices: { [] }) == "") }
    }

    @Test(arguments: ["\u{1B}[31m", "a\nb", "a\tb", "a\u{7}", "a\u{9B}", "a\u{202E}", "\r"], Shell.allCases)
    func `control characters of the line are not repeated`(name: String, shell: Shell) {
        for typed in [
            "--fence '\(name)=1,2,3' --on enter:", "--on '\(name)=", "'--\(name)=", "-o'\(name)", "'\(name)",
        ] {
            let text = CompleteCommand.answer(shell, "locwatch \(typed)", devices: { [] })
            #expect(!text.utf8.contains(0x1B) && !text.contains("\u{202E}") && !text.contains("\u{9B}"), "\(text)")
            #expect(!text.contains(name) || name == "\r", "\(text.debugDescription)")
            #expect(!text.utf8.contains(0x0D))
        }
    }

    @Test func `bash gets words that it does not expand`() {
        let line = "locwatch --fence 'a`x`$(y);\"&|<>~*?#!{}=1,2,3' --on enter:"
        let word = ##"a\`x\`\$\(y\)\;\"\&\|\<\>\~\*\?\#\!\{\}="##
        #expect(CompleteCommand.answer(.bash, line, devices: { [] }) == "\n\(word)\n")
    }

    @Test func `the devices are serial ports`() throws {
        let scratch = try Scratch()
        try run("/bin/mkdir", package: "coreutils", ["-p", "serial/by-id"], in: scratch.url)
        for name in ["ttyACM0", "ttyUSB12", "gps0", "null", "tty0", "serial/by-id/usb-u-blox_7-if00"] {
            try scratch.write("", to: name)
        }
        let found = CompleteCommand.devices(in: scratch.url.path)
        #expect(found == ["serial/by-id/usb-u-blox_7-if00", "gps0", "ttyACM0", "ttyUSB12"].map(scratch.path))
    }

    @Test(arguments: ["__complete", "__complete ksh x", "__complete bash", "__complete bash a b c"])
    func `a question that no script asks prints nothing`(line: String) async throws {
        let result = try await CommandTrial().run(line)
        #expect(result.status == 64 && result.output == "" && result.errors == "")
    }

    @Test func `a question is answered without any settings, and is in no list`() async throws {
        let environment = ["LOCWATCH_UNITS": "feet", "LOCWATCH_SOURCE": "sim:wlk"]
        let result = try await CommandTrial(environment: environment).run(["__complete", "bash", "locwatch exp", "exp"])
        #expect(result.status == 0 && result.output == "\nexport\n\tfile\n\thostname\n" && result.errors == "")
        let texts = [HelpTopic.overview.text, HelpTopic.manual.text] + [CompleteCommand.words("locwatch ").joined()]
        for text in texts { #expect(!text.contains("__complete")) }
    }
}
