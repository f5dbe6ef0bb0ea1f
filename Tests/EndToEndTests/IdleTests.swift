import GPSDSimulation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationGPSD

/// An idle session does no work.
@Suite(.serialized, .alone) struct IdleTests {
    @Test(arguments: [false, true])
    func `an idle session uses no processor time, even in the middle of a line`(isTorn: Bool) async throws {
        let standIn = try StandInGPSD(faults: isTorn ? [.stall(.within(line: 2, byte: 40))] : [])
        // The default timeouts: the first request would follow after three seconds.
        let recorder = LocationRecorder(standIn.source(ConnectionTimeouts()))
        try await standIn.untilWatched()
        standIn.send(lines: 2)
        try await recorder.wait(for: "the positions sent") { $0.locations.count == (isTorn ? 1 : 2) }
        try await Task.sleep(for: .milliseconds(200))
        let before = ProcessFigures.now.processorTime
        try await Task.sleep(for: .seconds(2))
        let used = ProcessFigures.now.processorTime - before
        #expect(used < .milliseconds(20), "a loop that spins would have used two seconds")
        #expect(recorder.recording.failures.isEmpty)
    }
}
