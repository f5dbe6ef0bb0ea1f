import Foundation
import TestSupport
import Testing

/// A command within the text or a table of the README, or a line of a block that is run one by one.
struct ReadmeLine: Hashable, CustomStringConvertible {
    /// The sign that a command works.
    enum Sign: Hashable {
        /// It ends with the exit code 0 after it has printed what a regular expression describes.
        case ends(String)
        /// It ends with any exit code but those of an error of usage, after it has printed what a regular expression describes.
        case endsAnyhow(String)
        /// It shows what a regular expression describes, and goes on until Ctrl-C.
        case shows(String)
        /// It writes a file with this name, or whose name has this ending, and goes on until Ctrl-C.
        case writes(String)
    }

    let command: String

    var description: String { command }

    private static let position = #"45\.\d+ +7\.\d+"#

    /// The sign of each command.
    static let signs: [String: Sign] = [
        "locwatch": .shows(position),
        "locwatch /dev/ttyACM0": .shows(position),
        "locwatch monitor": .shows("FOUND  3D"),
        "locwatch doctor": .ends("ok "),
        "locwatch pi.local": .shows(position),
        "locwatch tcp://plotter.local:10110": .shows(position),
        "locwatch udp://:10110": .shows(position),
        "locwatch drive.json": .shows(position),
        "locwatch stats drive.nmea.gz": .ends("Availability"),
        "locwatch stats hike.gpx": .ends("Positions"),
        "locwatch devices --follow mqtt://broker.example": .shows("van"),
        "locwatch sim:tunnel": .shows("found"),
        "locwatch monitor sim:drive": .shows("FOUND  3D"),
        "locwatch help sources": .ends("receiver"),
        "locwatch -j": .shows(#""event":"location""#),
        "locwatch record trip.json": .writes("trip.json"),
        "locwatch export gpx -o '%Y-%m-%d.gpx' --rotate day": .writes(".gpx"),
        "locwatch stats --plot-file drive.svg drive.json": .ends("Availability"),
        // The gpsd of this test, a recording, cannot change it.
        "locwatch devices --rate 5": .endsAnyhow("rate|epoch|gpsd"),
        "locwatch export json drive.nmea": .ends(#""class":"TPV""#),
        "locwatch once -a 20 -t 30s": .ends(position),
        "locwatch once -f 'geo:%{lat},%{lon}'": .ends("geo:45"),
        "locwatch -q -f waybar": .shows(#""class":"found""#),
        "locwatch record drive.json": .writes("drive.json"),
        "locwatch once --at '2026-11-20 09:00:21' drive.json": .ends(position),
        "locwatch once --average 2h -a 1": .shows("waiting for a standstill"),
        "locwatch --fence home=45.0548,7.6865,150 --on 'enter:home=logger \"back home\"'": .shows("inside home"),
        "locwatch publish mqtt://broker.example/owntracks/anna/boat": .shows("connected"),
        "locwatch web": .shows(#"http://localhost:\d+/ shows"#),
        "locwatch time": .shows(#"\d m?s"#),
        "locwatch serve sim:walk": .shows("serving"),
        "locwatch help": .ends("Tests of programs"),
        "locwatch help COMMAND": .ends("locwatch"),
    ]

    /// Returns the commands of a text, each once.
    static func all(in text: String) -> [ReadmeLine] {
        var lines: [ReadmeLine] = []
        for (index, part) in text.components(separatedBy: "```").enumerated() {
            if index.isMultiple(of: 2) {
                lines += part.matches(of: /`(locwatch[^`]*)`/).map { ReadmeLine(command: String($0.1)) }
            } else if text.components(separatedBy: "```")[index - 1].hasSuffix("<!-- run one by one -->\n") {
                lines += part.split(separator: "\n").dropFirst().map { line in
                    ReadmeLine(command: line.components(separatedBy: " #")[0].trimmingCharacters(in: .whitespaces))
                }
            }
        }
        return lines.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

/// Runs each command within the text of the README in a terminal of its own.
@Suite(.serialized, .withFew, .onlyInMakeTest, .timeLimit(.minutes(8))) struct ReadmeLineTests {
    /// The servers at which the commands are directed.
    private struct Counterparts {
        let gpsd, broker, sentences, datagrams, receiver: String
    }

    private static let limit = Duration.seconds(150)

    private func readme() throws -> String {
        try String(contentsOf: Locwatch.package.appending(path: "README.md"), encoding: .utf8)
    }

    @Test func `every command of the README has a sign that it works, and no sign is left of an older one`() throws {
        let commands = ReadmeLine.all(in: try readme()).map(\.command)
        #expect(commands.count > 20)
        #expect(Set(commands).symmetricDifference(ReadmeLine.signs.keys).sorted() == [])
    }

    @Test func `every command of the README works in a terminal`() async throws {
        let folder = try Scratch()
        let receiver = folder.url.appending(path: "ttyACM0").path
        let (server, port) = try await Locwatch.serving("--loop --redate --pty \(receiver) $FIXTURES/walk/session.json")
        let broker = try MosquittoServer()
        let (sentences, datagrams) = (ReservedPort().number, ReservedPort().number)
        let van = try Locwatch(
            "exec $LW publish --queue memory mqtt://127.0.0.1:\(broker.port)/owntracks/anna/van "
                + "--to tcp-listen://127.0.0.1:\(sentences) --to udp://127.0.0.1:\(datagrams) -i 1s localhost:\(port)")
        let counterparts = Counterparts(
            gpsd: "localhost:\(port)", broker: "127.0.0.1:\(broker.port)", sentences: "127.0.0.1:\(sentences)",
            datagrams: "127.0.0.1:\(datagrams)", receiver: "serial:\(receiver)")
        await withTaskGroup(of: Void.self) { group in
            for (index, line) in ReadmeLine.all(in: (try? readme()) ?? "").enumerated() {
                // A terminal each, but not all at once.
                if index >= 8 { await group.next() }
                group.addTask {
                    do { try await self.run(line, counterparts) } catch { Issue.record("\(line): \(error)") }
                }
            }
        }
        try await van.stop()
        try await server.stop()
    }

    private func run(_ line: ReadmeLine, _ counterparts: Counterparts) async throws {
        let sign = try #require(ReadmeLine.signs[line.command])
        let isTime = line.command == "locwatch time"
        let window = try TerminalWindow(
            script(line.command, counterparts).replacing("'", with: #"'\''"#),
            environment: ["LOCWATCH_SOURCE": isTime ? "sim:walk" : counterparts.gpsd, "PATH": Locwatch.path])
        switch sign {
        case .ends(let pattern):
            let screen = try await window.wait(Self.limit, until: hasEnded)
            #expect(try screen.contains("[0]") && screen.contains(Regex(pattern)), "\(line)\n\(screen)")
            return
        case .endsAnyhow(let pattern):
            let screen = try await window.wait(Self.limit, until: hasEnded)
            #expect(try !screen.contains("[64]") && screen.contains(Regex(pattern)), "\(line)\n\(screen)")
            return
        case .shows(let pattern):
            try await window.wait(Self.limit) {
                hasEnded($0) || $0.range(of: pattern, options: .regularExpression) != nil
            }
        case .writes(let ending):
            try await window.wait(Self.limit) { screen in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: window.url.path)) ?? []
                return hasEnded(screen) || names.contains { $0.hasSuffix(ending) }
            }
        }
        let screen = try window.screen()
        #expect(!hasEnded(screen), "\(line) has ended:\n\(screen)")
        try window.press("C-c")
        let last = try await window.wait(until: hasEnded)
        #expect(last.contains("[130]"), "\(line)\n\(last)")
    }

    /// Returns whether the last line is the exit code.
    private func hasEnded(_ screen: String) -> Bool { screen.contains(/\[\d+\]\s*$/) }

    /// Returns the lines of a shell that prepare a command, run it, and print its exit code.
    private func script(_ command: String, _ counterparts: Counterparts) -> String {
        let port = ReservedPort().number
        let line = command.replacing("/dev/ttyACM0", with: counterparts.receiver)
            .replacing("pi.local", with: counterparts.gpsd)
            .replacing("plotter.local:10110", with: counterparts.sentences)
            .replacing("udp://:10110", with: "udp://\(counterparts.datagrams)")
            .replacing("broker.example", with: counterparts.broker)
            .replacing("logger", with: "true").replacing("COMMAND", with: "once")
            .replacing("locwatch web", with: "locwatch web --port \(port)")
            .replacing("locwatch serve", with: "locwatch serve --port \(port)")
        var steps = ["trap : INT", "export HOME=$PWD XDG_STATE_HOME=$PWD"]
        // A recording that is there is kept, so that a command that makes it needs a folder without it.
        if !command.contains("record") {
            steps += [
                "cp $FIXTURES/walk/session.json drive.json", "locwatch export gpx drive.json -o hike.gpx",
                "locwatch export nmea drive.json -o drive.nmea", "gzip -k drive.nmea",
            ]
        }
        return (steps + ["clear", line, "echo \"[$?]\"", "sleep 60"]).joined(separator: "; ")
    }
}
