import Foundation
public import Testing

/// Gives a suite its turn after the tests that only compute: beside a few of its kind, or while no other one runs.
///
/// `swift test` begins all tests at once, on as many threads as there are cores. A test that starts a program, waits in
/// real time or measures the process belongs to a suite with such a trait, usually beside `.serialized`, which holds within
/// the suite.
public struct TurnTrait: SuiteTrait, TestScoping {
    @TaskLocal private static var current: Turn?

    let turn: Turn

    /// Whether this test may drive a clock that advances while all other threads sleep.
    package static var drivesClocks: Bool { current == .withClocks || current == .alone }

    /// Runs the suite when its turn has come.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent () async throws -> Void
    ) async throws {
        await Turns.shared.take(turn)
        let threads = SuiteThreads()
        do {
            try await withTaskExecutorPreference(threads) {
                try await Self.$current.withValue(turn) { try await function() }
            }
        } catch {
            await end(threads)
            throw error
        }
        await end(threads)
    }

    private func end(_ threads: SuiteThreads) async {
        threads.end()
        await Turns.shared.pass()
    }
}

extension Trait where Self == TurnTrait {
    /// The trait of a suite that blocks its threads, or waits for programs; it runs beside few of its kind.
    public static var withFew: Self { Self(turn: .withFew) }
    /// The trait of a suite whose clocks advance while all other threads sleep; it runs beside few of its kind.
    public static var withClocks: Self { Self(turn: .withClocks) }
    /// The trait of a suite that runs while no other one with a turn does: it looks at the process, changes it, or opens a locked
    /// file again, whose lock the programs that other suites start would hold for a moment.
    public static var alone: Self { Self(turn: .alone) }
}

/// The kind of a turn.
enum Turn: CaseIterable {
    case withFew, withClocks, alone

    /// The suites of the kind that run at the same time, at most.
    fileprivate var limit: Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return switch self {
        // Enough for a program to run while others wait.
        case .withFew: 8 * cores
        // All wait for the one that works longest.
        case .withClocks: 2 * cores
        case .alone: 1
        }
    }
}

/// Gives turns once the tests that only compute have ended, to one kind after the other.
private actor Turns {
    static let shared = Turns()

    /// The task that waits for the end of the tests that only compute.
    private static let beginning = Task { await waitForIdleThreads() }

    /// The kind that has its turn.
    private var current = Turn.withFew
    /// The number of its suites that run.
    private var running = 0
    private var waiting: [Turn: [CheckedContinuation<Void, Never>]] = [:]

    func take(_ turn: Turn) async {
        await Self.beginning.value
        await withCheckedContinuation { continuation in
            waiting[turn, default: []].append(continuation)
            resumeNext()
        }
    }

    func pass() {
        running -= 1
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
        if running == 0, let next = Turn.allCases.first(where: { waiting[$0]?.isEmpty == false }) { current = next }
        while running < current.limit, let first = waiting[current]?.first {
            running += 1
            waiting[current]?.removeFirst()
            first.resume()
        }
    }
}
