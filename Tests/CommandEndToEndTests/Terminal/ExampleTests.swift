import Foundation
import TestSupport
import Testing

/// An example of the help; `ReadmeCommandsTests` runs those of the README.
struct Example: Hashable, CustomStringConvertible {
    /// The state that shows that an example works.
    enum Steady: Hashable {
        /// It ends with the exit code 0, or with any if it can find that something is missing, after it has printed a text that a
        /// regular expression describes.
        case ends(printing: String, withAnyCode: Bool = false)
        /// It shows a text that a regular expression describes, and goes on until Ctrl-C.
        case shows(String)
        /// It has written a file whose name has this ending, and goes on until Ctrl-C.
        case writes(String)
    }

    let line: String
    /// The name of the command.
    var command: String {
        let words = line.split(separator: " ")
        let isNamed = words.count > 1 && words[1].allSatisfy(\.isLetter) && words[1] != "drive"
        return isNamed ? String(words[1]) : "watch"
    }

    var description: String { line }

    private static let position = #"45\.\d+ +7\.\d+"#

    /// The steady state, or `nil` for a command that this table does not know.
    var steady: Steady? {
        // An object of jq has more lines than the screen, which shows the lower ones.
        if line.contains("| jq") { return .shows(command == "time" ? #"-?\d\.\d+"# : #""eph": \d"#) }
        if line.contains(#"-f '"#) { return command == "once" ? .ends(printing: "45") : .shows(#"\d\d[. ]"#) }
        if line.contains("-f waybar") { return .shows(#""class":"found""#) }
        if line.contains("--fence"), command == "watch" { return .shows("inside (home|anchor)") }
        if line.contains("--average") { return .ends(printing: "standstill", withAnyCode: true) }
        if line.contains("--at - ") { return .shows("reading times") }
        // The receiver is that of a stand-in, whose driver cannot change the rate.
        if line.contains("--rate show") { return .ends(printing: "Hz; gpsd cannot change it") }
        if line.contains("--rate 5") { return .ends(printing: "gpsd cannot change the rate", withAnyCode: true) }
        if line.contains("-s ") { return .shows("found") }
        if line.hasSuffix("--check") { return .ends(printing: "mqtt") }
        if line.contains("--listen") { return .shows(command == "serve" ? "serving" : "TOKEN") }
        // It tells what is missing for the way to GeoClue, which a test of its own tries.
        if line.contains("doctor geoclue") { return .ends(printing: #"checking[\s\S]*geoclue"#, withAnyCode: true) }
        if line.contains("file:") { return .writes("position") }
        if line.contains("| head") || line.contains("--columns") { return .ends(printing: #"45\.05"#) }
        if line.contains("--rotate") { return .writes(".gpx") }
        switch command {
        case "watch": return .shows(Self.position)
        case "once": return .ends(printing: "45.05")
        case "stats": return line.contains("-x") ? .shows("Availability") : .ends(printing: "Availability")
        case "time": return .shows(#"[-+]?\d+(\.\d+)? ?m?s"#)
        case "monitor": return .shows(line.contains("mqtt:") ? "1 device" : "FOUND  3D")
        case "devices": return line.contains("--follow") ? .shows("reporting|found|van") : .ends(printing: "RECEIVER")
        case "doctor": return .ends(printing: "ok ")
        case "record": return .writes(".json")
        case "publish": return line.contains("traccar") ? .ends(printing: "sent") : .shows("connected")
        case "web": return .shows(#"http://localhost:\d+/ shows"#)
        case "serve": return .shows("serving")
        case "control": return .ends(printing: #""ok":true"#)
        case "export", "completions": return .ends(printing: "")
        case "help": return .ends(printing: #"locwatch|LOCWATCH|"event""#)
        case "version": return .ends(printing: #"locwatch \d"#)
        default: return nil
        }
    }

    /// The examples of the help of each command.
    static func all() throws -> [Example] {
        let commands = try Tool(Locwatch.program, ["__complete", "fish", "locwatch help "]).output
            .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.filter { $0 != "manual" }
        let lines = try commands.flatMap { name in
            let help = try Tool(Locwatch.program, ["help", name]).output.components(separatedBy: "\nExamples:\n")
            let examples = help.dropFirst().first?.components(separatedBy: "\n\n").first ?? ""
            return examples.split(separator: "\n").reduce(into: [String]()) { lines, text in
                let command = text.dropFirst(2).description.components(separatedBy: "  ")[0]
                if text.hasPrefix("  locwatch") {
                    lines.append(command)
                } else if !text.hasPrefix("   "), !text.hasPrefix("  cgps"), !lines.isEmpty {
                    // A long line goes on in the next one.
                    lines[lines.count - 1] += " " + command
                }
            }
        }
        return Set(lines).sorted().map { Example(line: $0) }
    }
}

/// Runs each example in a terminal of 80 columns until it is in its steady state, and ends it by Ctrl-C.
@Suite(.serialized, .alone, .timeLimit(.minutes(8))) struct ExampleTests {
    /// The time for an example to end: a simulated hour takes seconds of a processor in a build for debugging, and on a busy machine
    /// many programs share it.
    private static let limit = Duration.seconds(150)

    /// The servers at which the examples are directed.
    private typealias Counterparts = (gpsd: String, broker: String)

    @Test func `every example reaches its steady state in a terminal and ends by Ctrl-C`() async throws {
        let (server, port) = try await Locwatch.serving("--loop --redate $FIXTURES/walk/session.json")
        let broker = try MosquittoServer()
        let address = "127.0.0.1:\(broker.port)"
        let van = try Locwatch(
            "exec $LW publish --queue memory mqtt://\(address)/owntracks/anna/van "
                + "--to mqtt://\(address)/fleet/van -i 1s localhost:\(port)")
        let counterparts = (gpsd: "localhost:\(port)", broker: address)
        let examples = try Example.all()
        #expect(examples.count > 60)
        // A terminal each, but not all at once.
        await withTaskGroup(of: Void.self) { group in
            for (index, example) in examples.enumerated() {
                if index >= 8 { await group.next() }
                group.addTask {
                    do { try await self.run(example, counterparts) } catch {
                        Issue.record("\(example): \(error)")
                    }
                }
            }
        }
        try await van.stop()
        try await server.stop()
    }

    private func run(_ example: Example, _ counterparts: Counterparts) async throws {
        let steady = try #require(example.steady, "no steady state is known")
        let window = try TerminalWindow(
            try script(example, counterparts).replacing("'", with: #"'\''"#),
            environment: [
                // A recording has no comparisons of clocks.
                "LOCWATCH_SOURCE": example.command == "time" ? "sim:walk" : counterparts.gpsd, "PATH": Locwatch.path,
            ])
        switch steady {
        case .ends(let text, let withAnyCode):
            let screen = try await window.wait(Self.limit, until: hasEnded)
            #expect(withAnyCode || screen.contains("[0]"), "\(example)\n\(screen)")
            #expect(screen.contains(try Regex(text)), "\(example)\n\(screen)")
            return
        case .shows(let pattern):
            try await window.wait { hasEnded($0) || $0.range(of: pattern, options: .regularExpression) != nil }
        case .writes(let ending):
            try await window.wait { screen in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: window.url.path)) ?? []
                return hasEnded(screen) || names.contains { $0.hasSuffix(ending) }
            }
        }
        // Another second of the session, in which a state that is only reached cannot fail.
        try await Task.sleep(for: .milliseconds(1500))
        let screen = try window.screen()
        #expect(!hasEnded(screen), "\(example) has ended:\n\(screen)")
        try window.press("C-c")
        let last = try await window.wait(until: hasEnded)
        #expect(last.contains("[130]"), "\(example)\n\(last)")
    }

    /// Returns whether the last line is the exit code.
    private func hasEnded(_ screen: String) -> Bool { screen.contains(/\[\d+\]\s*$/) }

    /// Returns the lines of a shell that prepare an example, run it, and print its exit code.
    private func script(_ example: Example, _ counterparts: Counterparts) throws -> String {
        var line = example.line
        let port = ReservedPort().number
        for host in ["broker.example", "broker.local", "homeassistant.local"] {
            line = line.replacing(host, with: counterparts.broker)
        }
        line = line.replacing("//broker/", with: "//\(counterparts.broker)/")
            .replacing("pi.local", with: counterparts.gpsd)
            .replacing(":10110", with: ":\(port)")
            .replacing("demo.example", with: "127.0.0.1:\(port)")
            .replacing("0.0.0.0:8080", with: "127.0.0.1:\(port)")
            .replacing("/etc/locwatch/boat.conf", with: "boat.conf")
            .replacing("/run/user/1000/", with: "~/").replacing("192.0.2.1", with: "127.0.0.1")
            .replacing("lamp on", with: "true").replacing("logger", with: "true")
            // The recorded receiver is less accurate than that.
            .replacing("-a 10 ", with: "-a 20 ")
            .replacing("45.0703,7.6869,150", with: "45.0548,7.6865,500")
        if example.command == "web", !line.contains("--listen") {
            line = line.replacing("locwatch web", with: "locwatch web --port \(port)")
        }
        if example.command == "serve" {
            line = line.replacing(/\ --port \d+/, with: "").replacing("serve", with: "serve --port \(port)")
                // With -q nothing would show that it serves.
                .replacing(" -q ", with: " ")
        }
        var steps = ["trap : INT", "export HOME=$PWD XDG_STATE_HOME=$PWD MANPAGER=cat"]
        steps.append("mkdir -p .local/share/bash-completion/completions .zfunc .config/fish/completions")
        if example.command != "record" { steps.append("cp $FIXTURES/walk/session.json drive.json") }
        if line.contains("drive.gpx"), !line.contains("-o drive.gpx") {
            steps.append("locwatch export gpx drive.json -o drive.gpx")
        }
        if example.command == "control" {
            steps.append("export LOCWATCH_CONFIG=$PWD/patient; echo timeout \(Self.limit.components.seconds)s >patient")
            let options = "--port 0 --print-port --pace manual --control gps.sock"
            steps.append("{ locwatch serve -q \(options) sim:walk >port & }")
            steps.append("while [ ! -s port ]; do sleep .1; done; { gpspipe -w localhost:$(cat port) >reports & }")
        }
        if line.contains("--token-file") { steps.append("(umask 077; echo 0123456789abcdef0123456789abcdef >token)") }
        if line.contains("boat.conf") {
            steps.append("echo to mqtt://\(counterparts.broker)/owntracks/anna/boat >boat.conf")
        }
        if line.contains("traccar") {
            steps.append("{ python3 -c \"\(Self.server)\" \(port) & }")
            steps.append("until (: <>/dev/tcp/127.0.0.1/\(port)) 2>/dev/null; do sleep .1; done")
        }
        return (steps + ["clear", line, "echo \"[$?]\"", "sleep 60"]).joined(separator: "; ")
    }

    /// A web server that accepts everything.
    private static let server =
        "import sys, http.server as h; H = type('H', (h.BaseHTTPRequestHandler,), "
        + "dict(do_GET=lambda s: (s.send_response(200), s.end_headers()), "
        + "do_POST=lambda s: (s.send_response(200), s.end_headers()), log_message=lambda *a: None)); "
        + "h.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), H).serve_forever()"
}
