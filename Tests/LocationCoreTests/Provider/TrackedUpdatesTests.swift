import LocationCore
import LocationTesting
import TestSupport
import Testing

@Suite struct TrackedUpdatesTests {
    private let clock = ManualClock()

    @Test func `an error lasts until the source answers, however often it is tried`() async throws {
        let refused = LocationError.unreachable(host: "localhost", port: 2947, cause: "refused")
        let source = ScriptedLocationSource(
            [
                .searching(.connecting(attempt: 1)), .error(refused), .searching(.connecting(attempt: 2)),
                .error(refused), .searching(.connecting(attempt: 3)), .searching(.connected(release: "3.22")),
                .location(Sample.gate), .end,
            ], clock: clock)
        let codes = try await source.states().reduce(into: []) { $0.append($1.reason.code) }
        #expect(codes == ["connecting", "unreachable", "connected", "fix"])
    }

    @Test func `a position becomes stale exactly at its deadline without an event`() async throws {
        let source = ScriptedLocationSource([.location(Sample.gate)], clock: clock)
        let recorder = LocationRecorder(source, staleAfter: .seconds(3))
        try await recorder.wait(forStates: [.searching, .found])
        try await clock.untilSleeping()
        clock.advance(by: .milliseconds(2999))
        #expect(clock.deadlines.map(\.elapsed) == [.seconds(3)])
        try recorder.expectStates([.searching, .found])
        clock.advance(by: .milliseconds(1))
        let recording = try await recorder.wait(forStates: [.searching, .found, .searchingAs("silent")])
        #expect(recording.transitions.last?.moment == .after(.seconds(3)))
        #expect(recording.transitions.last?.lasted == .seconds(3))
        #expect(recording.transitions.last?.to == .searching(.silent(for: .seconds(3))))
    }

    @Test func `an error that ends the session changes the state before it is thrown`() async throws {
        let lost = LocationError.connectionLost(host: "localhost", port: 2947, cause: "reset by peer")
        let source = ScriptedLocationSource([.location(Sample.gate), .endThrowing(lost)], clock: clock)
        var iterator = source.states().makeAsyncIterator()
        #expect(try await iterator.next()?.reason == .fix)
        #expect(try await iterator.next()?.reason == .failure(lost))
        await #expect(throws: lost) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }
}
