import Foundation
import LocationCore
import LocationRecordingsTesting
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// The exit code and the messages of every command for every source of which nothing, or not all, is of use.
///
/// A message is said once, with what to do about it, whatever the command is. The golden file is a table of sources and commands.
@Suite(.serialized, .withClocks, .timeLimit(.minutes(2))) struct FailureTableTests {
    /// A source with the commands that are tried with it.
    private struct Source {
        let name: String
        /// The options that the commands have beside their own.
        var options = ""
        var commands = FailureTableTests.commands
        let content: Content

        enum Content {
            case live([ScriptStep])
            case recording(String)
        }
    }

    private static let commands = [
        "watch", "watch -q", "watch -j", "watch --csv", "watch --csv -v", "watch -f %{lat}", "watch -s", "once",
        "once -j", "export gpx", "export csv -q", "record -", "record - -q", "stats", "stats -j", "time", "devices",
        "devices --follow", "publish udp://127.0.0.1:9 --queue memory",
    ]
    /// The commands that take a limit, and end without a position if it has passed.
    private static let limited = commands.filter { !["once", "once -j", "devices"].contains($0) }

    private static let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
    private static let lost = LocationError.connectionLost(host: "x", port: 2947, cause: "reset")
    private static let denied = LocationError.denied(what: "the watch of x", cause: "gpsd: not for you")
    private static let unknown = LocationError.deviceUnknown(
        path: "/dev/nope", known: ["/dev/ttyACM0", "/dev/ttyUSB0"])

    private static func failures(_ count: Int) -> [ScriptStep] {
        (1...count).flatMap { [.searching(.connecting(attempt: $0)), .error(refused), .wait(.seconds($0))] }
    }

    private static func inaccurate(seconds: Int) -> [ScriptStep] {
        (0..<seconds).flatMap { _ in [.location(52.5, 13.4, accuracy: 9), .wait(.seconds(1))] }
    }

    private static let greeting = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

    private static func recording(_ lines: String...) -> Source.Content {
        .recording(lines.map { $0 + "\n" }.joined())
    }

    private static func noFix(_ second: Int) -> String {
        #"{"class":"TPV","device":"/dev/ttyUSB0","mode":1,"time":"2026-11-20T07:02:0\#(second).000Z"}"#
    }

    private static let flat =
        #"{"class":"TPV","device":"/dev/ttyUSB0","mode":2,"time":"2026-11-20T07:02:03.000Z","lat":1,"lon":2,"eph":12.2}"#

    private static let live: [Source] = [
        Source(name: "no gpsd until the third attempt", content: .live(failures(3) + [.location(52.5, 13.4), .end])),
        Source(
            name: "no gpsd within 20 s", options: "-x 20s", commands: limited, content: .live(failures(9) + [.hang])),
        Source(
            name: "no position within 3 s, no gpsd", options: "-t 3s",
            commands: ["watch", "watch -q", "once", "once -j"],
            content: .live(failures(9) + [.hang])),
        Source(
            name: "a gpsd that is lost and mended, and lost at last",
            content: .live([
                .error(lost), .wait(.seconds(1)), .location(52.5, 13.4), .wait(.seconds(1)), .endThrowing(lost),
            ])),
        Source(name: "a gpsd that is lost twice", content: .live([.error(lost), .endThrowing(lost)])),
        Source(name: "a gpsd that denies", content: .live([.endThrowing(denied)])),
        Source(
            name: "a gpsd without this receiver", options: "--device /dev/nope",
            commands: ["once", "export csv", "stats", "record -", "devices"],
            content: .live([.searching(.connected(release: "3.22")), .error(unknown), .hang])),
        Source(
            name: "a receiver without a fix for 5 s", options: "-x 5s", commands: limited,
            content: .live([.replay(RecordedAnswer(lines: [greeting, noFix(0)])), .hang])),
        Source(
            name: "positions within 9 m for 8 s, of which 5 m are wanted", options: "-a 5 -x 20s",
            commands: ["watch", "watch --csv", "export csv"], content: .live(inaccurate(seconds: 8) + [.hang])),
        Source(
            name: "positions within 9 m for 8 s, of which 5 m are wanted, within 20 s", options: "-a 5 -t 20s",
            commands: ["once", "once -j"], content: .live(inaccurate(seconds: 8) + [.hang])),
        Source(
            name: "positions within 9 m for 4 s, which may still improve", options: "-a 5 -x 20s",
            commands: ["watch", "export csv"], content: .live(inaccurate(seconds: 4) + [.hang])),
    ]

    /// The commands that read a file at once, or at a pace that can be chosen.
    private static let reading = commands.filter { $0 != "devices --follow" }

    private static let recordings: [Source] = [
        Source(
            name: "a recording of NMEA sentences", commands: reading + ["monitor"],
            content: recording(
                greeting, #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/1"}]}"#,
                #"{"class":"WATCH","enable":true,"json":false,"nmea":true}"#,
                "$GPGGA,120000.00,4812.0000,N,01622.2000,E,1,08,0.9,200.0,M,40.0,M,,*6F",
                "$GPRMC,120000.00,A,4812.0000,N,01622.2000,E,002.4,084.4,230326,,*3F")),
        Source(name: "a recording without a report of a receiver", commands: reading, content: recording(greeting)),
        Source(
            name: "a recording of satellites alone", commands: reading,
            content: recording(
                greeting,
                #"{"class":"SKY","device":"/dev/a","satellites":[{"PRN":1,"ss":30,"used":false},{"PRN":2,"ss":31,"used":false}]}"#
            )),
        Source(name: "a recording without a fix", commands: reading, content: recording(noFix(0), noFix(1), noFix(2))),
        Source(
            name: "a recording of a fix without its place", commands: reading,
            content: recording(greeting, #"{"class":"TPV","device":"/dev/a","mode":3}"#)),
        Source(
            name: "a recording of a receiver that goes", commands: reading,
            content: recording(
                greeting,
                #"{"class":"DEVICE","path":"/dev/ttyUSB0","driver":"NMEA0183","activated":"2026-11-20T07:02:03.698Z"}"#,
                #"{"class":"TPV","device":"/dev/ttyUSB0","mode":1}"#,
                #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":0}"#)),
        Source(name: "a recording of a 2D fix", options: "--fix 3d", commands: ["once"], content: recording(flat)),
        Source(name: "a recording within 12.2 m", options: "-a 10", commands: ["once"], content: recording(flat)),
        Source(
            name: "a recording with lines that are skipped", commands: reading,
            content: .recording(
                RecordedDrive.text(points: 20) + "noise\n{\"class\":\n" + RecordedDrive.text(points: 1)
                    + "{\"class\":\"TP")),
        Source(
            name: "a recording with a torn end", commands: reading,
            content: .recording(RecordedDrive.text(points: 20) + "{\"class\":\"TP")
        ),
        Source(name: "a whole recording", commands: reading, content: .recording(RecordedDrive.text(points: 20))),
    ]

    /// Runs a command, and returns its exit code and its messages, in which `FILE` is the path of a recording.
    private static func cell(_ command: String, _ source: Source, in scratch: Scratch) async throws -> (
        code: Int32, messages: String
    ) {
        let words = "\(command) \(source.options)"
        let result: CommandTrial.Result
        switch source.content {
        case .live(let script):
            let clock = ManualClock()
            result = try await CommandTrial(
                provider: ScriptedLocationSource(script, clock: clock), clock: clock, terminal: FakeTerminal()
            ).run("\(words) x")
        case .recording(let text):
            let path = try scratch.write(text, to: "drive.json").path
            let pace = ["watch", "publish"].contains { words.hasPrefix($0) } ? "--pace max" : ""
            result = try await CommandTrial(terminal: FakeTerminal()).run("\(words) \(pace) \(path)")
        }
        return (result.status, result.errors.replacing(scratch.url.path, with: "FOLDER"))
    }

    @Test func `every command says once what is wrong with a source, and what to do`() async throws {
        let scratch = try Scratch()
        var table = ""
        for source in Self.live + Self.recordings {
            table += "\(source.name)\(source.options.isEmpty ? "" : " (\(source.options))")\n\n"
            for command in source.commands {
                let (code, messages) = try await Self.cell(command, source, in: scratch)
                // How many records a target gets before the end depends on the thread of its queue.
                let lines = messages.split(separator: "\n").map(String.init)
                    .filter { !$0.hasPrefix("locwatch: sent ") }
                #expect(lines.allSatisfy { $0.hasPrefix("locwatch: ") }, "\(command): \(messages)")
                table += "\(code)".leftPadded(4) + "  \(command)\n" + lines.map { "          \($0)\n" }.joined()
                // A count of failures is no second message, and an end by a failure that was mended before is one.
                if !source.name.contains("mended") {
                    #expect(Set(lines).count == lines.count, "\(source.name), \(command): \(messages)")
                }
                if command.contains(" -q"), code == 0 { #expect(lines == [], "\(source.name), \(command)") }
            }
            table += "\n"
        }
        try Golden.expect(table, is: "failures.txt")
    }

    @Test(arguments: [
        ("watch", 1), ("watch -j", 1), ("watch -v", 1), ("devices --follow", 1), ("watch -q", 0),
        ("watch --pace 20x", 0), ("devices", 0), ("stats", 0), ("once", 0), ("export csv", 0),
    ])
    func `a file that is played at its own pace says so once to a program that reads the output`(
        command: String, count: Int
    ) async throws {
        let points = (0..<4).map { "2026-03-15T10:00:00.\($0)Z,48.2,16.3\($0)\n" }
        let text = "time,lat,lon\n" + points.joined()
        let result = try await CommandTrial.run("\(command) @", reading: text, as: "hike.csv")
        let message = /locwatch: .*\/hike.csv is played at its recorded pace; --pace max reads it at once/
        #expect(result.errors.split(separator: "\n").count { $0.wholeMatch(of: message) != nil } == count)
    }
}

extension String {
    fileprivate func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: Swift.max(0, width - count)) + self
    }
}
