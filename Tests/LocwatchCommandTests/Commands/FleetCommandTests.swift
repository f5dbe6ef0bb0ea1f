import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// A provider whose devices are independent of each other.
private struct ScriptedFleet: LocationProvider {
    let base: ScriptedLocationSource

    func updates(for request: LocationRequest) -> LocationUpdates { base.updates(for: request).namingSubjects() }
}

@Suite(.serialized, .withClocks) struct FleetCommandTests {
    private static let car = "owntracks/anna/car"
    private static let boat = "owntracks/bob/boat"
    private static let home = "52.5163,13.3777,200"

    private static func fix(
        _ second: Int, _ device: String, metres: Double = 0, change: (inout Location) -> Void = { _ in }
    ) -> ScriptStep {
        var location = Location(
            coordinate: Coordinate(latitude: 52.5163 + metres / 111_200, longitude: 13.3777), fix: .twoD,
            timestamp: .testEpoch.advanced(by: .seconds(second)), device: device, horizontalAccuracy: 5, speed: 10)
        change(&location)
        return .location(location)
    }

    /// A boat that the broker remembers, and two devices: one reports each second, one each 20 seconds and goes offline.
    private static let script: [ScriptStep] = {
        var known = Location(
            coordinate: Coordinate(latitude: 52, longitude: 13), fix: .twoD,
            timestamp: .testEpoch.advanced(by: .seconds(-3600)), device: "owntracks/carl/ship")
        known.received = .testEpoch
        var script: [ScriptStep] = [.searching(.connected(release: nil)), .notice(.lastKnown(known))]
        for second in 0..<60 {
            script.append(fix(second, car, metres: Double(second) * 10))
            if second % 20 == 0 { script.append(fix(second, boat, metres: 5000)) }
            if second == 50 { script.append(.searching(.deviceLost(path: boat), device: boat)) }
            script.append(.wait(.seconds(1)))
        }
        return script + [.end]
    }()

    private func run(
        _ line: String, _ script: [ScriptStep] = Self.script, columns: Int? = nil
    ) async throws -> CommandTrial.Result {
        let clock = ManualClock()
        let fleet = ScriptedFleet(base: ScriptedLocationSource(script, clock: clock))
        return try await CommandTrial(provider: fleet, clock: clock, columns: columns).run(line)
    }

    @Test func `a notice follows the line of the search, which has the time of the beginning`() async throws {
        let script: [ScriptStep] = [
            .searching(.connected(release: nil)), .wait(.seconds(5)),
            .notice(.message("no device so far matches lorry*; seen were owntracks/anna/boat, owntracks/anna/truck1")),
            .wait(.seconds(3)), .end,
        ]
        let lines = try await run("mqtt://h/owntracks/+/+", script, columns: 60).lines
        #expect(lines.map { $0.split(separator: " ").dropFirst().first ?? "" } == ["UTC", "searching", "notice"])
        let times = lines.dropFirst().map { $0.prefix(8) }
        #expect(times.first?.hasSuffix("00") == true && times.last?.hasSuffix("05") == true, "\(lines)")
        // A sentence that does not fit loses its end.
        #expect(lines.last?.contains("no device so far matches lorry*; seen") == true, "\(lines)")
    }

    @Test func `watch prints every device with its states by default, and no handovers`() async throws {
        let result = try await run("watch -j mqtt://localhost")
        #expect(try result.objects("location").count == 63)
        let states = try result.texts("deviceState", "device", "reason")
        #expect(states == ["\(Self.car) fix", "\(Self.boat) fix", "\(Self.boat) deviceLost"])
        #expect(try result.objects("handover").isEmpty)
        #expect(try result.texts("lastKnown", "device") == ["owntracks/carl/ship"])
    }

    @Test(arguments: ["-j", "", "-s", "--csv", "--csv -s"])
    func `a source that turns out to be a fleet, such as a recording from a pipe, has the lines of each device too`(
        options: String
    ) async throws {
        let known = try await run("watch -q --utc \(options) mqtt://localhost")
        let found = try await run("watch -q --utc \(options) localhost")
        func lines(_ result: CommandTrial.Result) -> [String] {
            result.lines.filter { $0.contains(Self.car) || $0.contains(Self.boat) }
        }
        #expect(lines(found) == lines(known) && lines(found).count >= 3, "\(found.output)")
    }

    @Test(arguments: ["boat", "bo?t", "*/bob/*", "owntracks/bob/boat"])
    func `a pattern selects devices`(pattern: String) async throws {
        let result = try await run("watch -j --device \(pattern) mqtt://localhost")
        #expect(try Set(result.texts("location", "device")) == [Self.boat])
        let once = try await run("once -f %{device} --device \(pattern) mqtt://localhost")
        #expect(once.output == Self.boat + "\n")
        #expect(once.code == .done)
    }

    @Test(arguments: [(80, "  …tracks/anna/car"), (nil, "  owntracks/anna/car")])
    func `text names the end of a topic on a terminal, and all of it in a pipe`(columns: Int?, name: String)
        async throws
    {
        let result = try await run("watch --utc -n 2 mqtt://localhost", columns: columns)
        #expect(result.lines.contains { $0.hasSuffix(name) }, "\(result.output)")
    }

    /// Positions of the car that were sent `age` seconds after their times, one a second.
    private static func sentLate(_ age: Int) -> [ScriptStep] {
        let positions = (0..<5).flatMap { second in
            [fix(second - age, car) { $0.received = .testEpoch.advanced(by: .seconds(second)) }, .wait(.seconds(1))]
        }
        return [.searching(.connected(release: nil))] + positions + [.end]
    }

    @Test func `a position that a device sends long after its time is late, and changes no state`() async throws {
        let result = try await run("watch -j mqtt://localhost", Self.sentLate(86_400))
        #expect(try result.texts("location", "standing") == Array(repeating: "late", count: 5))
        #expect(try result.objects("deviceState").isEmpty)
        let text = try await run("watch mqtt://localhost", Self.sentLate(86_400), columns: 120)
        #expect(text.lines.count { $0.contains("  late") } == 5, "\(text.output)")
        let young = try await run("watch -j mqtt://localhost", Self.sentLate(600))
        #expect(try young.texts("location", "standing") == Array(repeating: "", count: 5))
        #expect(try young.texts("deviceState", "reason") == ["fix"])
    }

    @Test func `once does not tell where a device was yesterday, unless a limit of the age admits it`() async throws {
        let line = "once --fence home=\(Self.home)"
        let result = try await run("\(line) mqtt://localhost", Self.sentLate(86_400))
        #expect(result.code == .noFix)
        #expect(result.errors.contains("no position younger than 10 min; the newest is 1 d old"), "\(result.errors)")
        #expect(try await run("\(line) --max-age 2d mqtt://localhost", Self.sentLate(86_400)).code == .done)
    }

    @Test(arguments: [(86_400, "  1 d", "last known"), (-90_000, "  1 d 1 h ahead  ", "")])
    func `the list of devices has a position that was sent late as the last known one, and no negative age`(
        age: Int, words: String, state: String
    ) async throws {
        let result = try await run("devices -x 4s mqtt://localhost", Self.sentLate(age))
        let line = try #require(result.lines(with: "anna/car").first)
        #expect(line.contains(words) && line.hasSuffix(state), "\(result.output)")
    }

    @Test func `text begins with the broker, whatever device comes first`() async throws {
        let script: [ScriptStep] = [
            .searching(.connected(release: nil)), .searching(.deviceLost(path: Self.boat), device: Self.boat),
            .wait(.seconds(1)), .end,
        ]
        let result = try await run("watch mqtt://localhost", script)
        #expect(result.lines.last?.hasSuffix("the fleet owntracks/+/+ at localhost:1883") == true, "\(result.output)")
        let verbose = try await run("watch -j -v mqtt://localhost", script)
        #expect(verbose.errors.contains("connected to the broker at localhost:1883"), "\(verbose.errors)")
    }

    @Test func `each device has its own fences`() async throws {
        var script = [Self.fix(0, Self.car, metres: 0), Self.fix(0, Self.boat, metres: 900)]
        for second in 1..<10 {
            script += [
                .wait(.seconds(1)), Self.fix(second, Self.car, metres: Double(second) * 100),
                Self.fix(second, Self.boat, metres: 900 - Double(second) * 100),
            ]
        }
        let result = try await run("watch -j --fence home=\(Self.home) mqtt://localhost", script + [.end])
        let changes = try result.texts("fence", "device", "change")
        #expect(changes == ["\(Self.car) inside", "\(Self.car) exit", "\(Self.boat) enter"])
        let text = try await run("watch --fence home=\(Self.home) mqtt://localhost", script + [.end])
        #expect(text.output.contains("\(Self.boat): entered home\n"), "\(text.output)")
    }

    @Test func `a fence event of the device itself is printed like any other`() async throws {
        let event = FenceEvent(
            fence: "office", device: Self.car, kind: .enter, moment: Moment(elapsed: .zero, wall: .testEpoch),
            coordinate: Coordinate(latitude: 52, longitude: 13))
        let result = try await run("watch -j mqtt://localhost", [.notice(.fence(event)), .end])
        #expect(try result.texts("fence", "device", "change", "fence") == ["\(Self.car) enter office"])
    }

    @Test func `a recording of a fleet plays as a fleet, with the same positions and losses`() async throws {
        let scratch = try Scratch()
        let file = scratch.path("fleet.json")
        let recorded = try await run("record \(file) mqtt://localhost")
        #expect(recorded.code == .done, "\(recorded.errors)")
        let live = try await run("watch -j mqtt://localhost")
        let replay = try await CommandTrial().run("watch -j --pace max \(file)")
        for (event, key) in [("location", "time"), ("deviceState", "reason")] {
            #expect(try replay.texts(event, "device", key) == live.texts(event, "device", key))
        }
        #expect(try replay.objects("handover").isEmpty)
        let again = try await CommandTrial().run("once -f %{device} --device b* \(file)")
        #expect(again.output == Self.boat + "\n")
    }

    @Test(arguments: ["", " -q", " -j"])
    func `devices that are never heard of end with the code of the failure`(option: String) async throws {
        let denied = LocationError.denied(what: "the connection to the broker", cause: "not authorized")
        let script: [ScriptStep] = [.error(denied), .wait(.seconds(5)), .end]
        let result = try await run("devices --follow -x 2s\(option) mqtt://broker.example/", script)
        #expect(result.code == .denied, "\(result.errors)")
        #expect(!result.errors.contains("did not answer in time"), "\(result.errors)")
        let said = result.errors.components(separatedBy: "not authorized").count - 1
        #expect(said == (option == " -j" ? 0 : 1), "\(result.errors)")
    }

    @Test func `a recording can contain more devices than a gpsd has receivers`() async throws {
        let scratch = try Scratch()
        let file = scratch.path("fleet.json")
        let script = (0..<600).map { Self.fix(0, "owntracks/fleet/d\($0)") }
        _ = try await run("record \(file) mqtt://localhost", script + [.wait(.seconds(1)), .end])
        let replay = try await CommandTrial().run("watch -j --pace max \(file)")
        #expect(try Set(replay.texts("location", "device")).count == 600)
    }

    @Test func `export writes a track for each device, which a slow device does not split`() async throws {
        var script: [ScriptStep] = []
        for report in 0..<6 {
            script += [Self.fix(report * 600, Self.boat), Self.fix(report * 600, Self.car), .wait(.seconds(600))]
        }
        let result = try await run("export gpx mqtt://localhost", script + [.end])
        #expect(result.output.components(separatedBy: "<trk>").count == 3, "\(result.output)")
        #expect(result.output.components(separatedBy: "<trkseg>").count == 3)
        let nmea = try await run("export nmea --device boat mqtt://localhost")
        #expect(nmea.code == .done, "\(nmea.errors)")
        #expect(nmea.lines.count { $0.dropFirst(3).hasPrefix("RMC") && $0.contains(",A,") } == 3)
    }

    @Test func `stats has a row for each device`() async throws {
        let result = try await run("stats mqtt://localhost", columns: 120)
        #expect(result.lines.contains { $0.hasPrefix(Self.car) && $0.contains(" 60 ") }, "\(result.output)")
        #expect(result.lines.contains { $0.hasPrefix(Self.boat) && $0.contains("20 s") })
        #expect(result.lines.contains { $0.hasPrefix("2 devices, 63 positions in ") })
        let json = try await run("stats -j mqtt://localhost")
        let receivers = try #require(try json.objects("stats").first?["receivers"] as? [[String: Any]])
        #expect(receivers.compactMap { $0["epochs"] as? Int } == [60, 3])
        #expect(try json.objects("stats").first?["motion"] == nil)
    }

    @Test(arguments: [120, 40])
    func `devices shows each device with its age and state, and no part of a position or of a state`(columns: Int)
        async throws
    {
        let lines = try await run("devices -x 55s mqtt://localhost", columns: columns).lines
        #expect(lines.count == 4 && lines.allSatisfy { $0.count <= columns }, "\(lines)")
        for (row, state) in zip(lines.dropFirst(), ["found", "offline", "last known"]) {
            #expect(row.hasSuffix(state), "\(lines)")
        }
        guard columns == 120 else { return #expect(!lines[0].contains("POSITION"), "\(lines)") }
        let names = lines.dropFirst().map { String($0.prefix { $0 != " " }) }
        #expect(names == [Self.car, Self.boat, "owntracks/carl/ship"] && lines[3].contains("1 h"), "\(lines)")
        let json = try await run("devices -j -x 55s mqtt://localhost")
        let ship = "owntracks/carl/ship searching unknown"
        let states = try json.texts("device", "device", "state", "activity")
        #expect(states == ["\(Self.car) found reporting", "\(Self.boat) searching gone", ship])
    }

    @Test func `devices -j prints a line for each of several thousand devices, and loses none`() async throws {
        let script = (0..<4000).map { Self.fix(0, "owntracks/fleet/device-\($0)") }
        let result = try await run("devices -j mqtt://localhost", script + [.wait(.seconds(1)), .end])
        #expect(result.code == .done && result.errors.isEmpty, "\(result.errors)")
        #expect(try result.texts("device", "device").count == 4000)
        #expect(try result.objects("notice").isEmpty)
    }

    @Test(arguments: ["-j", ""])
    func `devices --follow prints each device at most once per second`(format: String) async throws {
        var script: [ScriptStep] = []
        for tick in 0..<100 {
            script += [
                Self.fix(tick / 10, Self.car) { $0.timestamp = .testEpoch.advanced(by: .milliseconds(tick * 100)) },
                .wait(.milliseconds(100)),
            ]
        }
        let result = try await run("devices --follow \(format) mqtt://localhost", script + [.end])
        #expect(result.lines(with: Self.car).count == 10, "\(result.output)")
    }

    @Test(arguments: ["watch --no-reconnect", "once", "devices", "stats -x 5s", "record - -x 5s"])
    func `a broker that cannot be reached has its own exit code`(command: String) async throws {
        let failure = LocationError.broker(address: "localhost:1883", cause: "Connection refused")
        let step: ScriptStep = command.hasSuffix("5s") ? .error(failure) : .endThrowing(failure)
        let result = try await run("\(command) mqtt://localhost", [step, .hang])
        #expect(result.code == .unavailable, "\(result.errors)")
        #expect(result.errors.contains("the broker at localhost:1883: Connection refused"))
    }

    @Test(arguments: [
        ("", "no device has published"), ("--device b*", "no device that matches b* has published a position"),
    ])
    func `devices succeeds for a fleet without devices, or without one that matches a pattern`(
        option: String, words: String
    ) async throws {
        let script: [ScriptStep] = [.searching(.connected(release: nil)), .wait(.seconds(9))]
        let result = try await run("devices \(option) mqtt://localhost", script)
        #expect(result.code == .done && result.errors.contains(words), "\(result.errors)")
    }
}
