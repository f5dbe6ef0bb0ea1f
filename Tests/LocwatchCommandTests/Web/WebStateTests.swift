import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal
@testable import LocwatchCommand

@Suite(.serialized, .alone) struct WebStateTests {
    private let good = "/dev/good"
    private let poor = "/dev/poor"

    private func fix(_ seconds: Double, _ device: String) -> LocationUpdate {
        var location = ScriptedSession.location(seconds, latitude: device == good ? 45 : 46)
        location.device = device
        location.horizontalAccuracy = device == good ? 3 : 300
        return LocationUpdate(.location(location), at: ScriptedSession.moment(seconds))
    }

    /// Returns the state after updates and the deadlines before `end`.
    private func state(_ updates: [LocationUpdate], until end: Double) -> WebState {
        var (state, tracker) = (WebState(.standard, Settings()), UpdateTracker())
        func take() { while let next = tracker.next() { _ = state.process(next, tracker.view) } }
        func expire(until moment: Moment) {
            while let deadline = tracker.deadline, deadline <= moment {
                tracker.expire(at: deadline)
                take()
            }
        }
        for update in updates {
            expire(until: update.moment)
            tracker.process(update)
            take()
        }
        expire(until: ScriptedSession.moment(end))
        return state
    }

    private func objects(_ snapshot: [[UInt8]]) throws -> [[String: Any]] {
        try snapshot.map { try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]) }
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
            LocationUpdate(.notice(.message("\(number)")), at: ScriptedSession.moment(19.6))
        }
        let state = state(handover + notices, until: 20)
        let snapshot = state.lines
        var reader = LineReader()
        try reader.read(snapshot, isNews: false)
        #expect(reader.shown == ShownPosition(device: poor, latitude: 46))
        let positions = try objects(snapshot).filter { $0["lat"] != nil }
        #expect(positions.map { $0["device"] as? String } == [good, poor])
        #expect(positions.map { $0["event"] as? String } == ["lastKnown", "location"])
        #expect(positions.map { $0["standing"] as? String } == [nil, "current"])
    }

    @Test func `a new reader is shown a position that is not current as the last known one`() throws {
        for (end, event) in [(1.5, "location"), (300, "lastKnown")] {
            let state = state([fix(1, good)], until: end)
            let lines = state.lines
            let positions = try objects(lines).filter { $0["lat"] != nil }
            #expect(positions.map { $0["event"] as? String } == [event])
            #expect(positions[0]["standing"] == nil && positions[0]["received"] != nil)
        }
    }

    @Test func `a position that a device of a fleet sent long after its time is its last known one`() throws {
        var (state, tracker) = (WebState(.standard, Settings()), UpdateTracker(namesSubjects: true))
        for second in 0..<3 {
            var location = ScriptedSession.location(Double(second - 3600), latitude: 45 + Double(second))
            location.device = "owntracks/anna/boat"
            location.received = ScriptedSession.moment(Double(second)).wall
            tracker.process(LocationUpdate(.location(location), at: ScriptedSession.moment(Double(second))))
            while let next = tracker.next() { _ = state.process(next, tracker.view) }
        }
        #expect(state.location == nil)
        let positions = try objects(state.lines).filter { $0["lat"] != nil }
        #expect(positions.map { $0["event"] as? String } == ["lastKnown"])
        #expect(positions.map { $0["lat"] as? Double } == [47])
    }

    @Test func `the current position after a handover is that of the new receiver before it reports again`() throws {
        let updates = handover.filter { $0.moment <= ScriptedSession.moment(5) }
        let state = state(updates + [fix(6.9, poor)], until: 7.2)
        #expect(try ShownPosition(json: state.location) == ShownPosition(device: poor, latitude: 46))
        #expect(state.log(of: "handover") == 1)
    }

    @Test func `the position of the only receiver has no standing, and a late one is not shown`() throws {
        var late = fix(2, good)
        if case .location(var location) = late.event {
            location.isLate = true
            location.coordinate = Coordinate(latitude: 10, longitude: 7)
            late = LocationUpdate(.location(location), at: late.moment)
        }
        let state = state([fix(1, good), late], until: 2)
        let positions = try objects(state.lines).filter { $0["event"] as? String == "location" }
        #expect(positions.map { $0["lat"] as? Double } == [45] && positions[0]["standing"] == nil)
    }
}

extension WebState {
    /// Returns the number of lines for an event that a new reader receives.
    fileprivate func log(of event: String) -> Int {
        lines.count { String(decoding: $0, as: UTF8.self).hasPrefix(#"{"event":"\#(event)""#) }
    }
}
