public import Testing

/// Runs a suite while no other suite with this trait runs, and after the tests that only compute.
///
/// `swift test` begins all tests at once, on as many threads as there are cores. A test that starts a program, waits in
/// real time or measures memory belongs to a suite with `.alone`, usually beside `.serialized`, which holds within the suite.
public struct AloneTrait: SuiteTrait, TestScoping {
    /// Runs the suite when its turn has come.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent () async throws -> Void
    ) async throws {
        await Turns.shared.take()
        await waitForIdleThreads()
        do {
            try await function()
        } catch {
            await Turns.shared.pass()
            throw error
        }
        await Turns.shared.pass()
    }

    /// Waits until a task that yields runs again soon, many times one after another.
    private func waitForIdleThreads() async {
        let clock = ContinuousClock()
        var soon = 0
        while soon < 100 {
            let start = clock.now
            await Task.yield()
            soon = start.duration(to: clock.now) < .milliseconds(5) ? soon + 1 : 0
        }
    }
}

extension Trait where Self == AloneTrait {
    /// The trait of a suite that runs while no other one with the trait does.
    public static var alone: Self { Self() }
}

/// Gives turns in the order of the requests.
private actor Turns {
    static let shared = Turns()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        }
        isTaken = true
    }

    func pass() {
        isTaken = false
        if !waiting.isEmpty {
            waiting.removeFirst().resume()
        }
    }
}
