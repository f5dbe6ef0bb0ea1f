import Foundation
import LocationCore
import LocationPublishing
import LocationTesting
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchTerminal

@Suite(.serialized, .withClocks) struct SchemaTests {
    private static let file = Golden.package.appending(path: "Schema/locwatch-1.schema.json")

    /// Validates lines with an independent JSON Schema validator.
    private func validate(_ lines: [String], isStrict: Bool = true) throws -> Tool {
        let script = Golden.folder.appending(path: "../validate.py").standardizedFileURL.path
        return try Tool(
            script, [SchemaTests.file.path] + (isStrict ? ["--strict"] : []),
            input: lines.map { $0 + "\n" }.joined())
    }

    private var session: [String] {
        JSONPrinter(selection: EventSelection(sky: true)).scripted(retry: .milliseconds(1500))
            .split(separator: "\n").map(String.init) + fleet + figures + published
    }

    private func lines(_ write: (inout TextBuffer) -> Void) -> [String] {
        TextBuffer.text(write).split(separator: "\n").map(String.init)
    }

    /// The lines that only a fleet causes.
    private var fleet: [String] {
        var (printer, view) = (JSONPrinter(), SessionView())
        return lines { out in
            for update in ScriptedSession.fleetUpdates { printer.print(update, noting: &view, into: &out) }
            for device in FleetDevice.all(in: view) { printer.print(device, at: ScriptedSession.moment(4), into: &out) }
        }
    }

    private var figures: [String] { lines { JSONPrinter().print(StatisticsSession.statistics, into: &$0) } }

    /// The records that `publish` sends.
    private var published: [String] {
        let location = ScriptedSession.location(3)
        let occasions: [PublishRecord.Occasion] = [.moved, .fence(.enter, name: "home")]
        var repeated = PublishRecord(.moved, created: ScriptedSession.time(3), location: location)
        repeated.isRepeated = true
        let records =
            occasions.map { PublishRecord($0, created: ScriptedSession.time(3), location: location) } + [repeated]
            + [location, nil].map { PublishRecord(.lost, created: ScriptedSession.time(4), location: $0) }
        return records.map { String(decoding: RecordJSON.encode($0), as: UTF8.self) }
    }

    /// The lines of commands about clocks, also of a receiver whose date is wrong, a fault, an anchor, a receiver whose date jumps, and one that is spoofed.
    private var commands: [String] {
        get async throws {
            var lines = try await CommandTrial().run("time -j $FIXTURES/clock/session.json").lines
            let wrong = ClockSession.script(seconds: 3, pulses: 0..<0).map { step in
                guard case .clock(var sample) = step else { return step }
                sample.receiverTime = sample.receiverTime.advanced(by: .seconds(1024 * 604_800))
                return .clock(sample)
            }
            lines += try await CommandTrial.run("time -j -x 2s localhost", wrong).lines
            let refused = ScriptStep.endThrowing(.unreachable(host: "x", port: 2947, cause: "re\u{7}fused"))
            lines += try await CommandTrial.run("doctor -j x", [refused]).lines
            let anchor = [(0.0, 52.0), (1, 52.0001), (2, 52.01)].map {
                ScriptStep.location(ScriptedSession.location($0, latitude: $1))
            }
            lines += try await CommandTrial.run("watch -j --fence anchor=here,40 x", anchor + [.end]).lines
            let times = ["10T00:00:03", "10T00:00:03.5", "10T00:01:00", "09T00:00:00"]
                .map { "2026-11-\($0)Z" }.joined(separator: " ")
            lines += try await CommandTrial.run("where -j @ \(times)", reading: RecordedDrive.text(points: 5)).lines
            let standing = RecordedDrive.text([(400, 0)])
            lines += try await CommandTrial.run("once -j --average 5m @", reading: standing).lines
            lines += try await CommandTrial.run("stats -j replay:@", reading: StatsCommandTests.datedRecording).lines
            for command in ["watch -j --reference 45,7,241 x", "stats -j --reference 45,7,241 x"] {
                let receiver = AttackedReceiver(
                    .spoofed, at: Coordinate(latitude: 45, longitude: 7), before: 70, during: 30, device: "/dev/ttyACM0"
                )
                lines += try await CommandTrial.run(command, [.attacked(receiver), .end]).lines
            }
            lines += try await CommandTrial(provider: PretendedReceiverProvider()).run("devices -j --rate 5").lines
            return lines
        }
    }

    @Test func `help prints the schema file unchanged`() throws {
        #expect(HelpTopic.schema.text == String(decoding: try Data(contentsOf: SchemaTests.file), as: UTF8.self))
    }

    @Test(arguments: [("location", Location.Field.rows), ("sky", DilutionOfPrecision.Field.rows)])
    func `the line of each number derives from its row`(event: String, fields: [FieldRow]) throws {
        let lines = try String(contentsOf: SchemaTests.file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex(of: "    \"\(event)\": {"))
        let end = try #require(lines[start...].firstIndex(of: "    },"))
        func isNumber(_ line: String) -> Bool { fields.contains { line.hasPrefix("        \"\($0.name)\": ") } }
        let first = try #require(lines[start..<end].firstIndex(where: isNumber))
        let last = try #require(lines[start..<end].lastIndex(where: isNumber))
        let derived = fields.map { field in
            let isAccuracy = field.explanation.hasPrefix("Accuracy")
            let kind =
                isAccuracy ? ##""$ref": "#/$defs/accuracy""## : "\"type\": \"\(field.isCount ? "integer" : "number")\""
            return "        \"\(field.name)\": { \(kind), \"description\": \"\(field.explanation).\" },"
        }
        let change = derived.difference(from: lines[first...last]).map { step in
            switch step {
            case .insert(_, let line, _): "add \(line)"
            case .remove(_, let line, _): "remove \(line)"
            }
        }
        #expect(change == [], "Schema/locwatch-1.schema.json is edited by hand, and Schema/released.csv with it")
    }

    @Test func `the schema names each check of doctor`() throws {
        let text = HelpTopic.schema.text
        let names = try #require(text.firstRange(of: /"description": "(programs, .*?); or another\."/).map { text[$0] })
        let known = Set(names.split { !$0.isLetter }.map(String.init))
        #expect(CheckName.allCases.map(\.rawValue).filter { !known.contains($0) } == [])
    }

    @Test func `every printed event conforms to the schema without unknown keys`() async throws {
        let session = session + (try await commands)
        let tool = try validate(session)
        #expect(tool.status == 0, "\(tool.output)\(tool.errors)")
        #expect(tool.output == "valid: \(session.count)\n")
        let events = Set(try session.map { try Event($0).name })
        #expect(
            events == [
                "start", "state", "handover", "location", "lastKnown", "sky", "attitude", "device", "rate", "notice",
                "error",
                "fence",
                "delivery", "check", "diagnosis", "stats", "clock", "pulse", "clockFigures", "end", "integrity", "lost",
            ])
    }

    @Test func `a full session prints every key of the schema`() async throws {
        let session = session + (try await commands)
        var printed = Set(
            try session.flatMap { line in
                let event = try Event(line)
                return event.keys.map { "\(event.name).\($0)" }
            })
        printed.formUnion(try Event.more.flatMap { event in event.keys.map { "\(event.name).\($0)" } })
        let known = try validate(["--keys"]).output.split(separator: "\n").map(String.init)
        #expect(Set(known).subtracting(printed).sorted() == [])
    }

    @Test func `the schema rejects invalid events`() throws {
        let lines = [
            #"{"event":"location","lat":91,"lon":0,"mode":3,"received":"2026-11-20T13:02:11.000Z"}"#,
            #"{"event":"location","lat":9,"lon":0,"mode":1,"received":"2026-11-20T13:02:11.000Z"}"#,
            #"{"event":"location","lat":"9","lon":0,"mode":3,"received":"2026-11-20T13:02:11.000Z"}"#,
            #"{"event":"location","lat":9,"lon":0,"mode":3,"received":"2026-11-20T13:02:11Z"}"#,
            #"{"event":"location","lat":9,"lon":0,"mode":3}"#,
            #"{"event":"location","lat":9,"created":"2026-11-20T13:02:11.000Z"}"#,
            #"{"event":"lost","occasion":"lost"}"#,
            #"{"event":"state","time":"2026-11-20T13:02:11.000Z","from":"searching","to":"found","reason":"fix","after":1}"#,
            #"{"event":"state","time":"2026-11-20T13:02:11.000Z","from":"lost","to":"error","reason":"x","after":1}"#,
            #"{"event":"end","time":"2026-11-20T13:02:11.000Z","reason":"count","locations":-1}"#,
            #"{"event":"stats","duration":1}"#, #"{"event":"nothing"}"#, #"{"schema":"locwatch/1"}"#, #"[]"#,
        ]
        let tool = try validate(lines, isStrict: false)
        let rejected = tool.output.matches(of: /line (\d+):/).compactMap { Int($0.1) }
        #expect(Set(rejected) == Set(1...lines.count), "\(tool.output)\(tool.errors)")
    }

    @Test func `the events from hostile reports conform to the schema`() async throws {
        var lines: [String] = []
        for value in ["-91", "-1", "1e19", "-9e18", "1e300", "4.9e-324", "91", "361", "2147483647"] {
            // The second receiver has an empty name.
            let text = HostileReportTests.recording(value)
            let recording = text + text.replacing("/dev/a", with: "")
            for command in ["watch -j --sky --pace max", "watch -j --pace max -v", "stats -j", "once -j -a 1"] {
                let printed = try await CommandTrial.run("\(command) @", reading: recording).lines
                #expect(printed.count > 2, "\(command), \(value)")
                lines += printed
            }
        }
        let tool = try validate(lines)
        #expect(tool.status == 0, "\(tool.output.prefix(600))\(tool.errors)")
    }

    @Test func `the schema accepts an unknown key of a later version`() throws {
        let line = #"{"event":"end","time":"2026-11-20T13:02:11.000Z","reason":"count","locations":1,"new":true}"#
        #expect(try validate([line], isStrict: false).status == 0)
        #expect(try validate([line]).status == 1)
    }
}

/// The event and the keys of a line of JSON.
private struct Event {
    let name: String
    let keys: [String]

    init(_ line: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let values = try #require(object)
        name = try #require(values["event"] as? String)
        keys = Array(values.keys)
    }

    /// The events for reasons that are missing in the scripted session and have additional keys.
    static var more: [Event] {
        get throws {
            let text = JSONPrinter().text(of: ScriptedSession.moreUpdates)
            return try text.split(separator: "\n").map { try Event(String($0)) }
        }
    }
}
