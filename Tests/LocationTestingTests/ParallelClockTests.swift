import LocationCore
import LocationTesting
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Tests that advance clocks at the same time, each through a stay of five minutes.
///
/// `LOCWATCH_CLOCKS` is the number of tests.
@Suite struct ParallelClockTests {
    private static let count = getenv("LOCWATCH_CLOCKS").flatMap { Int(String(cString: $0)) } ?? 4

    @Test(arguments: 1...count)
    func `five minutes at home are a stay beside other tests`(number: Int) async throws {
        let clock = ManualClock()
        let second: [ScriptStep] = [.location(45.0548, 7.6865), .wait(.seconds(1))]
        let source = ScriptedLocationSource(Array(repeating: second, count: 302).flatMap(\.self) + [.end], clock: clock)
        let home = Coordinate(latitude: 45.0548, longitude: 7.6865)
        let fences = FenceList(
            [try Fence(name: "home", shape: .circle(center: home, radius: 150))], dwellAfter: .seconds(300))
        let recorder = LocationRecorder(source, fences: fences)
        let end = Task { try await recorder.untilEnded(within: .seconds(60)) }
        let events = try await clock.advance(untilEndOf: end).fenceEvents
        #expect(events.map(\.kind) == [.inside, .dwell])
    }
}
