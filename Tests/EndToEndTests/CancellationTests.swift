import GPSDSimulation
import LocationCore
import LocationTesting
import Testing

@testable import LocationGPSD
@testable import locwatch_dev

/// A session that is cancelled ends at once, wherever it stands, and leaves nothing behind.
@Suite struct CancellationTests {
    enum Phase: CaseIterable {
        case connecting, waitingForGreeting, watching, withinLine, backingOff
    }

    /// What a session hangs on in a phase.
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

        /// Waits until the session stands where it is to be cancelled.
        func reach(_ phase: Phase, _ recorder: LocationRecorder) async throws {
            switch (phase, self) {
            case (.waitingForGreeting, .standIn(let standIn)):
                try await eventually("a client") {
                    standIn.progress.clients
                } is: {
                    $0 == 1
                }
            case (.watching, _):
                try await recorder.wait(for: "the watch") { $0.authorizations == [.authorized] }
            case (.withinLine, .standIn(let standIn)):
                try await standIn.untilWatched()
                standIn.send(lines: 1)
                try await Task.sleep(for: .milliseconds(50))
            case (.backingOff, _):
                // After the third failure the pause is 1.6 s at least.
                try await recorder.wait(for: "three failures") { $0.failures.count == 3 }
            default:
                try await recorder.wait(for: "the attempt") { $0.hasSearched(.connecting) }
                try await Task.sleep(for: .milliseconds(100))
            }
        }

        /// Waits until the other side has seen the end, or lets what still hangs learn that there is nothing.
        func part() async throws {
            switch self {
            case .hole(let hole): hole.vanish()
            case .standIn(let standIn):
                try await eventually("no client") {
                    standIn.progress.clients
                } is: {
                    $0 == 0
                }
                standIn.stop()
            }
        }
    }

    @Test(arguments: Phase.allCases)
    func `cancelling ends a session within a tenth of a second, and gives back what it holds`(
        phase: Phase
    ) async throws {
        // The first round brings Swift's own threads to life.
        _ = try await cancelled(in: phase)
        let before = ProcessFigures.now
        // The best counts, as a loaded machine only ever adds to it.
        var best = Duration.seconds(100)
        for _ in 0..<3 where best >= .milliseconds(100) { best = min(best, try await cancelled(in: phase)) }
        #expect(best < .milliseconds(100))
        // In `connecting` a thread without anybody who waits for it is still in connect(2) until the system lets it go.
        try await eventually("the descriptors and threads of before", within: .seconds(30)) {
            let now = ProcessFigures.now
            return [now.descriptors - before.descriptors, now.threads - before.threads]
        } is: {
            $0.allSatisfy { $0 <= 0 }
        }
    }

    /// How long a session takes to end when it is cancelled in a phase.
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

    @Test func `letting go of an iterator ends its session`() async throws {
        let standIn = try StandInGPSD()
        var iterator: LocationUpdates.Iterator? = standIn.source().updates(for: .everything).makeAsyncIterator()
        _ = try await iterator?.next()
        try await standIn.untilWatched()
        iterator = nil
        try await eventually("no client") {
            standIn.progress.clients
        } is: {
            $0 == 0
        }
    }

    @Test func `a hundred sessions leave nothing behind`() async throws {
        let standIn = try StandInGPSD()
        var before = ProcessFigures.now
        for round in 0..<100 {
            let recorder = LocationRecorder(standIn.source())
            try await recorder.wait(for: "the greeting") { $0.hasSearched(.connected) }
            recorder.stop()
            try await recorder.untilEnded()
            try await eventually("no client") {
                standIn.progress.clients
            } is: {
                $0 == 0
            }
            if round == 10 { before = .now }
        }
        try await eventually("the descriptors and threads of before") {
            ProcessFigures.now
        } is: {
            $0.descriptors <= before.descriptors && $0.threads <= before.threads
        }
        #expect(ProcessFigures.now.memory < before.memory + 4 << 20)
    }
}
