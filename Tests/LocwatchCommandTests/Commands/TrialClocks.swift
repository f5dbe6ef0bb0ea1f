import Glibc
import LocationTesting
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

/// Advances the clocks of all trials that run, each to its next deadline, whenever every other thread of the process sleeps.
///
/// One thread does that for all of them, because a thread that looks at others is at work itself.
final class TrialClocks: Sendable {
    static let shared = TrialClocks()

    /// The clock of a trial, and the script that plays on it, if there is one.
    private struct Trial {
        let clock: ManualClock
        let script: ScriptedLocationSource?
    }

    private struct Trials {
        var running: [Int: Trial] = [:]
        var count = 0
        var haveThread = false
    }

    private let trials = Lock(Trials())

    private init() {}

    /// Advances a clock while a trial runs.
    func drive(
        _ clock: ManualClock, _ script: ScriptedLocationSource?,
        during trial: () async throws -> CommandTrial.Result
    ) async throws -> CommandTrial.Result {
        #expect(TurnTrait.drivesClocks, "the suite needs @Suite(.serialized, .withClocks)")
        let number = try trials.withLock { trials in
            // A task would take one of the few threads on which the tasks of the sessions run. The thread finds the trial, because it
            // waits for this lock.
            if !trials.haveThread { try NativeThread.start { self.advance() } }
            trials.haveThread = true
            trials.count += 1
            trials.running[trials.count] = Trial(clock: clock, script: script)
            return trials.count
        }
        defer { _ = trials.withLock { $0.running.removeValue(forKey: number) } }
        return try await trial()
    }

    /// Advances the clocks until no trial runs.
    private func advance() {
        while let running {
            let deadlines = running.map { $0.clock.deadlines.first }
            var haveAdvanced = false
            if deadlines.contains(where: { $0 != nil }), ThreadProgress.allFallAsleep() {
                for (trial, next) in zip(running, deadlines) {
                    // A script that has not been scheduled yet does not sleep, and its events must precede any deadline.
                    guard let next, trial.clock.deadlines.first == next, trial.script?.isWaiting ?? true else {
                        continue
                    }
                    trial.clock.advance(to: next)
                    haveAdvanced = true
                }
            }
            if !haveAdvanced { usleep(200) }
        }
    }

    /// The trials that run, or `nil` once there is none, when the thread ends.
    private var running: [Trial]? {
        trials.withLock { trials in
            if trials.running.isEmpty { trials.haveThread = false }
            return trials.running.isEmpty ? nil : Array(trials.running.values)
        }
    }
}
