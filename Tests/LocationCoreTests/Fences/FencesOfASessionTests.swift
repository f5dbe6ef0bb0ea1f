import LocationCore
import LocationTesting
import Testing

/// Tests of interfaces that give the position, the state and the fences of one session.
@Suite struct FencesOfASessionTests {
    private let clock = ManualClock()
    private let source: ScriptedLocationSource
    private let log = EventLog<String>()
    private let fences: FenceList

    init() throws {
        fences = FenceList([try .circle(latitude: 0, longitude: 0)])
        source = ScriptedLocationSource(clock: clock)
    }

    /// Follows a provider, and returns the positions, the changes of state, and the events with whether it is inside.
    private func follow(_ provider: some LocationProvider) async throws -> [String] {
        var iterator = provider.tracked(fences: fences).makeAsyncIterator()
        var words: [String] = []
        #expect(iterator.view.isInside("home") == nil)
        while let next = try await iterator.next() {
            let word: String? =
                switch next {
                case .update(let update, _): update.location.map { "position \($0.coordinate.latitude)" }
                case .transition(let change): change.reason.code
                case .fence(let event): "\(event.kind) \(iterator.view.isInside(event.fence) == true)"
                default: nil
                }
            if let word { words.append(word) }
        }
        return words
    }

    @Test func `one session gives positions, states and the events of fences, and answers whether it is inside`()
        async throws
    {
        let source = ScriptedLocationSource(
            [.location(1, 0), .wait(.seconds(1)), .location(0, 0), .wait(.seconds(1)), .location(0, 0), .end],
            clock: clock)
        let following = Task { try await follow(source) }
        #expect(
            try await clock.advance(untilEndOf: following) == [
                "fix", "outside false", "position 1.0", "enter true", "position 0.0", "position 0.0",
            ])
        #expect(source.calls.count { $0 == .started(.everything) } == 1)
    }

    @Test func `a recorder keeps the events of fences`() async throws {
        let recorder = LocationRecorder(source, fences: fences)
        source.forceLocation(0, 0)
        source.end()
        #expect(try await recorder.untilEnded().fenceEvents.map(\.kind) == [.inside])
    }

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
}
