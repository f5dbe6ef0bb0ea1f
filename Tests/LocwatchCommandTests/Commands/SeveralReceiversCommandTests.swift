import Foundation
import LocationCore
import LocationTesting
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests commands with several receivers, and with receivers that report rarely.
@Suite(.serialized, .withClocks) struct SeveralReceiversCommandTests {
    private static func fix(_ second: Int, _ device: String) -> ScriptStep {
        .location(
            Location(
                coordinate: Coordinate(latitude: 52.5163 + Double(second) / 1000, longitude: 13.3777),
                timestamp: .testEpoch.advanced(by: .seconds(second)), device: device, horizontalAccuracy: 5,
                altitudeMSL: 34, speed: 11, course: 0))
    }

    /// Two receivers at 1 Hz, the first of which falls silent after four seconds.
    private static let two: [ScriptStep] = {
        var script: [ScriptStep] = []
        for second in 0..<12 {
            if second < 4 { script.append(fix(second, "/dev/gps0")) }
            script += [fix(second, "/dev/gps1"), .wait(.seconds(1))]
        }
        return script + [.end]
    }()

    /// One receiver that reports every ten seconds.
    private static let slow: [ScriptStep] = drive(stride(from: 0, to: 80, by: 10), wait: 10) + [.end]

    /// Returns fixes of one receiver at the given seconds, each followed by a wait.
    private static func drive(_ seconds: some Sequence<Int>, wait: Int = 1) -> [ScriptStep] {
        var script: [ScriptStep] = []
        for second in seconds { script += [fix(second, "/dev/gps0"), .wait(.seconds(wait))] }
        return script
    }

    // MARK: every receiver

    @Test func `watch prints the current receiver, and with --all-devices every one with its states`() async throws {
        let result = try await CommandTrial.run("watch -j --all-devices x", Self.two)
        let devices = try result.texts("location", "device")
        #expect(devices.count { $0 == "/dev/gps0" } == 4 && devices.count { $0 == "/dev/gps1" } == 12)
        let states = try result.texts("deviceState", "device", "reason")
        #expect(states == ["/dev/gps0 fix", "/dev/gps1 fix", "/dev/gps0 silent"])
        #expect(try result.objects("state").count == 1)
        #expect(try result.objects("handover").count == 1)
        let usual = try await CommandTrial.run("watch -j x", Self.two)
        #expect(try usual.objects("deviceState").isEmpty)
        #expect(try usual.texts("handover", "from", "to", "reason") == ["/dev/gps0 /dev/gps1 silent"])
        let shown = Array(repeating: "/dev/gps0", count: 4) + Array(repeating: "/dev/gps1", count: 6)
        #expect(try usual.texts("location", "device") == shown)
    }

    @Test func `text with --all-devices names the receiver in each line`() async throws {
        let result = try await CommandTrial.run("watch --all-devices x", Self.two, columns: 80)
        let positions = result.lines(with: "52.5")
        #expect(positions.count == 16)
        #expect(positions.allSatisfy { $0.hasSuffix("/dev/gps0") || $0.hasSuffix("/dev/gps1") }, "\(result.output)")
        #expect(result.lines.count { $0.contains("found      /dev/gps") } == 2, "\(result.output)")
        #expect(result.output.contains("searching  /dev/gps0: fix lost, held for"), "\(result.output)")
        #expect(result.lines.allSatisfy { $0.count <= 80 })
    }

    @Test func `CSV with --all-devices numbers the segments of each receiver, and lists its states`() async throws {
        let csv = try await CommandTrial.run("watch --csv --columns device,segment --all-devices x", Self.two)
        #expect(csv.lines.dropFirst().allSatisfy { $0.hasSuffix(",1") }, "\(csv.output)")
        #expect(csv.lines.count == 17)
        let states = try await CommandTrial.run("watch --csv -s --all-devices x", Self.two)
        #expect(states.lines.count { $0.contains(",found,searching,silent,") && $0.contains(",/dev/gps0,") } == 1)
    }

    @Test func `export starts a segment at a handover, and counts the skipped positions of other receivers`()
        async throws
    {
        let result = try await CommandTrial.run("export csv --columns device,segment x", Self.two)
        #expect(Set(result.lines.dropFirst()) == ["/dev/gps0,1", "/dev/gps1,2"], "\(result.output)")
        let remedy = "--device PATH selects one, --all-devices includes all"
        #expect(result.errors == "locwatch: skipped 6 positions of other receivers; \(remedy)\n")
    }

    @Test func `a log with --all-devices has a file for each receiver`() async throws {
        let scratch = try Scratch()
        let path = scratch.path("log.v2.gpx")
        let result = try await CommandTrial.run("export gpx --all-devices -o \(path) x", Self.two)
        #expect(result.code == .done, "\(result.errors)")
        #expect(scratch.names == ["log.v2-gps0.gpx", "log.v2-gps1.gpx"])
        #expect(result.errors.hasPrefix("locwatch: saved 16 points in 2 files"), "\(result.errors)")
        let text = try scratch.text("log.v2-gps1.gpx")
        #expect(text.components(separatedBy: "<trkpt").count == 13)
        #expect(text.contains("<src>/dev/gps1</src>"), "\(text.prefix(600))")
    }

    @Test(arguments: TrackOracle.all.map(\.format))
    func `export --all-devices writes a well-formed file, or refuses a format that cannot name receivers`(
        _ format: TrackFormat
    ) async throws {
        let result = try await CommandTrial.run("export \(format) --all-devices x", Self.two)
        if format.receivers == .nowhere {
            #expect(result.code == .usage)
            #expect(result.errors.contains("\(format) cannot name receivers; --device PATH selects one"))
        } else {
            #expect(result.code == .done && result.errors == "", "\(result.errors)")
            #expect(TrackPoints.count(Array(result.output.utf8), format) == 16)
        }
    }

    @Test(arguments: [
        ("/dev/ttyACM0", "ttyACM0"), ("owntracks/anna/my_phone", "owntracks+anna+my_phone"), (nil, "receiver"),
        ("/dev/serial/by-id/u-blox", "serial+by-id+u-blox"), ("udp://../%Y", "udp=3A++=2E=2E+=25Y"), ("..", "=2E=2E"),
        ("", "="),
    ])
    func `the file name of a receiver contains no path separator or date code`(device: String?, name: String) {
        #expect(TrackJournals.fileName(device) == name)
    }

    @Test func `different receivers have files of different names, and long names fit`() {
        let long = String(repeating: "x", count: 300)
        let devices = [
            "a/b", "a_b", "a-b", "a+b", "a=b", "a.b", "a=2Fb", "a=2Eb", "\(long)1", "\(long)2", "\u{e4}", "a b",
        ]
        let names = devices.map { TrackJournals.fileName($0) }
        #expect(Set(names).count == devices.count && names.allSatisfy { $0.utf8.count < 160 }, "\(names)")
        // A number follows the separator, which is in no name.
        #expect(!names.contains { $0.contains(TrackJournals.numberSeparator) })
    }

    /// Reports of devices in turn, each of which is at a latitude of its own.
    private static func reports(_ devices: [(name: String, latitude: Double)], from second: Int) -> [ScriptStep] {
        let steps = (second..<second + 20).flatMap { second -> [ScriptStep] in
            devices.map { device in
                .location(
                    Location(
                        coordinate: Coordinate(latitude: device.latitude + Double(second) / 1e5, longitude: 13),
                        timestamp: .testEpoch.advanced(by: .seconds(second)), device: device.name,
                        horizontalAccuracy: 5))
            } + [.wait(.seconds(1))]
        }
        return steps + [.end]
    }

    @Test(arguments: ["", "--rotate 6kB", "--rotate 8s"])
    func `a log that is started again has the points of each device in its own files, whichever reports first`(
        rotation: String
    ) async throws {
        let scratch = try Scratch()
        let line = "export gpx --all-devices \(rotation) -o \(scratch.path("log.gpx")) x"
        // The first file of one can have the name that another would have for its second one.
        let devices: [(name: String, latitude: Double)] = [
            ("owntracks/anna/phone", 10), ("owntracks/bob/phone", 20), ("bus", 30), ("bus-2", 40),
        ]
        for (run, order) in [devices, devices.reversed()].enumerated() {
            let result = try await CommandTrial.run(line, Self.reports(order, from: run * 60))
            #expect(result.code == .done, "\(result.errors)")
        }
        var points: [String: Int] = [:]
        for name in scratch.names {
            let text = try scratch.text(name)
            let source = try #require(text.firstMatch(of: /<src>(.*)<\/src>/)).1
            let latitudes = text.matches(of: /<trkpt lat="(\d\d)/).map { String($0.1) }
            let own = try #require(devices.first { $0.name == source }).latitude
            #expect(latitudes.allSatisfy { $0 == "\(Int(own))" }, "\(name): \(latitudes)")
            points[String(source), default: 0] += latitudes.count
        }
        #expect(points == Dictionary(uniqueKeysWithValues: devices.map { ($0.name, 40) }), "\(scratch.names)")
        if rotation.isEmpty {
            let names = ["log-bus-2.gpx", "log-bus.gpx", "log-owntracks+anna+phone.gpx", "log-owntracks+bob+phone.gpx"]
            #expect(scratch.names == names)
        }
    }

    @Test func `stats counts the handovers, and has figures of each receiver`() async throws {
        let figures = try #require(try await CommandTrial.run("stats -j x", Self.two).objects("stats").first)
        let receivers = try #require(figures["receivers"] as? [[String: Any]])
        #expect(receivers.map { $0["epochs"] as? Int } == [4, 12] && figures["handovers"] as? Int == 1, "\(figures)")
        let text = try await CommandTrial.run("stats x", Self.two).output
        for row in ["Receivers     /dev/gps1: 12 epochs, every 1 s", "Handovers     1\n"] {
            #expect(text.contains(row), "\(text)")
        }
    }

    // MARK: the spool

    @Test func `the spool returns the text of each track in order`() throws {
        let spool = try TextSpool(in: NSTemporaryDirectory())
        var expected = [[UInt8]](repeating: [], count: 200)
        var draw = SplitMix64(seed: 9)
        for _ in 0..<3000 {
            let track = Int(draw.next() % 200)
            let text = [UInt8](repeating: UInt8(truncatingIfNeeded: draw.next()), count: Int(draw.next() % 3000))
            expected[track] += text
            try spool.append(text, to: track)
        }
        for track in 0..<200 {
            var read: [UInt8] = []
            try spool.read(track) { read += $0 }
            #expect(read == expected[track])
        }
        try spool.read(999) { _ in Issue.record("unexpected track") }
    }

    // MARK: receivers that report rarely

    @Test func `watch loses a receiver that reports rarely at most once`() async throws {
        let result = try await CommandTrial.run("watch -j x", Self.slow)
        #expect(try result.texts("state", "reason") == ["fix", "silent", "fix"])
        let patient = try await CommandTrial.run("watch -j --stale 15s x", Self.slow)
        #expect(try patient.texts("state", "reason") == ["fix"])
        let strict = try await CommandTrial.run("watch -j --stale 2s x", Self.slow)
        #expect(try strict.objects("state").count == 16)
        #expect(try strict.objects("state")[1]["silence"] as? Double == 2)
    }

    @Test func `a replay of a file from export --interval shows the same track`() async throws {
        let noFix = ScriptStep.searching(.noFix(seen: 3, used: 0, best: 20), device: "/dev/gps0")
        let drive: [ScriptStep] =
            Self.drive(0..<65) + [noFix, .wait(.seconds(5))] + Self.drive(70..<120) + [.end]
        let json = try await CommandTrial.run("export gpsd --interval 10s x", drive)
        let table = "export csv --columns time,lat,lon,segment"
        let first = try await CommandTrial.run("\(table) --interval 10s x", drive)
        #expect(try await CommandTrial.run("\(table) @", reading: json.output).lines == first.lines)
        #expect(first.lines.count > 12)
        #expect(Set(first.lines.dropFirst().compactMap { $0.split(separator: ",").last }) == ["1", "2"])
    }
}
