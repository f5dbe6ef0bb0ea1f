import Foundation
import LocationCore
import LocationTesting
import LocwatchSupport
import TestSupport
import Testing

@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .withClocks) struct SessionMetricsTests {
    private static func metrics(_ updates: some Sequence<TrackedUpdate>) -> SessionMetrics {
        var metrics = SessionMetrics()
        for update in updates { metrics.process(update, SessionView()) }
        return metrics
    }

    /// The sessions while it has a position, and after its end.
    @Test func `the metrics of a session are as the golden file`() throws {
        var metrics = Self.metrics(ScriptedSession.updates.prefix(8) + [Self.found])
        metrics.note("ho\u{7}me", isInside: true, device: nil)
        metrics.note("work", isInside: nil, device: nil)
        try Golden.expect(metrics.text.text, is: "metrics.prom")
        metrics.end()
        try Golden.expect(metrics.text.text, is: "metrics-end.prom")
    }

    @Test
    func `a position with corrections has its status, their age and their station, and their source has a series`() {
        let location = with(ScriptedSession.location(21)) {
            $0.quality = .rtkFixed
            ($0[.dgpsAge], $0[count: .dgpsStation]) = (1.5, 77)
        }
        let arriving = CorrectionsStatus(source: "ntrip://joe@caster:2101/M")
        let lost = CorrectionsStatus(source: "ntrip://joe@caster:2101/M", fault: .closed)
        for (status, value) in [(arriving, 1), (lost, 0)] {
            let text = Self.metrics([
                .update(LocationUpdate(.notice(.corrections(status)), at: 20), .current),
                .update(LocationUpdate(.location(location), at: 21), .current),
            ]).text.text
            for line in [
                "locwatch_fix_status{device=\"/dev/ttyACM0\"} 3",
                "locwatch_correction_age_seconds{device=\"/dev/ttyACM0\"} 1.5",
                "locwatch_correction_station{device=\"/dev/ttyACM0\"} 77",
                "locwatch_corrections_arriving{source=\"ntrip://joe@caster:2101/M\"} \(value)",
            ] {
                #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)")
            }
        }
    }

    @Test func `the judgement of a device has a level and a series for each reason`() {
        let change = IntegrityChange(
            device: "/dev/ttyACM0", from: .nominal, to: .alarm, reasons: [.jump, .uniform],
            at: ScriptedSession.moment(21))
        var metrics = Self.metrics(ScriptedSession.updates.prefix(8) + [Self.found, .integrity(change)])
        let text = metrics.text.text
        #expect(text.contains("locwatch_integrity{device=\"/dev/ttyACM0\"} 2\n"))
        #expect(text.contains("locwatch_integrity_reason{device=\"/dev/ttyACM0\",reason=\"jump\"} 1\n"))
        #expect(text.contains("locwatch_integrity_reason{device=\"/dev/ttyACM0\",reason=\"uniform\"} 1\n"))
        metrics.end()
        #expect(!metrics.text.text.contains("locwatch_integrity{"))
    }

    private static func change(to state: LocationState, at second: Double) -> TrackedUpdate {
        .deviceTransition(
            StateChange(
                from: .searching(.starting), to: state, at: ScriptedSession.moment(second), lasted: .zero,
                device: "/dev/ttyACM0"))
    }

    private static let found = change(to: .found(ScriptedSession.location(21)), at: 21)

    @Test func `a position that is lost is an absent series, and the time of the last fix stays`() {
        var metrics = Self.metrics([.update(LocationUpdate(.location(ScriptedSession.location(1)), at: 1)), Self.found])
        #expect(metrics.text.text.containsBytes(of: "locwatch_latitude_degrees{device=\"/dev/ttyACM0\"} 45.073612\n"))
        metrics.process(Self.change(to: .searching(.noDevice), at: 3), SessionView())
        let text = metrics.text.text
        #expect(!text.containsBytes(of: "latitude"))
        #expect(!text.containsBytes(of: "nan"))
        #expect(text.containsBytes(of: "locwatch_device_found{device=\"/dev/ttyACM0\"} 0\n"))
        #expect(text.containsBytes(of: "locwatch_last_fix_timestamp_seconds{device=\"/dev/ttyACM0\"} 1795179731\n"))
    }

    @Test func `the offset of the clock is that of the pulse and that of the message`() {
        let time = ScriptedSession.time(1)
        func sample(_ source: ClockSample.Source, _ offset: Duration) -> TrackedUpdate {
            let sample = ClockSample(
                source, device: "/dev/ttyACM0", receiverTime: time, hostTime: time.advanced(by: offset))
            return .update(LocationUpdate(.clock(sample), at: 1))
        }
        let metrics = Self.metrics([sample(.pulse, .microseconds(-250)), sample(.message, .milliseconds(125))])
        let name = "locwatch_clock_offset_seconds{device=\"/dev/ttyACM0\",source="
        #expect(metrics.text.text.containsBytes(of: "\(name)\"pps\"} -0.00025\n\(name)\"toff\"} 0.125\n"))
    }

    @Test func `names and numbers from outside break no line and repeat no series`() {
        var names = ["", "a\"b\\c\n", "a\"b\\c\\n", "x\u{1B}[2J", String(repeating: "n", count: 300)]
        names += (0..<SessionMetrics.deviceLimit).map { "d\($0)" }
        var events = names.map { name in
            LocationEvent.location(
                with(ScriptedSession.location(1)) {
                    ($0.device, $0.horizontalAccuracy, $0.speed) = (name, .infinity, .nan)
                })
        }
        let twice = Satellite(constellation: .gps, number: 5, signal: 40)
        events.append(.satellites(SkyView(satellites: [twice, twice, Satellite(signal: 3)], device: names[1])))
        events += [nil, ""].map { .satellites(SkyView(satellites: nil, seen: 3, device: $0)) }
        let metrics = Self.metrics(events.map { .update(LocationUpdate($0, at: 1)) })
        let text = metrics.text.text
        let series = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            $0[..<($0.lastIndex(of: " ") ?? $0.endIndex)]
        }
        #expect(Set(series).count == series.count)
        #expect(!series.contains { $0.hasPrefix("locwatch_speed") || $0.hasPrefix("locwatch_horizontal_error") })
        #expect(series.contains(#"locwatch_satellite_signal_dbhz{device="a\"b\\c\\n",gnss="GPS",sv="5"}"#))
        #expect(series.contains("locwatch_latitude_degrees"))
        #expect(series.contains("locwatch_satellites_seen"))
        #expect(!text.containsBytes(of: "\u{1B}"))
        #expect(metrics.devices.count == SessionMetrics.deviceLimit)
        #expect(metrics.unlistedReports == 4)
    }

    @Test func `a name of 256 bytes is a label, and a longer one counts as not listed`() {
        for (length, isListed) in [(256, true), (257, false)] {
            let location = with(ScriptedSession.location(1)) { $0.device = String(repeating: "n", count: length) }
            let metrics = Self.metrics([.update(LocationUpdate(.location(location), at: 1))])
            #expect(metrics.devices.count == (isListed ? 1 : 0), "\(length)")
            #expect(metrics.unlistedReports == (isListed ? 0 : 1), "\(length)")
        }
    }

    @Test func `satellites are counted by constellation, in the order of gpsd, and those without one come last`() {
        let satellites = [
            Satellite(number: 40), Satellite(constellation: .galileo, number: 5),
            Satellite(constellation: .gps, number: 5),
        ]
        let sky = LocationUpdate(.satellites(SkyView(satellites: satellites)), at: 1)
        let lines = Self.metrics([.update(sky)]).text.text.split(separator: "\n")
        let seen = lines.filter { $0.hasPrefix("locwatch_satellites_seen{") }
        #expect(
            seen == ["GPS", "Galileo", "unknown"].map { "locwatch_satellites_seen{gnss=\"\($0)\"} 1" }, "\(seen)")
    }

    @Test func `each device of a fleet has a series for each fence, which follows its positions`() throws {
        let circle = Fence.Shape.circle(center: Coordinate(latitude: 45, longitude: 7), radius: 100)
        let fences = FenceList(try ["f0", "f1"].map { try Fence(name: $0, shape: circle) })
        var (metrics, tracker) = (SessionMetrics(), Tracker(fences: fences))
        let positions =
            [(1, "a", 45), (2, "b", 46), (3, "a", 46), (4, "b", 46), (5, "b", 45)] as [(Double, String, Double)]
        let updates = positions.map { second, device, latitude in
            let location = ScriptedSession.location(second, latitude: latitude, longitude: 7)
            return LocationUpdate(.location(with(location) { $0.device = device }), at: second)
        }
        tracker.play(updates.ofFleet()) { metrics.process($0, $1) }
        #expect(metrics.fences.count == 4)
        for (place, isInside) in metrics.fences { #expect(isInside == (place.device == "b")) }
    }

    @Test func `metrics replace earlier ones, and no other file`() async throws {
        let scratch = try Scratch()
        let steps = [ScriptStep.location(ScriptedSession.location(1)), .end]
        for _ in 0..<2 {
            let run = try await CommandTrial.run("watch -q --metrics-file \(scratch.path("m.prom")) x", steps)
            #expect(run.code == .done, "\(run.errors)")
        }
        let keys = try scratch.write("ssh-ed25519 AAAA anna\n", to: "authorized_keys").path
        let result = try await CommandTrial.run("watch -q --metrics-file \(keys) x", steps)
        let reason = "it is not empty, and not metrics of locwatch"
        #expect(result == .init(code: .cannotCreate, errors: "locwatch: cannot write to \(keys): \(reason)\n"))
        #expect(try scratch.text("authorized_keys") == "ssh-ed25519 AAAA anna\n")
    }

    @Test func `a file that cannot be written ends the command before the session`() async throws {
        let result = try await CommandTrial.run("watch --metrics-file /nonexistent/x.prom x", [.end])
        let reason = "locwatch: cannot create /nonexistent/x.prom: No such file or directory\n"
        #expect(result == .init(code: .cannotCreate, errors: reason))
    }
}
