import GPSDSimulation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationGPSD

/// A cancelled session ends in every phase and releases its resources.
@Suite(.serialized, .alone, .onlyInMakeTest) struct CancellationTests {
    /// A phase in which a session is cancelled.
    struct Phase: CustomTestStringConvertible, Sendable {
        let name: String
        /// The faults of the stand-in; without a stand-in the port never answers.
        let faults: [StandInFault]?
        /// Waits until the session has reached the phase, which lasts until the session is cancelled.
        let reach: @Sendable (StandInGPSD, LocationRecorder) async throws -> Void

        var testDescription: String { name }
    }

    private static let phases = [
        Phase(name: "connecting", faults: nil) { _, _ in },
        Phase(name: "waiting for the greeting", faults: [.silent]) { standIn, _ in
            try await eventually("a client", { standIn.progress.clients }, is: { $0 == 1 })
        },
        Phase(name: "watching", faults: []) { _, recorder in
            try await recorder.wait(for: "the watch") { $0.authorizations == [.authorized] }
        },
        Phase(name: "within a line", faults: [.stall(.within(line: 2, byte: 40))]) { standIn, recorder in
            try await standIn.untilWatched()
            standIn.send(lines: 2)
            try await recorder.wait(for: "the position before the line") { $0.locations.count == 1 }
            try await eventually(
                "a reader", { [standIn.progress.linesPlayed, LoopbackSockets(to: standIn.port).unread] },
                is: { $0 == [2, 0] })
        },
        Phase(name: "backing off", faults: [.refuses]) { _, recorder in
            try await recorder.wait(for: "a failure") { $0.failures.count == 1 }
        },
    ]

    /// Timeouts of at least eight minutes, so that nothing but a cancellation ends a phase.
    private static let timeouts = with(ConnectionTimeouts()) {
        let long = Duration.seconds(600)
        ($0.connecting, $0.greeting, $0.answer) = (long, long, long)
        ($0.silence, $0.longestSilence) = (long, long)
        $0.retries = RetryPauses(first: long, longest: long)
    }

    @Test(arguments: phases)
    func `cancelling ends a session and releases its resources`(phase: Phase) async throws {
        // The first session starts the threads of the Swift runtime.
        try await cancel(in: phase)
        let process = RunningProcess.own
        let (descriptors, threads) = (process.descriptors.count, process.threadCount)
        try await cancel(in: phase)
        // While it connects, an abandoned thread stays in connect(2) until the system call returns.
        try await eventually(
            "the initial numbers of descriptors and threads", within: .seconds(60),
            { [process.descriptors.count - descriptors, process.threadCount - threads] },
            is: { $0.allSatisfy { $0 <= 0 } })
    }

    /// Cancels a session in a phase and waits for its end.
    private func cancel(in phase: Phase) async throws {
        guard let faults = phase.faults else {
            let hole = try BlackHole()
            let recorder = LocationRecorder(GPSDLocationSource(.loopback(hole.port), Self.timeouts))
            try await hole.untilAttempted()
            recorder.stop()
            try await recorder.untilEnded(within: .seconds(60))
            // A hanging attempt fails.
            return hole.vanish()
        }
        let standIn = try StandInGPSD(faults: faults)
        let recorder = LocationRecorder(standIn.source(Self.timeouts))
        try await phase.reach(standIn, recorder)
        recorder.stop()
        try await recorder.untilEnded(within: .seconds(60))
        try await eventually("no client", within: .seconds(60), { standIn.progress.clients }, is: { $0 == 0 })
    }

    @Test func `a hundred sessions release their resources`() async throws {
        let standIn = try StandInGPSD()
        let process = RunningProcess.own
        var before = (descriptors: 0, threads: 0, memory: 0)
        for round in 0..<100 {
            let recorder = LocationRecorder(standIn.source())
            try await recorder.wait(for: "the greeting") { $0.hasSearched("connected") }
            recorder.stop()
            try await recorder.untilEnded(within: .seconds(60))
            try await eventually("no client", within: .seconds(60), { standIn.progress.clients }, is: { $0 == 0 })
            if round == 10 {
                before = (process.descriptors.count, process.threadCount, try #require(process.memory))
            }
        }
        try await eventually(
            "the initial numbers of descriptors and threads", within: .seconds(60),
            { [process.descriptors.count - before.descriptors, process.threadCount - before.threads] },
            is: { $0.allSatisfy { $0 <= 0 } })
        #expect(try #require(process.memory) < before.memory + 4 << 20)
    }
}
