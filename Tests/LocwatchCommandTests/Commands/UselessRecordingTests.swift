import Foundation
import LocationCore
import LocationRecordingsTesting
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// Tests of every command with a recording of which not all, or nothing of use, can be read.
@Suite(.serialized, .withClocks) struct UselessRecordingTests {
    private static let text = """
        {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
        {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/1"}]}
        {"class":"WATCH","enable":true,"json":false,"nmea":true}
        $GPGGA,120000.00,4812.0000,N,01622.2000,E,1,08,0.9,200.0,M,40.0,M,,*6F
        $GPRMC,120000.00,A,4812.0000,N,01622.2000,E,002.4,084.4,230326,,*3F

        """

    @Test(arguments: [
        "watch", "watch -j", "watch --csv", "once", "once -j", "stats", "stats -j", "export gpx", "export csv",
        "record -", "monitor", "time", "devices", "publish udp://127.0.0.1:9 --queue memory",
    ])
    func `a recording without anything of use ends with 65, the count, the first reason and what to try`(
        command: String
    ) async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Array(Self.text.utf8), to: "a log.json")
        let words = command.split(separator: " ").map(String.init)
        let result = try await CommandTrial(terminal: FakeTerminal()).run(words + ["replay:\(path)"])
        #expect(result.code == .badData)
        let said = result.errors + result.output
        #expect(said.contains("line 4: no JSON object at byte 0, and 2 lines were skipped in all"), "\(said)")
        #expect(said.contains("raw:") && said.contains("a log.json'"), "\(said)")
    }

    @Test func `once says of a recording why it has no position, and not that its receiver is gone`() async throws {
        let text = """
            {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
            {"class":"DEVICE","path":"/dev/ttyUSB0","driver":"NMEA0183","activated":"2026-11-20T07:02:03.698Z"}
            {"class":"TPV","device":"/dev/ttyUSB0","mode":1}
            {"class":"DEVICE","path":"/dev/ttyUSB0","activated":0}

            """
        let result = try await CommandTrial.run("once replay:@", reading: text)
        #expect(result.code == .noFix)
        let said = #/locwatch: no position: no fix\nlocwatch: run 'locwatch stats replay:.*.json' to see what it has\n/#
        #expect(result.errors.wholeMatch(of: said) != nil, "\(result.errors)")
    }

    private static let greeting = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
    private static let sky =
        #"{"class":"SKY","device":"/dev/a","satellites":[{"PRN":1,"ss":30,"used":false},{"PRN":2,"ss":31,"used":false}]}"#

    @Test(
        arguments: [
            ([], "no report of a receiver"), ([sky], "no fix, 2 satellites seen, 0 used"),
            ([#"{"class":"TPV","device":"/dev/a","mode":0}"#], "no fix"),
            ([#"{"class":"TPV","device":"/dev/a","mode":3}"#], "no fix"),
        ] as [([String], String)], ["once", "watch", "export gpx"])
    func `a recording without a position says what it has, and not that it has begun`(
        recording: (lines: [String], reason: String), command: String
    ) async throws {
        let text = ([Self.greeting] + recording.lines).joined(separator: "\n") + "\n"
        let result = try await CommandTrial.run("\(command) replay:@", reading: text)
        #expect(result.errors.hasPrefix("locwatch: no position: \(recording.reason)\n"), "\(result.errors)")
    }

    @Test(
        arguments: [
            ("watch", true), ("watch -j", true), ("watch --csv", true), ("watch -f waybar", true), ("export gpx", true),
            ("watch -a 1", true), ("publish udp://127.0.0.1:9 --queue memory", true), ("time", true),
            ("watch -s", false), ("stats", false), ("record -", false), ("devices", false),
        ], [true, false])
    func `a command that is of no use without a position exits with 75 if none has come until -x or the end of a file`(
        command: (line: String, needsPosition: Bool), isLive: Bool
    ) async throws {
        let report = #"{"class":"TPV","device":"/dev/ttyUSB0","mode":1,"time":"2026-11-20T07:02:00.000Z"}"#
        let result =
            isLive
            ? try await CommandTrial.run(
                "\(command.line) -x 5s x", [.replay(RecordedAnswer(lines: [Self.greeting, report])), .hang])
            : try await CommandTrial.run("\(command.line) @", reading: report + "\n")
        #expect(result.code == (command.needsPosition ? .noFix : .done), "\(result.output)\(result.errors)")
        #expect(command.needsPosition == result.errors.contains(#/no position|no comparison/#), "\(result.errors)")
    }

    @Test(arguments: ["watch", "watch --csv", "watch -f %{lat}", "watch -s", "watch -j"])
    func `a recording without a fix has a message and code 75, and for states alone the number of reports`(
        command: String
    ) async throws {
        let reports = (0..<3).map {
            #"{"class":"TPV","device":"/dev/ttyUSB0","mode":1,"time":"2026-11-20T07:02:0\#($0).000Z"}"# + "\n"
        }
        let result = try await CommandTrial.run("\(command) --pace max @", reading: reports.joined())
        guard command != "watch -s" else {
            return #expect(result == .init(output: result.output, errors: "locwatch: no fix in 3 reports\n"))
        }
        #expect(result.code == .noFix)
        #expect(result.errors.hasPrefix("locwatch: no position within 2 s: no fix\nlocwatch: run 'locwatch stats "))
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

    @Test(arguments: [
        ("--fix 3d", "no 3D fix; the best is 2D", "accept --fix 2d"),
        ("-a 10", "no position accurate to 10 m; the best is accurate to 12.2 m", "accept less, as in -a 13"),
    ])
    func `a recording has nothing to wait for`(option: String, reason: String, advice: String) async throws {
        let text =
            #"{"class":"TPV","device":"/dev/ttyUSB0","mode":2,"time":"2026-11-20T07:02:03.000Z","lat":1,"lon":2,"eph":12.2}"#
        let result = try await CommandTrial.run("once \(option) @", reading: text + "\n")
        #expect(result.errors == "locwatch: \(reason)\nlocwatch: \(advice)\n")
    }

    @Test(arguments: ["watch --pace max", "watch --csv --pace max", "stats", "export gpx", "record -"])
    func `every command counts the lines that were skipped, once`(command: String) async throws {
        let torn = "noise\n{\"class\":\n" + RecordedDrive.text(points: 1) + "{\"class\":\"TP"
        let text = RecordedDrive.text(points: 20) + torn
        let result = try await CommandTrial.run("\(command) @", reading: text)
        #expect(result.code == .done)
        let said = ": no JSON object at byte 0, and 3 lines were skipped in all\n"
        #expect(result.errors.components(separatedBy: said).count == 2, "\(result.errors)")
        #expect(result.errors.contains(#/^locwatch: .*/drive.json: line /#), "\(result.errors)")
        #expect(try await CommandTrial.run("\(command) -q @", reading: text).errors == "")
    }

    // JSON has the notices themselves.
    @Test(arguments: [("stats", true, 1), ("stats", false, 0), ("watch -j --pace max", true, 0)])
    func `a torn last line is said, and a whole recording says nothing`(
        command: String, isTorn: Bool, count: Int
    ) async throws {
        let text = RecordedDrive.text(points: 20) + (isTorn ? "{\"class\":\"TP" : "")
        let lines = try await CommandTrial.run("\(command) @", reading: text).errors.split(separator: "\n")
        let said = "drive.json: the recording ends with an incomplete line of 12 bytes, and 1 line was skipped in all"
        #expect(lines.count == count && lines.allSatisfy { $0.hasPrefix("locwatch: ") && $0.hasSuffix(said) })
    }
}
