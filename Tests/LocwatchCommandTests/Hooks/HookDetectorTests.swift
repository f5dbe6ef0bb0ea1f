import Foundation
import LocationCore
import LocwatchTerminal
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

@Suite struct HookDetectorTests {
    private func located(_ seconds: Double, _ latitude: Double = 45) -> LocationUpdate {
        let location = ScriptedSession.location(seconds, latitude: latitude, longitude: 7)
        return LocationUpdate(.location(location), at: seconds)
    }

    private func events(
        _ line: String, ofFleet isFleet: Bool = false, _ updates: [LocationUpdate], until end: Double? = nil
    ) throws -> [HookEvent] {
        let settings = try Invocation.of(line).settings
        var (detector, events) = (HookDetector(settings), [HookEvent]())
        var tracker = Tracker(fences: settings.sessionFences)
        tracker.play(updates.ofFleet(isFleet), until: end.map(ScriptedSession.moment)) { next, view in
            events += detector.events(of: next, view)
        }
        return events
    }

    private func names(_ events: [HookEvent]) -> [String] {
        events.map {
            ([$0.kind.rawValue] + [$0.fence, $0.device, $0.reason].compactMap(\.self)).joined(separator: " ")
        }
    }

    private static let all = "--on found=x --on lost=x --on error=x --on handover=x --on every=x "
    private static let fence = all + "--fence home=45,7,100 --on enter=x --on exit=x --on inside=x --on dwell=x "

    private static let lost = LocationUpdate(
        .searching(.noFix(seen: 3, used: 0, best: nil), device: "/dev/ttyACM0"), at: 3)

    @Test func `a stay and an attack run their hooks`() throws {
        let updates = (1...75).map { second in
            var location = ScriptedSession.location(Double(second), latitude: second < 72 ? 45 : 46, longitude: 7)
            location.speed = 0
            return LocationUpdate(.location(location), at: Double(second))
        }
        let events = try events("--on integrity=x --on alarm=x --on stationary=x --on moving=x", updates)
        #expect(
            names(events) == [
                "stationary /dev/ttyACM0", "integrity /dev/ttyACM0 jump", "alarm /dev/ttyACM0 jump",
                "moving /dev/ttyACM0",
            ])
        #expect(events[1].from == "nominal" && events[1].to == "alarm" && events[1].coordinate != nil)
        let json = String(decoding: events[2].json, as: UTF8.self)
        #expect(json.hasPrefix(#"{"event":"integrity""#) && json.contains(#""to":"alarm","reasons":["jump"]"#))
        #expect(try names(self.events("--on alarm=x", updates)) == ["alarm /dev/ttyACM0 jump"])
    }

    @Test func `a session has its events in order, each with its JSON`() throws {
        let connected = LocationUpdate(.searching(.connected(release: nil)), at: 0)
        let events = try events(Self.all, [connected, located(1), located(2), Self.lost, located(4)])
        #expect(
            names(events) == [
                "found /dev/ttyACM0 fix", "every /dev/ttyACM0", "every /dev/ttyACM0", "lost /dev/ttyACM0 noFix",
                "found /dev/ttyACM0 fix", "every /dev/ttyACM0",
            ])
        #expect(events[3].coordinate == Coordinate(latitude: 45, longitude: 7), "the last position")
        #expect((events[3].from, events[3].to) == ("found", "searching"))
        for event in events {
            let object = try JSONSerialization.jsonObject(with: Data(event.json)) as? [String: Any]
            #expect(object?["event"] as? String == (event.kind == .every ? "location" : "state"))
            #expect(event.json.last == UInt8(ascii: "\n"))
        }
    }

    @Test func `only events for which there is a hook are emitted, and a search is measured from the loss`() throws {
        let updates = [located(1), located(2), Self.lost, located(7)]
        #expect(try names(events("--on handover=x", updates)).isEmpty)
        #expect(try names(events("--on every=x", updates)) == Array(repeating: "every /dev/ttyACM0", count: 3))
        let found = try events("--on found=x", updates)
        #expect(names(found) == Array(repeating: "found /dev/ttyACM0 fix", count: 2))
        #expect(String(decoding: found[1].json, as: UTF8.self).contains(#""searchedFor":4"#))
    }

    @Test func `a silent receiver is lost, and its last position is known`() throws {
        let events = try events(Self.all, (1...5).map { located(Double($0)) }, until: 100)
        #expect(names(events).last == "lost /dev/ttyACM0 silent")
        #expect(events.last?.coordinate == Coordinate(latitude: 45, longitude: 7))
    }

    @Test func `an error is one event, however often the connection is tried`() throws {
        let error = LocationError.unreachable(host: "pi", port: 2947, cause: "refused")
        let attempts = (1...5).flatMap { number in
            let events: [LocationEvent] = [.searching(.connecting(attempt: number)), .failure(error)]
            return events.map { LocationUpdate($0, at: Double(number) * 2) }
        }
        let again = [
            LocationUpdate(.searching(.connected(release: nil)), at: 20), located(21),
            LocationUpdate(.failure(error), at: 22),
        ]
        #expect(
            try names(events(Self.all, attempts + again)) == [
                "error unreachable", "found /dev/ttyACM0 fix", "every /dev/ttyACM0",
                "lost /dev/ttyACM0 unreachable", "error unreachable",
            ])
    }

    @Test func `the variables of a fence have its distance and its bearing`() throws {
        let updates = [(1.0, 45.0), (2, 45.0001), (3, 45.01)].map { located($0, $1) }
        let events = try events("--fence anchor=here,40 --on inside=x --on exit=x", updates)
        let values = events.map { $0.environment([:], precision: .decimals(7)) }
        #expect(values.map { $0["LOCWATCH_EVENT_DISTANCE"] } == ["0", "1111.3"])
        #expect(values.map { $0["LOCWATCH_EVENT_BEARING"] } == [nil, "180"])
    }

    @Test func `starting inside a fence is not entering it`() throws {
        func fences(_ latitudes: [Double], until end: Double? = nil) throws -> [String] {
            try events(
                Self.fence.replacing("100 ", with: "100,60s "),
                latitudes.enumerated().map { located(Double($0.offset), $0.element) },
                until: end
            ).filter { $0.kind.concernsFence }.map(\.kind.rawValue)
        }
        #expect(try fences([45, 45.1, 45.1, 45]) == ["inside", "exit", "enter"])
        #expect(try fences([45.1, 45]) == ["enter"])
        #expect(try fences([45.1] + Array(repeating: 45, count: 70)) == ["enter", "dwell"])
        // The time of a stale position does not count.
        #expect(try fences([45.1, 45], until: 70) == ["enter"])
    }

    @Test func `every respects the options that choose positions, and other hooks do not`() throws {
        let updates = (1...10).map { located(Double($0)) }
        #expect(try events("--on every=x -a 1", updates).count { $0.kind == .every } == 0)
        #expect(try events("--on every=x -i 5s", updates).count { $0.kind == .every } < 4)
        #expect(try events("--on found=x -a 1", updates).count { $0.kind == .found } == 1)
    }

    @Test func `every with an interval is one position in that time, beside every and the options of positions`() throws
    {
        let updates = (0...40).map { located(Double($0)) }
        func times(_ line: String) throws -> [[Double]] {
            var times: [Duration?: [Double]] = [:]
            for event in try events(line, updates) where event.kind == .every {
                let second = try #require(event.time).since(ScriptedSession.time(0)).inSeconds
                times[event.interval, default: []].append(second)
            }
            return times.sorted { ($0.key ?? .zero) < ($1.key ?? .zero) }.map(\.value)
        }
        #expect(try times("--on every/10s=x") == [[0, 10, 20, 30, 40]])
        #expect(
            try times("--on every/15s=x --on every/10s=y --on every/10s=z") == [[0, 10, 20, 30, 40], [0, 15, 30]])
        #expect(try times("--on every=x --on every/20s=y").map(\.count) == [41, 3])
        #expect(try times("--on every/10s=x -i 20s") == [[0, 20, 40]])
        #expect(try times("--on every/10s=x -a 1").isEmpty)
    }

    @Test func `positions that are too inaccurate for an anchor for 30 s run a hook, with their JSON`() throws {
        let updates = (0...40).map { second in
            var location = ScriptedSession.location(Double(second), latitude: 45, longitude: 7)
            location.horizontalAccuracy = 41
            return LocationUpdate(.location(location), at: Double(second))
        }
        let events = try events("--fence anchor=here,20 --on undecided:anchor=x", updates)
        #expect(names(events) == ["undecided anchor"])
        #expect(events.first?.environment([:], precision: .full)["LOCWATCH_EVENT"] == "undecided")
        let json = String(decoding: events.first?.json ?? [], as: UTF8.self)
        #expect(json.contains(#""event":"fence""#) && json.contains(#""change":"undecided""#), "\(json)")
    }

    @Test func `each device of a fleet has its own events, also those of its own fences`() throws {
        func of(_ device: String, _ seconds: Double) -> LocationUpdate {
            var location = ScriptedSession.location(seconds)
            location.device = device
            return LocationUpdate(.location(location), at: seconds)
        }
        let own = FenceEvent(
            fence: "$(reboot)", device: "b", kind: .enter, moment: ScriptedSession.moment(3),
            coordinate: Coordinate(latitude: 45, longitude: 7))
        let events = try events(
            "--on found=x --on every=x --on enter=x --fence far=10,10,10", ofFleet: true,
            [of("a", 1), of("b", 2), of("a", 3), LocationUpdate(.notice(.fence(own)), at: 3)])
        #expect(names(events) == ["found a fix", "every a", "found b fix", "every b", "every a", "enter $(reboot) b"])
        #expect(String(decoding: events[0].json, as: UTF8.self).contains("deviceState"))
    }
}
