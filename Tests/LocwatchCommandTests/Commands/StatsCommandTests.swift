import Foundation
import LocationCore
import LocationTesting
import LocwatchTerminal
import TestSupport
import Testing

@Suite(.serialized, .withClocks) struct StatsCommandTests {
    private func stats(_ arguments: [String]) async throws -> CommandTrial.Result {
        try await CommandTrial().run(["stats"] + arguments)
    }

    private func figures(_ path: String) async throws -> [String: Any] { try figures(await stats(["-j", path])) }

    private func figures(_ result: CommandTrial.Result) throws -> [String: Any] {
        #expect(result.lines.count == 3)
        return try #require(try result.objects("stats").first)
    }

    @Test func `stats prints the figures of a recording as text`() async throws {
        let tool = try await stats([ExportCommandTests.fixture("fix-lost-and-found")])
        #expect(tool.status == 0 && tool.errors == "")
        #expect(tool.output.contains("Positions     16 epochs, "))
        #expect(tool.output.contains("Availability  64.4 % of the time: 14 s of 22 s"))
        #expect(tool.output.contains("for 4 s: no fix"))
    }

    @Test(arguments: ["walk", "first-fix", "several-reports-an-epoch", "two-devices"])
    func `the figures of a recording agree with numpy`(_ fixture: String) async throws {
        let path = ExportCommandTests.fixture(fixture)
        let script = Golden.package.appending(path: "Tests/Oracles/session_figures.py").path
        let tool = try Tool("/usr/bin/python3", [script, path])
        try #require(tool.status == 0, "\(tool.errors)")
        let expected = try #require(try JSONSerialization.jsonObject(with: Data(tool.output.utf8)) as? [String: Any])
        let printed = try await figures(path)
        #expect(!expected.isEmpty)
        for (key, value) in expected {
            if let value = value as? Double {
                #expect(abs((printed[key] as? Double ?? .nan) - value) < 1e-5, "\(key)")
                continue
            }
            let (wanted, given) = (value as? [String: Double], printed[key] as? [String: Any])
            for (name, number) in try #require(wanted) {
                #expect(abs((given?[name] as? Double ?? .nan) - number) < 1e-5, "\(key).\(name)")
            }
        }
    }

    /// The recording of a Humminbird M37 in gpsd's captures is two logs, one after the other.
    @Test func `the time after a splice at which a receiver's time goes back for good counts`() async throws {
        let version = #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#
        let seconds = Array(1...24) + Array(11...19)
        let reports = seconds.enumerated().map { index, second in
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-05-02T19:41:\#(second < 10 ? "0" : "")\#(second)Z","#
                + #""lat":\#(44 + Double(index) * 2.5e-5),"lon":7,"speed":2.78,"eph":4}"#
        }
        let text = ([version] + reports).joined(separator: "\n") + "\n"
        let printed = try await figures(CommandTrial.run("stats -j @", reading: text))
        // The first position after the splice is late: the receiver begins anew with it, and the way begins with the next one.
        #expect(printed["late"] as? Int == 1 && printed["duration"] as? Double == 31)
        let motion = try #require(printed["motion"] as? [String: Any])
        #expect(motion["moving"] as? Double == 30 && motion["standing"] as? Double == 0, "\(motion)")
    }

    @Test func `all figures of a recording that was made faster than its receiver reported have one time base`()
        async throws
    {
        let text = try await stats([ExportCommandTests.fixture("walk")]).output
        for line in ["39 s of 43 s", "moving 39 s, standing 0 s", "40 epochs, 1 per second", "1.4 m/s average, 1.4"] {
            #expect(text.contains(line), "\(line) in \(text)")
        }
        // The times of arrival say nothing about a delay then.
        #expect(!text.contains("positions arrive"))
    }

    @Test(arguments: [(0.0, 94.73, false, false), (0.014, 0.01, true, true), (4, 10.1, true, false)])
    func `an accuracy of zero, and one of the speed beyond reason, are not presented`(
        accuracy: Double, ofSpeed: Double, isShown: Bool, ofSpeedIsShown: Bool
    ) async throws {
        let reports = (10...19).map {
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-05-02T19:41:\#($0)Z","lat":44.1,"lon":7,"alt":9,"#
                + #""speed":0.1,"eph":\#(accuracy),"epv":\#(accuracy),"eps":\#(ofSpeed)}"#
        }
        let text = reports.joined(separator: "\n") + "\n"
        let shown = try await CommandTrial.run("stats @", reading: text).output
        #expect(shown.contains("horizontal") == isShown && shown.contains("vertical") == isShown, "\(shown)")
        #expect(shown.contains("m/s speed") == ofSpeedIsShown, "\(shown)")
        let watched = try await CommandTrial.run("watch -j --pace max @", reading: text).output
        #expect(watched.contains(#""eph":"#) == isShown && watched.contains(#""epv":"#) == isShown)
    }

    @Test(arguments: [5, 6])
    func `a leap of the receiver's clock before its fix takes no time, with times of arrival and without`(
        leapsAt: Int
    ) async throws {
        func recording(isStamped: Bool) -> String {
            (0..<120).map { second in
                let time = Timestamp.testEpoch.advanced(by: .seconds(second + (second < leapsAt ? 0 : 417_600)))
                let fix = second < 6 ? #""mode":1"# : #""mode":3,"lat":45.1,"lon":7.5,"altMSL":240.5,"eph":5.1"#
                let report =
                    #"{"class":"TPV","device":"/dev/a","time":"\#(time.formatted(fractionDigits: 3))",\#(fix)}"#
                let arrival = Timestamp.testEpoch.nanosecondsSince1970 / 1_000_000_000 + Int64(second)
                return (isStamped ? "\(arrival).000000: " : "") + report
            }.joined(separator: "\n") + "\n"
        }
        for isStamped in [true, false] {
            let words = try await CommandTrial.run("stats @", reading: recording(isStamped: isStamped)).output
            // A clock that is set makes a step of an unknown length.
            #expect(words.contains("First fix     after \(isStamped ? 6 : 5) s\n"), "\(words)")
            #expect(words.contains("Availability  95"), "\(words)")
        }
    }

    @Test(arguments: ["walk", "first-fix", "no-fix", "unplugged", "several-reports-an-epoch", "two-devices"])
    func `the start and the end that stats names are as far apart as its duration says`(_ fixture: String) async throws
    {
        let figures = try await figures(ExportCommandTests.fixture(fixture))
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let began = try format.parse(try #require(figures["began"] as? String))
        let ended = try format.parse(try #require(figures["ended"] as? String))
        let duration = try #require(figures["duration"] as? Double)
        #expect(duration > 0 && abs(ended.timeIntervalSince(began) - duration) < 0.002)
    }

    @Test(arguments: [("metric", "m", "m/s"), ("imperial", "ft", "mph"), ("nautical", "m", "kn")])
    func `a plot has the requested units`(units: String, length: String, speed: String) async throws {
        let scratch = try Scratch()
        let walk = ExportCommandTests.fixture("walk")
        #expect(try await stats(["--plot-file=\(scratch.path("walk.svg"))", "--units", units, walk]).status == 0)
        let drawn = try await stats(["--plot", "--units", units, walk]).output
        for text in [drawn, try scratch.text("walk.svg")] {
            #expect(text.contains("Speed, \(speed)") && text.contains("Height above the sea, \(length)"))
            #expect(text.contains("Reported horizontal accuracy, \(length)"))
            #expect(length == "m" || text.firstMatch(of: /[0-9] m\b/) == nil)
        }
    }

    @Test func `a session without a position has figures and exits with 0`() async throws {
        let tool = try await stats([ExportCommandTests.fixture("no-fix")])
        #expect(tool.status == 0)
        #expect(tool.output.contains("First fix     none"))
    }

    @Test func `the figures of a running session are printed at its end`() async throws {
        let walk = ScriptStep.randomWalk(from: Coordinate(latitude: 45, longitude: 7), steps: 20, seed: 3)
        let result = try await CommandTrial.run("stats -n 10 x", [walk, .hang])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("Positions     10 epochs"))
        #expect(!result.output.contains("\u{1B}"))
    }

    /// Writes a recording with a short path, because a title is shortened.
    private static func walk(in scratch: Scratch) throws -> String {
        try scratch.write(Array(Data(contentsOf: URL(filePath: ExportCommandTests.fixture("walk")))), to: "walk.json")
    }

    private static func expect(_ text: String, in scratch: Scratch, is name: String) throws {
        try Golden.expect(text.replacing(scratch.path("walk.json"), with: "walk.json"), is: name)
    }

    @Test func `plots are drawn into files and on the terminal`() async throws {
        let scratch = try Scratch()
        let (walk, file) = (try Self.walk(in: scratch), scratch.path("walk.svg"))
        #expect(try await stats(["--plot-file=\(file)", walk]).status == 0)
        #expect(try Tool("xmllint", ["--noout", file]).status == 0)
        try Self.expect(scratch.text("walk.svg"), in: scratch, is: "walk.svg")
        let drawn = try await stats(["--plot", walk])
        #expect(drawn.status == 0)
        try Self.expect(drawn.output, in: scratch, is: "walk-plot.txt")
        #expect(drawn.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `the scatter of a receiver that stands is drawn`() async throws {
        let scratch = try Scratch()
        let steps = (0..<120).flatMap { second in
            [
                ScriptStep.location(45 + Double(second % 7) * 1e-6, 7 + Double(second % 5) * 1e-6),
                .wait(.seconds(1)),
            ]
        }
        let result = try await CommandTrial.run("stats --plot-file=\(scratch.path("stands.svg")) x", steps + [.end])
        #expect(result.status == 0, "\(result.errors)")
        try Golden.expect(scratch.text("stands.svg"), is: "stands.svg")
    }

    @Test(arguments: [("--ascii", "C.UTF-8"), ("--no-reconnect", "C")])
    func `a plot is drawn in ASCII on request, and where the locale has nothing else`(
        option: String, locale: String
    ) async throws {
        let scratch = try Scratch()
        let trial = CommandTrial(environment: ["LC_ALL": locale])
        let drawn = try await trial.run(["stats", "--plot", option, Self.walk(in: scratch)])
        #expect(drawn.status == 0)
        try Self.expect(drawn.output, in: scratch, is: "walk-plot-ascii.txt")
        #expect(drawn.output.utf8.allSatisfy { $0 < 0x80 }, "\(drawn.output)")
    }

    @Test func `a plot replaces an earlier one, and no other file, which is said before the session begins`()
        async throws
    {
        let scratch = try Scratch()
        let (walk, file) = (try Self.walk(in: scratch), scratch.path("walk.svg"))
        for _ in 0..<2 { #expect(try await stats(["--plot-file=\(file)", walk]).status == 0) }
        let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\"><circle/></svg>"
        let other = try scratch.write(drawing, to: "drawing.svg").path
        let result = try await stats(["--plot-file=\(other)", walk])
        let reason = "it is not empty, and not a picture of locwatch"
        #expect(result == .init(code: .cannotCreate, errors: "locwatch: cannot write to \(other): \(reason)\n"))
        #expect(try scratch.text("drawing.svg") == drawing)
    }

    @Test func `a plot that cannot be written is reported before the session begins`() async throws {
        let tool = try await stats(["--plot-file=/missing/x.svg", ExportCommandTests.fixture("walk")])
        let reason = "locwatch: cannot create /missing/x.svg: No such file or directory\n"
        #expect(tool == .init(code: .cannotCreate, errors: reason))
    }

    // MARK: A receiver that learns the date in the course of its recording

    /// A recording whose date jumps by 18 years and back.
    static let datedRecording = reports(["2023-05-01", "2041-01-10", "2041-01-10", "2023-05-01"])

    /// Returns a report at a second after ten on each date.
    private static func reports(_ dates: [String]) -> String {
        dates.enumerated().map { second, date in
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(date)T10:00:0\#(second).000Z","lat":48.2,"lon":16.3}"#
                + "\n"
        }.joined()
    }

    @Test func `a session whose dates span decades says that the date jumps`() async throws {
        let text = try await CommandTrial.run("stats --utc replay:@", reading: Self.datedRecording).output
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let jumps = "2 jumps of the date, which last no time: the first from 2023-05-01 to 2041-01-10"
        #expect(words.contains(jumps), "\(text)")
    }

    @Test func `a pause of some days does not count as a jump of the date`() async throws {
        let text = Self.reports(["2023-05-01", "2023-05-04", "2024-01-02"])
        #expect(try await !CommandTrial.run("stats --utc replay:@", reading: text).output.contains("jump"))
    }
}
