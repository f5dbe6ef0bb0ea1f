import Foundation
public import Testing

/// Gives a suite its turn after the tests that only compute: beside few other suites, or while no other one runs.
///
/// `swift test` begins all tests at once, on as many threads as there are cores. A test that starts a program, waits in
/// real time or measures the process belongs to a suite with such a trait, usually beside `.serialized`, which holds within
/// the suite.
public struct TurnTrait: SuiteTrait, TestScoping {
    let turn: Turn

    /// Runs the suite when its turn has come.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent () async throws -> Void
    ) async throws {
        await Turns.shared.take(turn)
        let threads = SuiteThreads()
        do {
            try await withTaskExecutorPreference(threads) { try await function() }
        } catch {
            await end(threads)
            throw error
        }
        await end(threads)
    }

    private func end(_ threads: SuiteThreads) async {
        threads.end()
        await Turns.shared.pass(turn)
    }
}

extension Trait where Self == TurnTrait {
    /// The trait of a suite that runs while no other one with a turn does.
    ///
    /// Such a suite looks at the process, changes it, or drives a clock that advances while all other threads sleep. Two that drive
    /// a clock would wait for each other.
    public static var alone: Self { Self(turn: .alone) }
    /// The trait of a suite that runs beside few others, on threads of its own: it blocks them, or waits for programs.
    public static var withFew: Self { Self(turn: .withFew) }
}

/// The kind of a turn.
enum Turn {
    case alone, withFew
}

/// Gives turns once the tests that only compute have ended: first to the suites that share one, a few at a time, and then to each
/// of the others.
private actor Turns {
    static let shared = Turns()

    /// The suites that run at the same time: enough for a program to run while others wait.
    private static let limit = 5 * ProcessInfo.processInfo.activeProcessorCount

    /// The task that waits for the end of the tests that only compute, from the first suite on.
    private var beginning: Task<Void, Never>?
    private var haveBegun = false
    /// The suites that run.
    private var running: (alone: Bool, few: Int) = (false, 0)
    private var waiting: (alone: [CheckedContinuation<Void, Never>], few: [CheckedContinuation<Void, Never>]) = ([], [])

    func take(_ turn: Turn) async {
        if beginning == nil {
            beginning = Task {
                await Self.waitForIdleThreads()
                haveBegun = true
                resumeNext()
            }
        }
        await withCheckedContinuation { continuation in
            switch turn {
            case .alone: waiting.alone.append(continuation)
            case .withFew: waiting.few.append(continuation)
            }
            resumeNext()
        }
    }

    func pass(_ turn: Turn) {
        switch turn {
        case .alone: running.alone = false
        case .withFew: running.few -= 1
        }
        resumeNext()
    }

    /// Waits until a task that yields runs again soon, many times one after another: the tests that only compute have ended.
    @concurrent private static func waitForIdleThreads() async {
        let clock = ContinuousClock()
        var soon = 0
        while soon < 100 {
            let start = clock.now
            await Task.yield()
            soon = start.duration(to: clock.now) < .milliseconds(5) ? soon + 1 : 0
        }
    }

    /// Resumes the suites whose turn has come.
    private func resumeNext() {
        guard haveBegun else { return }
        while !running.alone, running.few < Self.limit, !waiting.few.isEmpty {
            running.few += 1
            waiting.few.removeFirst().resume()
        }
        if !running.alone, running.few == 0, !waiting.alone.isEmpty {
            running.alone = true
            waiting.alone.removeFirst().resume()
        }
    }
}
