import Foundation
import LocationCore
import LocationRecordings
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// Tests every command over a scripted source on a manual clock, in memory, without processes or a daemon.
struct CommandsOverTheFakeTests {
    @Test func `the search begins with the session, however late its line is known`() async throws {
        var status = DeviceStatus(path: "/dev/ttyACM0", activity: .reporting)
        let connected = ScriptStep.searching(.connected(release: "3.25"))
        status.driver = "u-blox"
        let late = try await CommandTrial.run(
            "watch x", [connected, .wait(.seconds(3)), .device(status), .wait(.seconds(1)), .end])
        #expect(late.lines.dropFirst().first?.hasPrefix("00:00:00  searching  gpsd 3.25") == true, "\(late.output)")
        // After another line the time does not go back.
        let retried = try await CommandTrial.run(
            "watch x",
            [.notice(.message("hello")), .wait(.seconds(3)), connected, .device(status), .wait(.seconds(1)), .end])
        let line = retried.lines.first { $0.contains("searching") }
        #expect(line?.hasPrefix("00:00:03") == true, "\(retried.output)")
    }

    @Test(arguments: ["watch", "watch -j", "record -", "stats", "time"])
    func `a limit does not hide a failure without which there would have been positions`(command: String) async throws {
        let status = DeviceStatus(path: "/dev/ttyACM0", activity: .idle)
        let denied = LocationError.denied(what: "the watch of x", cause: "gpsd: not for you")
        let line = "\(command) -x 5s x"
        let result = try await CommandTrial.run(line, [.device(status), .error(denied), .hang])
        #expect(result.code == .denied, "\(result.output) \(result.errors)")
        let found = try await CommandTrial.run(line, [.device(status), .location(Self.gate), .error(denied), .hang])
        #expect(found.code == (command == "time" ? .noFix : .done), "\(found.output) \(found.errors)")
    }

    @Test func `a session that ends before a receiver is recognized has the line of its search`() async throws {
        let result = try await CommandTrial().run("-x 2s --pace max \(ExportCommandTests.fixture("no-fix"))")
        #expect(result.lines.count == 2, "\(result.output)")
        let line = try #require(result.lines.last)
        #expect(line.contains(#/^09:00:0[0-2]  searching  .*gpsd 3\.22, \/tmp\/.*$/#), "\(line)")
    }

    @Test(arguments: ["", "--csv", "-f %{lat}"])
    func `a position that arrives right before the end of a session is not lost`(format: String) async throws {
        let script: [ScriptStep] = [.wait(.milliseconds(900)), .location(Self.gate), .wait(.seconds(5)), .end]
        let result = try await CommandTrial.run("watch -x 1s \(format) x", script)
        #expect(result.lines.filter { $0.contains("52.5163") }.count == 1, "\(result.output)")
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(arguments: ["", "--csv", "-x 2s"])
    func `a session whose positions are all too inaccurate says so at its end`(options: String) async throws {
        let script: [ScriptStep] = [
            .location(45, 7, accuracy: 8), .wait(.seconds(1)), .location(45, 7, accuracy: 7), .end,
        ]
        let reason = "locwatch: no position accurate to 5 m; the best is accurate to 7 m\n"
        let result = try await CommandTrial.run("watch -a 5 \(options) x", script)
        #expect(result.status == 0 && result.errors.contains(reason), "\(result.errors)")
        let enough = try await CommandTrial.run("watch -a 7 \(options) x", script)
        #expect(enough.status == 0 && enough.errors.isEmpty, "\(enough.errors)")
        #expect(try await CommandTrial.run("watch -q -a 5 \(options) x", script).errors.isEmpty)
        let limited = try await CommandTrial.run("watch -t 9s -a 5 \(options) x", script)
        #expect(limited.errors.components(separatedBy: "no position accurate").count == 2, "\(limited.errors)")
    }

    @Test(arguments: ["-j -s", "-s", "-s --csv"])
    func `a number of positions ends a session that shows only states`(format: String) async throws {
        let script: [ScriptStep] = [
            .location(Self.gate), .wait(.seconds(1)), .location(Self.gate), .wait(.seconds(5)), .end,
        ]
        let result = try await CommandTrial.run("watch \(format) -n 1 x", script)
        #expect(result.status == 0, "\(result.errors)")
        // A change of state has its position in CSV.
        #expect(format.contains("csv") || !result.output.contains("52.5163"), "\(result.output)")
        if format.contains("-j") {
            #expect(result.output.contains(#""reason":"count","locations":0}"#), "\(result.output)")
        }
    }

    @Test func `without positions the line of a fix is the same as with them`() async throws {
        let recording = ExportCommandTests.fixture("two-devices")
        func found(_ words: String) async throws -> [String] {
            try await CommandTrial().run("\(words) --pace max \(recording)").lines.filter { $0.contains(" found ") }
        }
        let all = try await found("watch")
        #expect(!all.isEmpty)
        #expect(try await found("watch -s") == all)
    }

    @Test func `a change of state has one time, whether the format waits for whole epochs or not`() async throws {
        let recording = ExportCommandTests.fixture("fix-lost-and-found")
        let states = try objects(try await CommandTrial().run("-j --pace max \(recording)")).filter {
            $0["event"] as? String == "state" && ($0["to"] as? String == "found" || $0["from"] as? String == "found")
        }
        let table = try await CommandTrial().run("-s --csv --pace max \(recording)")
        let rows = table.lines.filter { $0.contains("found,") }
        #expect(states.count == 3 && rows.count == 3)
        for (state, row) in zip(states, rows) {
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            #expect(state["time"] as? String == String(cells[0]))
            #expect(state["after"] as? Double == Double(cells[4]))
        }
    }

    private static let gate = Location(
        coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777), timestamp: .testEpoch, device: "/dev/gps0",
        horizontalAccuracy: 5, altitudeMSL: 34, speed: 1.2, course: 90)

    private static func fixture(_ name: String) -> RecordedAnswer {
        RecordedAnswer(.path(ExportCommandTests.fixture(name)))
    }

    private func objects(_ result: CommandTrial.Result) throws -> [[String: Any]] {
        try result.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func words(_ result: CommandTrial.Result) throws -> [String] {
        try objects(result).map { object in
            [object["event"], object["reason"], object["code"]].compactMap { $0 as? String }.joined(separator: " ")
        }
    }

    // MARK: watch

    @Test func `watch prints positions and changes of state of a script`() async throws {
        let result = try await CommandTrial.run(
            "watch -j x",
            [
                .searching(.connected(release: "3.25")), .wait(.seconds(2)), .location(Self.gate),
                .wait(.seconds(10)), .end,
            ])
        #expect(result.code == .done)
        #expect(result.errors == "")
        #expect(
            try words(result) == ["start", "state connected", "state fix", "location", "state silent", "end ended"])
        let states = try objects(result).filter { $0["event"] as? String == "state" }
        #expect(states.compactMap { $0["after"] as? Double } == [0, 2, 3])
    }

    @Test func `watch ends at its limits, measured in session time`() async throws {
        let walk = ScriptStep.randomWalk(from: Self.gate.coordinate, steps: 100, seed: 7)
        let counted = try await CommandTrial.run("watch -j -n 3 x", [walk])
        #expect(try words(counted).last == "end count")
        #expect(counted.lines.count { $0.contains(#""event":"location""#) } == 3)
        let timed = try await CommandTrial.run("watch -j -x 10500ms x", [walk])
        #expect(try words(timed).last == "end duration")
        #expect(timed.lines.count { $0.contains(#""event":"location""#) } == 10)
        let never = try await CommandTrial.run(
            "watch -t 30s x", [.searching(.noFix(seen: 3, used: 0, best: 20)), .hang])
        #expect(never.code == .noFix)
        #expect(never.errors.contains("30 s"))
    }

    @Test func `watch follows the current receiver, and prints each handover with its reason`() async throws {
        var other = Self.gate
        other.device = "/dev/gps1"
        var script: [ScriptStep] = []
        for second in 0..<8 {
            var time = Self.gate
            time.timestamp = .testEpoch.advanced(by: .seconds(second))
            other.timestamp = time.timestamp
            // The first receiver falls silent after three seconds.
            script += (second < 3 ? [.location(time)] : []) + [.location(other), .wait(.seconds(1))]
        }
        let json = try await CommandTrial.run("watch -j x", script + [.end])
        let handovers = try objects(json).filter { $0["event"] as? String == "handover" }
        #expect(handovers.count == 1)
        #expect(handovers.first?["from"] as? String == "/dev/gps0")
        #expect(handovers.first?["to"] as? String == "/dev/gps1")
        #expect(handovers.first?["reason"] as? String == "silent")
        let devices = try objects(json).filter { $0["event"] as? String == "location" }.map { $0["device"] as? String }
        #expect(devices == ["/dev/gps0", "/dev/gps0", "/dev/gps0", "/dev/gps1", "/dev/gps1", "/dev/gps1"])
        let text = try await CommandTrial.run("watch x", script + [.end])
        #expect(text.output.contains("handover   /dev/gps1 replaces /dev/gps0: silent for 3 s"))
        let states = try await CommandTrial.run("watch --csv -s x", script + [.end])
        #expect(states.output.contains(",found,found,silent,,/dev/gps1,"))
    }

    @Test func `watch prints failures with the next attempt, and continues`() async throws {
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        let source = ScriptedLocationSource()
        source.forceEvent(.failure(refused, retry: .milliseconds(500)))
        source.end()
        let result = try await CommandTrial(over: source).run("watch -j x")
        #expect(try words(result) == ["start", "state unreachable", "error unreachable", "end ended"])
        #expect(try objects(result)[2]["retry"] as? Double == 0.5)
    }

    @Test func `an error that ends the session is in the output, on standard error and in the exit code`() async throws
    {
        let lost = LocationError.connectionLost(host: "x", port: 1, cause: "reset")
        let result = try await CommandTrial.run("watch -j x", [.location(Self.gate), .endThrowing(lost)])
        #expect(result.code == .unavailable)
        #expect(
            try words(result)
                == ["start", "state fix", "location", "state connectionLost", "error connectionLost", "end failed"])
        #expect(result.errors.contains("reset"))
    }

    @Test func `a source that cannot be opened is also an error in JSON`() async throws {
        let missing = LocationError.unreadable(path: "x.json", cause: "No such file or directory")
        let trial = CommandTrial(over: ScriptedLocationSource(), openingFailure: missing)
        let json = try await trial.run("watch -j x")
        #expect(json.code == .noInput)
        #expect(try words(json) == ["start", "error unreadable", "end failed"])
        let text = try await trial.run("watch x")
        #expect(text.code == .noInput)
        #expect(text.output == "")
    }

    @Test func `watch prints every position of a recorded answer`() async throws {
        let result = try await CommandTrial.run("watch -j --pace max x", [.replay(Self.fixture("walk")), .end])
        let locations = try objects(result).filter { $0["event"] as? String == "location" }
        #expect(locations.count == 40)
        #expect(try words(result).last == "end ended")
    }

    // MARK: once

    @Test func `once prints the first position that is good enough`() async throws {
        var coarse = Self.gate
        coarse.horizontalAccuracy = 80
        let script: [ScriptStep] = [.location(coarse), .wait(.seconds(1)), .location(52.5, 13.4, accuracy: 4), .hang]
        let result = try await CommandTrial.run(["once", "-a", "10", "-f", "%{lat} %{eph}", "x"], script)
        #expect(result.code == .done)
        #expect(result.output == "52.5000000 4\n")
    }

    @Test func `once reports at its timeout why no position was accepted`() async throws {
        var coarse = Self.gate
        coarse.horizontalAccuracy = 80
        // CSV has no header without a position, so that scripts can append it.
        for form in ["", "--csv"] {
            let result = try await CommandTrial.run("once \(form) -a 10 -t 20s x", [.location(coarse), .hang])
            #expect(result.code == .noFix)
            #expect(result.output == "")
            #expect(result.errors.contains("80"))
        }
        let found = try await CommandTrial.run("once --csv --columns lat,eph x", [.location(coarse), .hang])
        #expect(found.output == "lat,eph\r\n52.5163,80\r\n")
    }

    @Test(arguments: [("", true), ("-q", false), ("-j", false), ("--csv", true)])
    func `once in a pipe says at once what it waits for, and for how long`(option: String, isSaid: Bool) async throws {
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        let clock = ManualClock()
        let source = ScriptedLocationSource([.wait(.seconds(3)), .location(52.5, 13.4), .hang], clock: clock)
        source.forceEvent(.failure(refused, retry: .seconds(1)))
        source.forceEvent(.failure(refused, retry: .seconds(2)))
        let result = try await CommandTrial(over: source, clock: clock).run("once \(option) -t 20s x")
        #expect(result.code == .done && !result.output.isEmpty)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == (isSaid ? 4 : 0), "the failure is said once, with advice, and counted: \(result.errors)")
        #expect(lines.first.map { $0 == "locwatch: waiting at most 20 s for x:2947" } ?? !isSaid, "\(result.errors)")
        #expect(lines.dropFirst().first.map { $0 == "locwatch: no gpsd at x:2947: refused" } ?? !isSaid)
        #expect(lines.last.map { $0 == "locwatch: no gpsd at x:2947: refused: failed 2 times" } ?? !isSaid)
    }

    /// A receiver that is listed and the position that it reports.
    private static func receiver(_ name: String, accuracy: Double) -> (listed: ScriptStep, position: ScriptStep) {
        var location = gate
        location.device = name
        location.horizontalAccuracy = accuracy
        return (.device(DeviceStatus(path: name, activity: .reporting)), .location(location))
    }

    @Test func `once waits for the first report of each receiver, and prints the best position`() async throws {
        let (coarse, fine) = (Self.receiver("/dev/gps0", accuracy: 400), Self.receiver("/dev/gps1", accuracy: 15))
        let script = [coarse.listed, fine.listed, coarse.position, .wait(.milliseconds(900)), fine.position, .hang]
        let result = try await CommandTrial.run(["once", "-f", "%{device} %{eph}", "x"], script)
        #expect(result.code == .done)
        #expect(result.output == "/dev/gps1 15\n")
    }

    @Test func `once keeps a position that is better than the later ones`() async throws {
        let (coarse, fine) = (Self.receiver("/dev/gps0", accuracy: 400), Self.receiver("/dev/gps1", accuracy: 15))
        let script = [coarse.listed, fine.listed, fine.position, .wait(.milliseconds(900)), coarse.position, .hang]
        #expect(try await CommandTrial.run(["once", "-f", "%{device}", "x"], script).output == "/dev/gps1\n")
    }

    @Test func `once waits at most two seconds for a receiver that reports nothing`() async throws {
        let (coarse, mute) = (Self.receiver("/dev/gps0", accuracy: 400), Self.receiver("/dev/gps1", accuracy: 15))
        let script = [coarse.listed, mute.listed, coarse.position, .wait(.seconds(3)), mute.position, .hang]
        let result = try await CommandTrial.run("once -j x", script)
        #expect(result.code == .done)
        #expect(try words(result).suffix(2) == ["location", "end count"])
        #expect(result.output.contains("/dev/gps0"))
        #expect(!result.output.contains("\"eph\":15"))
    }

    @Test func `once prints the best position if the source ends while it waits for other receivers`() async throws {
        let (coarse, mute) = (Self.receiver("/dev/gps0", accuracy: 400), Self.receiver("/dev/gps1", accuracy: 15))
        let result = try await CommandTrial.run(
            ["once", "-f", "%{device}", "x"], [coarse.listed, mute.listed, coarse.position, .end])
        #expect(result.code == .done)
        #expect(result.output == "/dev/gps0\n")
    }

    /// A position without the values of the first sentences of its epoch.
    private static let part = Location(coordinate: Coordinate(latitude: 1, longitude: 2), fix: .twoD, timestamp: nil)

    @Test func `once waits for another report if the first one is a part of an epoch`() async throws {
        let script: [ScriptStep] = [
            .location(Self.part), .wait(.seconds(1)), .location(52.5, 13.4, accuracy: 4), .hang,
        ]
        #expect(try await CommandTrial.run(["once", "-f", "%{lat}", "x"], script).output == "52.5000000\n")
        // The criterion of the user is met.
        #expect(
            try await CommandTrial.run(["once", "--fix", "2d", "-f", "%{lat}", "x"], script).output == "1.0000000\n")
    }

    @Test func `once waits at most two seconds for a whole epoch, and then only for one report`() async throws {
        let script: [ScriptStep] = [
            .location(Self.part), .wait(.seconds(3)), .location(52.5, 13.4, accuracy: 4), .hang,
        ]
        #expect(try await CommandTrial.run(["once", "-f", "%{lat}", "x"], script).output == "1.0000000\n")
        var next = Self.part
        next.coordinate = Coordinate(latitude: 3, longitude: 2)
        let flat: [ScriptStep] = [
            .location(Self.part), .wait(.seconds(1)), .location(next), .wait(.milliseconds(500)),
            .location(52.5, 13.4, accuracy: 4), .hang,
        ]
        #expect(try await CommandTrial.run(["once", "-f", "%{lat}", "x"], flat).output == "3.0000000\n")
    }

    @Test func `once of a recording prints the first whole epoch within two seconds, or the first one`() async throws {
        let scratch = try Scratch()
        let version = #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#
        func report(_ second: String, _ latitude: Int, _ rest: String = "") -> String {
            #"{"class":"TPV","device":"/dev/a","time":"2026-11-20T09:00:\#(second)Z","lat":\#(latitude),"lon":2,\#(rest)"mode":3}"#
        }
        for (reports, printed) in [
            ([report("00.0", 1), report("00.2", 2), report("01.0", 3, #""eph":9,"alt":3,"#)], "3"),
            ([report("00.0", 1), report("01.0", 2), report("09.0", 3, #""eph":9,"alt":3,"#)], "1"),
            ([report("00.0", 1)], "1"),
        ] {
            let file = try scratch.write(([version] + reports).joined(separator: "\n") + "\n", to: "a.json").path
            let result = try await CommandTrial().run(["once", "-f", "%{lat}", file])
            #expect(result.output == "\(printed).0000000\n", "\(reports) \(result.errors)")
        }
    }

    @Test func `once ends immediately on a denial`() async throws {
        let result = try await CommandTrial.run("once x", [.authorization(.denied), .hang])
        #expect(result.code == .denied)
        #expect(result.errors.contains("denies"))
    }

    // MARK: record, export, stats

    @Test func `record writes the lines of a recorded answer so that they replay`() async throws {
        let scratch = try Scratch()
        let path = scratch.url.appending(path: "out.json").path
        let result = try await CommandTrial.run("record \(path) x", [.replay(Self.fixture("walk")), .end])
        #expect(result.code == .done, "\(result.errors)")
        #expect(result.errors.contains("saved "))
        func positions(_ path: String) async throws -> [Coordinate] {
            var positions: [Coordinate] = []
            for try await update in ReplayProvider(.path(path), pace: .max).updates(for: .everything) {
                if case .location(let location) = update.event { positions.append(location.coordinate) }
            }
            return positions
        }
        let recorded = try await positions(path)
        #expect(recorded.count == 40)
        #expect(try await positions(ExportCommandTests.fixture("walk")) == recorded)
    }

    @Test func `record keeps an existing file without --force, with the message of export`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("precious", to: "old.json")
        let result = try await CommandTrial.run("record \(file.path) x", [.location(45, 7), .end])
        #expect(result.errors == "locwatch: \(file.path) already exists; to overwrite it, add --force\n")
        #expect(result.code == .cannotCreate)
        #expect(try String(contentsOf: file, encoding: .utf8) == "precious")
    }

    @Test func `record --force keeps the old recording until the new one has a line`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("precious", to: "old.json")
        let link = scratch.url.appending(path: "link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        for path in [file.path, link.path] {
            let failed = try await CommandTrial.run("record --force \(path) x", [.endThrowing(refused)])
            #expect(failed.code == .unavailable)
            #expect(try String(contentsOf: file, encoding: .utf8) == "precious")
        }
        let made = try await CommandTrial.run("record --force \(link.path) x", [.replay(Self.fixture("walk")), .end])
        #expect(made.code == .done, "\(made.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix(#"{"class":"LOCWATCH""#))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path, "the link stays")
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)) == ["old.json", "link.json"])
    }

    @Test(arguments: ["record --force", "export json -o"])
    func `a recording is never overwritten while it is read`(command: String) async throws {
        let scratch = try Scratch()
        let text = try String(contentsOfFile: ExportCommandTests.fixture("walk"), encoding: .utf8)
        let file = try scratch.write(text, to: "drive.json")
        let result = try await CommandTrial.run("\(command) \(file.path) \(file.path) --force", [.end])
        #expect(result.code == .usage)
        #expect(result.errors.contains("cannot be both the recording to read and the file to write"))
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `a file that does not exist is not both the recording and the file to write`() async throws {
        let scratch = try Scratch()
        let path = scratch.url.appending(path: "new.json").path
        let result = try await CommandTrial.run("record \(path) \(path)", [.end])
        #expect(result.code == .usage)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `record encodes the positions of a provider without lines`() async throws {
        let scratch = try Scratch()
        let path = scratch.url.appending(path: "out.json").path
        let sky = SkyView(satellites: nil, seen: 12, used: 7, device: "/dev/gps0")
        let script: [ScriptStep] = [
            .satellites(sky), .location(Self.gate), .wait(.seconds(2)),
            .searching(.noFix(seen: 0, used: 0, best: nil), device: "/dev/gps0"),
            .wait(.seconds(1)), .end,
        ]
        let result = try await CommandTrial.run("record \(path) x", script)
        #expect(result.code == .done, "\(result.errors)")
        var events: [LocationEvent] = []
        for try await update in ReplayProvider(.path(path), pace: .max).updates(for: .everything) {
            events.append(update.event)
        }
        let location = try #require(
            events.compactMap { if case .location(let location) = $0 { location } else { nil } }.first)
        #expect(location.coordinate == Self.gate.coordinate && location.horizontalAccuracy == 5)
        #expect(
            events.contains { if case .satellites(let sky) = $0 { sky.seen == 12 && sky.used == 7 } else { false } })
        #expect(
            events.contains { event in
                if case .searching(.noFix, "/dev/gps0") = event { true } else { false }
            })
    }

    @Test func `record to standard output contains every line of the source`() async throws {
        let answer = RecordedAnswer(lines: [
            #"{"class":"VERSION","release":"3.22"}"#, "no report",
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-01-01T00:00:01Z","lat":1,"lon":2}"#,
        ])
        let result = try await CommandTrial.run("record - x", [.replay(answer), .end])
        let own = result.lines.filter { !$0.hasPrefix(#"{"class":"LOCWATCH""#) }
        #expect(own.count == 3)
        #expect(own[1] == "no report")
        #expect(result.lines.first?.contains(#""format":1"#) == true)
    }

    @Test(arguments: ["gpx", "geojson", "kml", "csv", "nmea", "json"])
    func `export writes the track of a script`(format: String) async throws {
        let walk = ScriptStep.randomWalk(from: Self.gate.coordinate, steps: 12, seed: 3)
        let result = try await CommandTrial.run("export \(format) x", [walk, .end])
        #expect(result.code == .done, "\(result.errors)")
        let points: [String: (String) -> Bool] = [
            "gpx": { $0.contains("<trkpt") }, "geojson": { $0.contains("coordinates") },
            "kml": { $0.contains("<gx:coord>") || $0.contains("<coord>") }, "csv": { $0.contains("2026-01-01T00:00:") },
            "nmea": { $0.contains("GGA,") }, "json": { $0.contains(#""class":"TPV""#) },
        ]
        let isPoint = try #require(points[format])
        #expect(result.lines.count(where: isPoint) >= (format == "geojson" ? 1 : 12), "\(result.output)")
    }

    @Test func `export without a position has exit code 75`() async throws {
        let result = try await CommandTrial.run(
            "export csv x", [.searching(.noFix(seen: 0, used: 0, best: nil)), .end])
        #expect(result.code == .noFix)
    }

    @Test func `stats counts what a script emits`() async throws {
        let walk = ScriptStep.randomWalk(from: Self.gate.coordinate, steps: 10, seed: 3)
        let json = try await CommandTrial.run("stats -j x", [walk, .wait(.seconds(10)), .end])
        let figures = try #require(try objects(json).first { $0["event"] as? String == "stats" })
        #expect(figures["epochs"] as? Int == 10)
        let text = try await CommandTrial.run("stats x", [walk, .end])
        #expect(text.output.contains("10 epochs"))
        #expect(text.code == .done)
    }

    // MARK: devices, doctor

    private static var receiver: DeviceStatus {
        var status = DeviceStatus(path: "/dev/ttyACM0", activity: .reporting)
        status.driver = "u-blox"
        return status
    }

    @Test func `devices lists the receivers of a script and requests them from the source`() async throws {
        let clock = ManualClock()
        let source = ScriptedLocationSource(
            [.device(Self.receiver), .location(Self.gate.of("/dev/ttyACM0")), .hang], clock: clock)
        let result = try await CommandTrial(over: source, clock: clock).run("devices -j x")
        #expect(result.code == .done)
        #expect(try objects(result).filter { $0["event"] as? String == "device" }.count == 1)
        guard case .started(let request)? = source.calls.first else { return #expect(Bool(false), "\(source.calls)") }
        #expect(request.deviceInterval == .seconds(2))
        let none = try await CommandTrial.run("devices x", [.searching(.noDevice), .hang])
        #expect(none.errors.contains("no receiver"))
    }

    @Test func `doctor finds nothing wrong with a healthy script`() async throws {
        var sky: [Satellite] = []
        for number in 1...9 {
            sky.append(
                Satellite(constellation: .gps, number: number, elevation: 40, azimuth: 30, signal: 41, isUsed: true))
        }
        let walk = ScriptStep.randomWalk(from: Self.gate.coordinate, steps: 12, stride: 0.1, seed: 3)
        let result = try await CommandTrial.run(
            "doctor x",
            [
                .searching(.connected(release: "3.22")), .device(Self.receiver), .satellites(SkyView(satellites: sky)),
                walk, .hang,
            ])
        #expect(result.output.contains("ok     daemon"), "\(result.output)")
        #expect(result.output.contains("ok     sky"), "\(result.output)")
    }

    @Test func `doctor reads the antenna state from the events of a receiver without a fix`() async throws {
        let answer = RecordedAnswer(lines: [
            #"{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}"#,
            #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","activated":"2026-01-01T00:00:00Z"}]}"#,
            #"{"class":"TPV","device":"/dev/ttyACM0","mode":0,"ant":3}"#,
            #"{"class":"SKY","device":"/dev/ttyACM0","nSat":0,"uSat":0,"satellites":[]}"#,
        ])
        let result = try await CommandTrial.run("doctor -t 5s x", [.replay(answer), .hang])
        #expect(result.output.contains("short circuit"), "\(result.output)")
        #expect(result.code == .noFix)
    }

    @Test func `doctor requests the receivers every two seconds and distinguishes a wrong speed from silence`()
        async throws
    {
        var babbling = Self.receiver
        babbling.driver = nil
        babbling.activity = .babbling
        let clock = ManualClock()
        let source = ScriptedLocationSource(
            [.searching(.connected(release: "3.22")), .wait(.seconds(4)), .device(babbling), .hang], clock: clock)
        let result = try await CommandTrial(over: source, clock: clock).run("doctor x")
        #expect(result.output.contains("sends unrecognized data"), "\(result.output)")
        guard case .started(let request)? = source.calls.first else { return #expect(Bool(false), "\(source.calls)") }
        #expect(request.deviceInterval == .seconds(2))
    }

    @Test func `doctor turns the failure of a source into a finding`() async throws {
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "Connection refused")
        let result = try await CommandTrial.run("doctor x", [.endThrowing(refused)])
        #expect(result.code == .unavailable)
        #expect(result.output.contains("fault  daemon"), "\(result.output)")
    }
}

extension CommandTrial {
    static func run(_ arguments: [String], _ script: [ScriptStep]) async throws -> Result {
        let clock = ManualClock()
        return try await CommandTrial(over: ScriptedLocationSource(script, clock: clock), clock: clock).run(arguments)
    }
}

extension Location {
    fileprivate func of(_ device: String) -> Location {
        var location = self
        location.device = device
        return location
    }
}
