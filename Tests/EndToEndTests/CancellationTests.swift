import GPSDSimulation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationGPSD

/// A cancelled session ends at once in every phase and releases its resources.
@Suite(.serialized, .alone, .onlyInMakeTest) struct CancellationTests {
    /// A phase in which a session is cancelled.
    struct Phase: CustomTestStringConvertible, Sendable {
        let name: String
        /// The faults of the stand-in; without a stand-in the port never answers.
        let faults: [StandInFault]?
        /// Waits until the session has reached the phase.
        let reach: @Sendable (StandInGPSD?, LocationRecorder) async throws -> Void

        var testDescription: String { name }
    }

    private static let phases = [
        Phase(name: "connecting", faults: nil) { _, recorder in
            try await recorder.wait(for: "the attempt") { $0.hasSearched("connecting") }
            try await RealTime.pass(.milliseconds(100), because: "nothing shows that the thread has begun to connect")
        },
        Phase(name: "waiting for the greeting", faults: [.silent]) { standIn, _ in
            try await eventually("a client", { standIn?.progress.clients }, is: { $0 == 1 })
        },
        Phase(name: "watching", faults: []) { _, recorder in
            try await recorder.wait(for: "the watch") { $0.authorizations == [.authorized] }
        },
        Phase(name: "within a line", faults: [.stall(.within(line: 1, byte: 40))]) { standIn, _ in
            try await standIn?.untilWatched()
            standIn?.send(lines: 1)
            try await RealTime.pass(.milliseconds(50), because: "nothing shows that a part of a line has been read")
        },
        // After the third failure the pause is at least 1.6 s.
        Phase(name: "backing off", faults: [.refuses]) { _, recorder in
            try await recorder.wait(for: "three failures") { $0.failures.count == 3 }
        },
    ]

    @Test(arguments: phases)
    func `cancelling ends a session at once and releases its resources`(phase: Phase) async throws {
        // The first round starts the threads of the Swift runtime.
        _ = try await cancelled(in: phase)
        let process = RunningProcess.own
        let (descriptors, threads) = (process.descriptors.count, process.threadCount)
        // The best attempt counts, because load on the machine only adds to the measured time; a wait takes 1.6 s at least.
        var best = Duration.seconds(100)
        for _ in 0..<20 where best >= .seconds(1) { best = min(best, try await cancelled(in: phase)) }
        #expect(best < .seconds(1))
        // While it connects, an abandoned thread stays in connect(2) until the system call returns.
        try await eventually(
            "the initial numbers of descriptors and threads", within: .seconds(60),
            { [process.descriptors.count - descriptors, process.threadCount - threads] },
            is: { $0.allSatisfy { $0 <= 0 } })
    }

    /// Returns the time that a session takes to end when it is cancelled in a phase.
    private func cancelled(in phase: Phase) async throws -> Duration {
        let hole = try BlackHole()
        let standIn = try phase.faults.map { try StandInGPSD(faults: $0) }
        let recorder = LocationRecorder(GPSDLocationSource(standIn?.endpoint ?? .loopback(hole.port)))
        try await phase.reach(standIn, recorder)
        let clock = ContinuousClock()
        let start = clock.now
        recorder.stop()
        try await recorder.untilEnded(within: .seconds(60))
        let length = start.duration(to: clock.now)
        // Hanging attempts fail, and the stand-in sees the end of the session.
        hole.vanish()
        try await eventually("no client", within: .seconds(60), { standIn?.progress.clients ?? 0 }, is: { $0 == 0 })
        return length
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
