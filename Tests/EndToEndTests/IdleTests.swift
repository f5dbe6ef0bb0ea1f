import GPSDSimulation
import LocationCore
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

/// An idle session does no work.
@Suite(.serialized, .alone) struct IdleTests {
    @Test(arguments: [false, true])
    func `an idle session uses no processor time, even in the middle of a line`(isTorn: Bool) async throws {
        let standIn = try StandInGPSD(faults: isTorn ? [.stall(.within(line: 2, byte: 40))] : [])
        // A request, which would follow after three seconds, is work.
        let timeouts = with(ConnectionTimeouts()) { ($0.silence, $0.longestSilence) = (.seconds(600), .seconds(600)) }
        let recorder = LocationRecorder(standIn.source(timeouts))
        try await standIn.untilWatched()
        standIn.send(lines: 2)
        try await recorder.wait(for: "the positions sent") { $0.locations.count == (isTorn ? 1 : 2) }
        let before = HostClock.nanoseconds(.processor)
        try await RealTime.pass(.seconds(2), because: "it is the time in which nothing must be computed")
        let used = HostClock.nanoseconds(.processor) - before
        #expect(used < 20_000_000, "a loop that spins would have used two seconds")
        #expect(recorder.recording.failures.isEmpty)
    }
}
