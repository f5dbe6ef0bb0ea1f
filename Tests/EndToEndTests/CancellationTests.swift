import GPSDSimulation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationGPSD

/// A cancelled session ends at once in every phase and releases its resources.
@Suite(.serialized, .alone) struct CancellationTests {
    enum Phase: CaseIterable {
        case connecting, waitingForGreeting, watching, withinLine, backingOff
    }

    /// The other end of a session in a phase.
    private enum Scene {
        case hole(BlackHole)
        case standIn(StandInGPSD)

        init(_ phase: Phase) throws {
            switch phase {
            case .connecting: self = .hole(try BlackHole())
            case .waitingForGreeting: self = .standIn(try StandInGPSD(faults: [.silent]))
            case .watching: self = .standIn(try StandInGPSD())
            case .withinLine: self = .standIn(try StandInGPSD(faults: [.stall(.within(line: 1, byte: 40))]))
            case .backingOff: self = .standIn(try StandInGPSD(faults: [.refuses]))
            }
        }

        var endpoint: GPSDEndpoint {
            switch self {
            case .hole(let hole): .loopback(hole.port)
            case .standIn(let standIn): standIn.endpoint
            }
        }

        /// Waits until the session has reached the phase in which it is to be cancelled.
        func reach(_ phase: Phase, _ recorder: LocationRecorder) async throws {
            switch (phase, self) {
            case (.waitingForGreeting, .standIn(let standIn)):
                try await eventually("a client", { standIn.progress.clients }, is: { $0 == 1 })
            case (.watching, _):
                try await recorder.wait(for: "the watch") { $0.authorizations == [.authorized] }
            case (.withinLine, .standIn(let standIn)):
                try await standIn.untilWatched()
                standIn.send(lines: 1)
                try await Task.sleep(for: .milliseconds(50))
            case (.backingOff, _):
                // After the third failure the pause is at least 1.6 s.
                try await recorder.wait(for: "three failures") { $0.failures.count == 3 }
            default:
                try await recorder.wait(for: "the attempt") { $0.hasSearched("connecting") }
                try await Task.sleep(for: .milliseconds(100))
            }
        }

        /// Waits until the other end has seen the end of the session, or closes the port so that hanging attempts fail.
        func part() async throws {
            switch self {
            case .hole(let hole): hole.vanish()
            case .standIn(let standIn):
                try await eventually("no client", { standIn.progress.clients }, is: { $0 == 0 })
                standIn.stop()
            }
        }
    }

    @Test(arguments: Phase.allCases)
    func `cancelling ends a session at once and releases its resources`(phase: Phase) async throws {
        // The first round starts the threads of the Swift runtime.
        _ = try await cancelled(in: phase)
        let before = ProcessFigures.now
        // The best attempt counts, because load on the machine only adds to the measured time; a wait takes 1.6 s at least.
        var best = Duration.seconds(100)
        for _ in 0..<3 where best >= .seconds(1) { best = min(best, try await cancelled(in: phase)) }
        #expect(best < .seconds(1))
        // In `connecting`, an abandoned thread stays in connect(2) until the system call returns.
        try await eventually("the initial numbers of descriptors and threads", within: .seconds(30)) {
            let now = ProcessFigures.now
            return [now.descriptors - before.descriptors, now.threads - before.threads]
        } is: {
            $0.allSatisfy { $0 <= 0 }
        }
    }

    /// Returns the time that a session takes to end when it is cancelled in a phase.
    private func cancelled(in phase: Phase) async throws -> Duration {
        let scene = try Scene(phase)
        let recorder = LocationRecorder(GPSDLocationSource(scene.endpoint))
        try await scene.reach(phase, recorder)
        let clock = ContinuousClock()
        let start = clock.now
        recorder.stop()
        try await recorder.untilEnded()
        let length = start.duration(to: clock.now)
        try await scene.part()
        return length
    }

    @Test func `a hundred sessions release their resources`() async throws {
        let standIn = try StandInGPSD()
        var before = ProcessFigures.now
        for round in 0..<100 {
            let recorder = LocationRecorder(standIn.source())
            try await recorder.wait(for: "the greeting") { $0.hasSearched("connected") }
            recorder.stop()
            try await recorder.untilEnded()
            try await eventually("no client", { standIn.progress.clients }, is: { $0 == 0 })
            if round == 10 { before = .now }
        }
        try await eventually(
            "the initial numbers of descriptors and threads", { ProcessFigures.now },
            is: { $0.descriptors <= before.descriptors && $0.threads <= before.threads })
        #expect(ProcessFigures.now.memory < before.memory + 4 << 20)
    }
}
