import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchCommand

@Suite struct WebStateTests {
    private let good = "/dev/good"
    private let poor = "/dev/poor"

    private func fix(_ seconds: Double, _ device: String) -> LocationUpdate {
        let location = with(ScriptedSession.location(seconds, latitude: device == good ? 45 : 46)) {
            ($0.device, $0.horizontalAccuracy) = (device, device == good ? 3 : 300)
        }
        return LocationUpdate(.location(location), at: seconds)
    }

    /// Returns the state after updates and the deadlines before `end`.
    private func state(_ updates: [LocationUpdate], until end: Double) -> WebState {
        var (state, tracker) = (WebState(.standard, Settings()), Tracker())
        tracker.play(updates, until: ScriptedSession.moment(end)) { _ = state.process($0, $1) }
        return state
    }

    /// Returns the positions with which a new reader begins.
    private func positions(_ state: WebState) throws -> [[String: Any]] {
        let objects = try state.lines.map { try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
        return objects.compactMap(\.self).filter { $0["lat"] != nil }
    }

    /// The good receiver falls silent after five seconds, and the other one replaces it.
    private var handover: [LocationUpdate] {
        (0..<20).flatMap { second in
            (second < 5 ? [fix(Double(second), good)] : []) + [fix(Double(second) + 0.5, poor)]
        }
    }

    @Test(arguments: [0, 500])
    func `a page that is loaded after a handover shows the new receiver, also much later`(count: Int) throws {
        let notices = (0..<count).map { number in
            LocationUpdate(.notice(.message("\(number)")), at: 19.6)
        }
        let state = state(handover + notices, until: 20)
        var reader = LineReader()
        try reader.read(state.lines, isNews: false)
        #expect(reader.shown == ShownPosition(device: poor, latitude: 46))
        let positions = try positions(state)
        #expect(positions.map { $0["device"] as? String } == [good, poor])
        #expect(positions.map { $0["event"] as? String } == ["lastKnown", "location"])
        #expect(positions.map { $0["standing"] as? String } == [nil, "current"])
    }

    @Test func `a new reader is shown a position that is not current as the last known one`() throws {
        for (end, event) in [(1.5, "location"), (300, "lastKnown")] {
            let positions = try positions(state([fix(1, good)], until: end))
            #expect(positions.map { $0["event"] as? String } == [event])
            #expect(positions[0]["standing"] == nil && positions[0]["received"] != nil)
        }
    }

    @Test func `a position that a device of a fleet sent long after its time is its last known one`() throws {
        var (state, tracker) = (WebState(.standard, Settings()), Tracker())
        let updates = [0.0, 1, 2].map { second in
            let location = with(ScriptedSession.location(second - 3600, latitude: 45 + second)) {
                ($0.device, $0.received) = ("owntracks/anna/boat", ScriptedSession.time(second))
            }
            return LocationUpdate(.location(location), at: second)
        }
        tracker.play(updates.ofFleet()) { _ = state.process($0, $1) }
        #expect(state.location == nil)
        let positions = try positions(state)
        #expect(positions.map { $0["event"] as? String } == ["lastKnown"])
        #expect(positions.map { $0["lat"] as? Double } == [47])
    }

    @Test func `the position of the only receiver has no standing, and a late one is not shown`() throws {
        let late = with(ScriptedSession.location(2, latitude: 10)) { ($0.device, $0.isLate) = (good, true) }
        let state = state([fix(1, good), LocationUpdate(.location(late), at: 2)], until: 2)
        let positions = try positions(state).filter { $0["event"] as? String == "location" }
        #expect(positions.map { $0["lat"] as? Double } == [45] && positions[0]["standing"] == nil)
    }
}
