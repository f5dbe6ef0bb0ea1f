import LocationCore
import LocationRecordingsTesting
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchPrinting
@testable import LocwatchTerminal

/// The lines of text output, over scripted sources.
@Suite(.serialized, .withClocks) struct TextLinesTests {
    static var receiver: DeviceStatus {
        with(DeviceStatus(path: "/dev/ttyACM0", activity: .reporting)) {
            $0.driver = "u-blox"
            $0.subtype = "SW ROM CORE 3.01 (107888),HW 00080000,FWVER=SPG 3.01,PROTVER=18.00,MOD=NEO-M8N-0,GPS;GLO"
        }
    }

    static func place(_ seconds: Double, device: String = "/dev/ttyACM0") -> Location {
        with(ScriptedSession.location(seconds)) {
            $0.timestamp = Timestamp.testEpoch.advanced(by: .seconds(seconds))
            ($0.received, $0.device) = (nil, device)
        }
    }

    /// A position with corrections of a reference station.
    private static var corrected: Location {
        with(place(20)) {
            $0.quality = .rtkFloat
            ($0[.dgpsAge], $0[count: .dgpsStation]) = (1, 77)
        }
    }

    private static func noFix(_ used: Int) -> ScriptStep {
        .searching(.noFix(seen: 16, used: used, best: 31), device: "/dev/ttyACM0")
    }

    /// The events up to a first fix, as gpsd reports them.
    static var coldStart: [ScriptStep] {
        let unknown = with(DeviceStatus(path: "/dev/ttyACM0", activity: .unknown)) { $0.lastHeard = .testEpoch }
        return [
            .searching(.connecting(attempt: 1)), .searching(.connected(release: "3.22")), .device(unknown),
            .wait(.seconds(1)), .device(receiver), .notice(.message("hello")), noFix(0), .wait(.seconds(10)),
            .searching(.deviceSilent(path: "/dev/ttyACM0")), .wait(.seconds(1)), noFix(2),
            .satellites(SkyView(satellites: nil, seen: 16, used: 9, device: "/dev/ttyACM0")), .wait(.seconds(8)),
        ]
    }

    static func walk(from first: Int, count: Int) -> [ScriptStep] {
        (first..<first + count).flatMap { [.location(place(Double($0))), .wait(.seconds(1))] }
    }

    @Test(arguments: [
        (36, ""), (48, " off"), (58, " up"), (68, "RTK float"), (76, "RTK float 1 s old"),
        (200, "1.0 s old, station 77"),
    ])
    func `the words behind a position are left out from the end, and nothing is cut in the middle`(
        columns: Int, end: String
    ) async throws {
        let steps: [ScriptStep] = Self.coldStart + [.location(Self.corrected), .wait(.seconds(1)), .end]
        let result = try await CommandTrial.run("watch --reference 45.07,7.68,230", steps, columns: columns)
        let line = try #require(result.lines.first { $0.contains("  45.07") })
        #expect(line.hasSuffix(end) && !line.contains("…") && line.unicodeScalars.count <= columns, "\(line)")
        let wide = try await CommandTrial.run("watch --reference 45.07,7.68,230", steps, columns: 200)
        let whole = try #require(wide.lines.first { $0.contains("  45.07") })
        #expect(whole.hasPrefix(line.prefix(31)), "the coordinates are whole: \(line)")
    }

    @Test func `the loss of corrections is a line, also before the first fix, and the session continues`() async throws
    {
        let lost = CorrectionsStatus(source: "ntrip://caster:2101/M", fault: .closed, cause: "the caster has ended")
        let steps: [ScriptStep] =
            [.notice(.corrections(lost))] + Self.coldStart + Self.walk(from: 20, count: 3) + [.end]
        let result = try await CommandTrial.run("watch", steps)
        #expect(
            result.output.contains("notice     no corrections from ntrip://caster:2101/M: the caster has ended"),
            "\(result.output)")
        #expect(result.code == .done)
        let table = try await CommandTrial.run("watch --csv", steps)
        #expect(table.errors.contains("locwatch: no corrections from ntrip://caster:2101/M: the caster has ended"))
        #expect(!table.output.contains("caster"))
    }

    /// Returns the widths of the times of the positions and of the line about the first one.
    private static func clocks(_ lines: [String]) -> [Int] {
        lines.filter { $0.contains("45.07") || $0.contains("found") }.map { $0.prefix { $0 != " " }.count }
    }

    @Test(arguments: [(1000, 8), (250, 11), (100, 10), (40, 11)])
    func `each time of a receiver has a fraction if it reports several times a second, also the first one`(
        milliseconds: Int, width: Int
    ) async throws {
        let interval = Duration.milliseconds(milliseconds)
        let times = (0..<8).map { Timestamp.testEpoch.advanced(by: interval * $0) }
        let reports = RecordedAnswer(
            lines: times.map {
                #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#($0)","lat":45.07,"lon":7.68,"eph":5}"#
            })
        let lines = try await CommandTrial.run("watch", [.replay(reports), .end]).lines
        #expect(Self.clocks(lines) == Array(repeating: width, count: 9), "\(lines)")
        let script = times.indices.flatMap { index -> [ScriptStep] in
            [.location(Self.place(0.2 + interval.inSeconds * Double(index))), .wait(interval)]
        }
        let scripted = try await CommandTrial.run("watch", script + [.end]).lines.filter { !$0.contains("found") }
        #expect(Self.clocks(scripted) == [8] + Array(repeating: width, count: 7), "\(scripted)")
    }

    @Test(arguments: [(500, false, 8), (200, true, 10)])
    func `the first times have a fraction only if gpsd names a cycle below a second`(
        milliseconds: Int, isNamed: Bool, width: Int
    ) async throws {
        let interval = Duration.milliseconds(milliseconds)
        let status = with(Self.receiver) { if isNamed { $0.cycle = interval } }
        let script = (0..<8).flatMap { index -> [ScriptStep] in
            [.location(Self.place(interval.inSeconds * Double(index))), .wait(interval)]
        }
        let lines = try await CommandTrial.run("watch", [.device(status)] + script + [.end]).lines
        #expect(Self.clocks(lines) == Array(repeating: width, count: 9), "\(lines)")
    }

    @Test func `the date comes with the first line and at midnight`() async throws {
        let script: [ScriptStep] = [
            .location(Self.place(86_399)), .wait(.seconds(1)), .location(Self.place(86_400)), .end,
        ]
        let lines = try await CommandTrial.run("watch", script).lines
        let dates = lines.filter { $0.hasPrefix("2026-01-") }
        #expect(dates.last == "2026-01-02  UTC" && dates.first == "2026-01-01  UTC", "\(lines)")
    }

    @Test(arguments: [
        ("", 19_800, "05:30:00", "2026-01-01  UTC+05:30"), ("", -12_600, "20:30:00", "2025-12-31  UTC-03:30"),
        ("--utc", 19_800, "00:00:00", "2026-01-01  UTC"),
    ])
    func `times are local, or UTC on request`(option: String, offset: Int, clock: String, date: String) async throws {
        let script: [ScriptStep] = [.location(Self.place(0)), .end]
        let lines = try await CommandTrial.run("watch \(option)", script, localTime: LocalTime { _ in offset }).lines
        #expect(lines.first == date)
        #expect(lines.last?.hasPrefix(clock) == true)
    }

    @Test func `once prints a single line, with the date if it is not today`() async throws {
        let today = try await CommandTrial.run("once", [.location(Self.place(0)), .hang])
        #expect(today.lines.count == 1 && today.lines[0].hasPrefix("00:00:00  45.07"), "\(today.output)")
        let past = try await CommandTrial.run("once", [.location(Self.place(-90_000)), .hang])
        #expect(past.lines.count == 1 && past.lines[0].hasPrefix("2025-12-30  23:00:00  45.07"), "\(past.output)")
    }

    private static func sky(_ members: String) -> String { #"{"class":"SKY","device":"/dev/ttyACM0",\#(members)}"# }

    /// Four epochs a second apart, whose satellites are reported in four parts without times.
    private static let parts: [ScriptStep] = [
        .replay(
            RecordedAnswer(
                lines: (0..<4).flatMap { second in
                    let gps = #"{"PRN":5,"gnssid":0,"svid":5,"ss":40,"used":true}"#
                    let glonass = #"{"PRN":70,"gnssid":6,"svid":6,"ss":30,"used":false}"#
                    let galileo = #"{"PRN":307,"gnssid":2,"svid":7,"ss":20,"used":false}"#
                    let time = Timestamp.testEpoch.advanced(by: .seconds(second))
                    return [
                        sky(#""satellites":[\#(gps)]"#), sky(#""satellites":[\#(gps),\#(glonass)]"#),
                        sky(#""satellites":[\#(galileo)]"#), sky(#""hdop":1.5"#),
                        #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)","lat":45.07,"lon":7.68}"#,
                    ]
                }))
    ]

    @Test(arguments: [("", 4), ("-i 2s", 2)])
    func `the parts of an epoch's satellites are one line, thinned by the interval`(
        option: String, lines: Int
    ) async throws {
        let text = try await CommandTrial.run("watch --sky \(option)", Self.parts + [.end]).lines
        let skies = text.filter { $0.contains("  sky  ") }
        #expect(skies.count == lines, "\(text)")
        #expect(skies.allSatisfy { $0.contains("3 seen, 1 used, best 40 dB-Hz") }, "\(skies)")
        let csv = try await CommandTrial.run("watch --csv --sky \(option)", Self.parts + [.end]).lines
        #expect(csv.count == 1 + 3 * lines, "\(csv)")
        #expect(csv.dropFirst().allSatisfy { $0.prefix { $0 != "," }.count == 24 })
        let json = try await CommandTrial.run("watch -j --sky \(option)", Self.parts + [.end]).lines
        #expect(json.count { $0.contains("\"event\":\"sky\"") } == lines, "\(json)")
    }

    @Test func `the satellites of one of several receivers are named`() async throws {
        let skies = ["/dev/ttyACM0", "/dev/b"].map { SkyView(satellites: nil, seen: 9, used: 2, device: $0) }
        let lines = try await CommandTrial.run("watch --sky", (skies + skies).map { .satellites($0) } + [.end]).lines
            .filter { $0.contains("  sky  ") }
        #expect(lines.count == 4 && lines.last?.hasSuffix("b: 9 seen, 2 used") == true, "\(lines)")
    }

    @Test(arguments: [
        ("SW ROM CORE 3.01 (107888),HW 00080000,FWVER=SPG 3.01,PROTVER=18.00,MOD=NEO-M8N-0,GPS;GLO", "NEO-M8N"),
        ("GSW3.2.4_3.1.00.12-SDK003P1.00a and much more of it", "GSW3.2.4_3.1.00.12-SDK00"), ("MOD=,x", "MOD="),
    ])
    func `the model is the module name, or else the start of the firmware text`(subtype: String, model: String) {
        var status = Self.receiver
        status.subtype = subtype
        #expect(status.model == model)
        status.subtype = nil
        #expect(status.model == nil && status.kind == "u-blox")
    }

    @Test(arguments: [(FixQuality.ordinary, "-/4"), (.deadReckoning, "0/4")])
    func `a report without used satellites beside a fix by satellites has only the number of those that are seen`(
        quality: FixQuality, count: String
    ) async throws {
        let place = with(Self.place(1)) { $0.quality = quality }
        let sky = SkyView(satellites: nil, seen: 4, used: 0, device: "/dev/ttyACM0")
        let script: [ScriptStep] = [
            .device(Self.receiver), .location(Self.place(0)), .wait(.seconds(1)), .satellites(sky), .location(place),
            .wait(.seconds(1)), .end,
        ]
        let text = try await CommandTrial.run("watch", script)
        let line = try #require(text.lines.last { $0.contains("45.0736120") })
        #expect(line.split(separator: " ").contains { $0 == count }, "\(line)")
        #expect(text.output.contains("0/4") == (quality == .deadReckoning), "\(text.output)")
        let table = try await CommandTrial.run("watch --csv --columns used,seen", script)
        #expect(table.lines.last == (quality == .deadReckoning ? "0,4" : ",4"), "\(table.output)")
    }

    @Test func `a fence event between positions of another date has no date line`() async throws {
        let script = (0..<20).flatMap { second -> [ScriptStep] in
            let location = with(Self.place(Double(second))) {
                $0.timestamp = $0.timestamp?.advanced(by: .seconds(-1024 * 604_800))
                if 5..<12 ~= second { $0.coordinate = Coordinate(latitude: 45.0742, longitude: 7.68) }
            }
            return [.location(location), .wait(.seconds(1))]
        }
        let result = try await CommandTrial.run("watch --fence home=45.0736120,7.6804310,30 x", script + [.end])
        #expect(result.lines.count { $0.contains("fence") } == 3, "\(result.output)")
        #expect(result.lines.filter { $0.hasSuffix("UTC") } == ["2026-01-01  UTC", "2006-05-18  UTC"])
    }

    @Test func `a fence distinguishes starting inside from entering, and shows the length of a stay`() async throws {
        let script = (0..<400).flatMap { second -> [ScriptStep] in
            let location = with(Self.place(Double(second))) {
                if 350..<360 ~= second { $0.coordinate = Coordinate(latitude: 45.0742, longitude: 7.68) }
            }
            return [.location(location), .wait(.seconds(1))]
        }
        let line = "--fence home=45.0736120,7.6804310,30 x"
        let text = try await CommandTrial.run("watch \(line)", script + [.end])
        let lines = text.lines.filter { $0.contains("fence") }.map { String($0.dropFirst(21)) }
        #expect(lines == ["inside home", "still in home after 5 min", "exited home", "entered home"])
        let json = try await CommandTrial.run("watch -j \(line)", script + [.end])
        #expect(json.lines.count { $0.contains(#""change":"inside""#) } == 1)
        #expect(json.lines.count { $0.contains(#""change":"enter""#) } == 1)
    }
}
