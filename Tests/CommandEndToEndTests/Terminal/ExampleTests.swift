import Foundation
import TestSupport
import Testing

/// Runs each example in a terminal of 80 columns until it is in its steady state, and ends it by Ctrl-C.
@Suite(.serialized, .withFew, .onlyInMakeTest, .timeLimit(.minutes(8))) struct ExampleTests {
    /// The time for an example to end: a simulated hour takes seconds of a processor in a build for debugging, and on a busy machine
    /// many programs share it.
    private static let limit = Duration.seconds(150)
    /// The terminals at a time, whose programs mostly wait.
    private static let terminals = 16

    /// The servers at which the examples are directed, those of sentences and datagrams, a receiver, and the path of a file of tiles.
    private struct Counterparts {
        let gpsd, broker, sentences, datagrams, receiver, map: String
    }

    @Test func `each example of the help is in the list of those that are tried`() throws {
        let lines = Example.all.map(\.line)
        #expect(Set(lines).count == lines.count)
        #expect(try Example.linesOfHelp() == Set(lines))
    }

    @Test func `each command of the README is in a list of those that are tried`() throws {
        let (help, readme) = (Set(Example.all.map(\.line)), Set(Example.ofReadme.map(\.line)))
        let lines = try Example.linesOfReadme()
        #expect(lines.count > 20)
        #expect(lines.subtracting(help) == readme)
    }

    @Test func `every example reaches its steady state in a terminal and ends by Ctrl-C`() async throws {
        let folder = try Scratch()
        defer { withExtendedLifetime(folder) {} }
        let receiver = folder.path("ttyACM0")
        let (server, port) = try await Locwatch.serving("--loop --redate --pty \(receiver) $FIXTURES/walk/session.json")
        let broker = try MosquittoServer()
        let address = "127.0.0.1:\(broker.port)"
        let (sentences, datagrams) = (ReservedPort().number, ReservedPort().number)
        let van = try Locwatch(
            "exec $LW publish --queue memory mqtt://\(address)/owntracks/anna/van "
                + "--to mqtt://\(address)/fleet/van --to tcp-listen://127.0.0.1:\(sentences) "
                + "--to udp://127.0.0.1:\(datagrams) -i 1s localhost:\(port)")
        try TileFile.write(to: folder.path("map"))
        let counterparts = Counterparts(
            gpsd: "localhost:\(port)", broker: address, sentences: "127.0.0.1:\(sentences)",
            datagrams: "udp://127.0.0.1:\(datagrams)", receiver: "serial:\(receiver)", map: folder.path("map"))
        // A terminal each, but not all at once.
        await withTaskGroup(of: Void.self) { group in
            for (index, example) in (Example.all + Example.ofReadme).enumerated() {
                if index >= Self.terminals { await group.next() }
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
        let window = try TerminalWindow(
            try script(example, counterparts).replacing("'", with: #"'\''"#),
            environment: [
                // A recording has no comparisons of clocks.
                "LOCWATCH_SOURCE": example.command == "time" ? "sim:walk" : counterparts.gpsd, "PATH": Locwatch.path,
            ])
        switch example.steady {
        case .ends(let text, let codes):
            let screen = try await window.wait(Self.limit, until: hasEnded)
            #expect(codes.contains { screen.contains("[\($0)]") }, "\(example)\n\(screen)")
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
        // Only one program can receive the datagrams of the test.
        var line = example.line == "locwatch udp://:10110" ? "locwatch \(counterparts.datagrams)" : example.line
        let port = ReservedPort().number
        for host in ["broker.example", "broker.local", "homeassistant.local"] {
            line = line.replacing(host, with: counterparts.broker)
        }
        line = line.replacing("//broker/", with: "//\(counterparts.broker)/")
            .replacing("pi.local", with: counterparts.gpsd)
            .replacing("plotter.local:10110", with: counterparts.sentences)
            .replacing(":10110", with: ":\(port)")
            .replacing("/dev/ttyACM0", with: counterparts.receiver).replacing("COMMAND", with: "once")
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
        if line.contains("hike.gpx") { steps.append("locwatch export gpx drive.json -o hike.gpx") }
        if line.contains("drive.nmea") {
            steps += ["locwatch export nmea drive.json -o drive.nmea", "gzip -k drive.nmea"]
        }
        if example.command == "control" {
            steps.append("export LOCWATCH_CONFIG=$PWD/patient; echo timeout \(Self.limit.components.seconds)s >patient")
            let options = "--port 0 --print-port --pace manual --control gps.sock"
            steps.append("{ locwatch serve -q \(options) sim:walk >port & }")
            steps.append("while [ ! -s port ]; do sleep .1; done; { gpspipe -w localhost:$(cat port) >reports & }")
        }
        if line.contains("--token-file") { steps.append("(umask 077; echo 0123456789abcdef0123456789abcdef >token)") }
        if line.contains("streets.mbtiles") { steps.append("cp \(counterparts.map) streets.mbtiles") }
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
