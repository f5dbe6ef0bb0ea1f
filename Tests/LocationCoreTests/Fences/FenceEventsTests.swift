import LocationCore
import LocationTesting
import Testing

@Suite struct FenceEventsTests {
    private let clock = ManualClock()

    private func words(_ event: FenceEvent) -> String { "\(event.kind) \(event.fence) at \(event.moment.elapsed)" }

    @Test func `positions become events of the fences`() async throws {
        let source = ScriptedLocationSource(
            [.location(45, 7), .location(46, 7), .location(46, 7), .location(45, 7), .end], clock: clock)
        let events = source.fenceEvents(for: [try .circle(), try .circle("office", latitude: 46)])
        #expect(
            try await events.reduce(into: []) { $0.append(words($1)) } == [
                "inside home at 0.0 seconds", "outside office at 0.0 seconds", "exit home at 0.0 seconds",
                "enter office at 0.0 seconds", "exit office at 0.0 seconds", "enter home at 0.0 seconds",
            ])
    }

    @Test func `a stay is an event on the session's clock, between two positions`() async throws {
        let source = ScriptedLocationSource([.location(45, 7)], clock: clock)
        let events = source.fenceEvents(for: [try .circle()], dwellAfter: .seconds(2)).prefix(2)
        let stay = Task { try await events.reduce(into: [String]()) { $0.append(words($1)) } }
        let expected = ["inside home at 0.0 seconds", "dwell home at 2.0 seconds"]
        #expect(try await clock.advance(untilEndOf: stay) == expected)
    }

    @Test func `a fence that is replaced is judged anew, and the same fence again changes nothing`() throws {
        var monitor = FenceMonitor(fences: [try .circle()])
        let here = Location(coordinate: Coordinate(latitude: 45, longitude: 7), horizontalAccuracy: 5)
        #expect(monitor.update(here, at: .after(.zero)).map(\.kind) == [.inside])
        monitor.add(try .circle())
        #expect(monitor.update(here, at: .after(.seconds(1))).isEmpty)
        monitor.add(try .circle(latitude: 45.0002))
        #expect(monitor.update(here, at: .after(.seconds(2))).map(\.kind) == [.inside])
        monitor.remove("home")
        monitor.remove("nothing")
        #expect(monitor.fences.isEmpty && monitor.isInside("home") == nil)
        #expect(monitor.update(here, at: .after(.seconds(3))).isEmpty)
    }
}
