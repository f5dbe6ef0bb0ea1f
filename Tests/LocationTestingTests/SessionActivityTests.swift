import LocationCore
import Testing

@testable import LocationTesting

@MainActor @Suite struct SessionActivityTests {
    @Test func `a session whose wait is ended has work until its reader waits again`() async throws {
        let clock = ManualClock()
        let source = ScriptedLocationSource([.wait(.seconds(10))], clock: clock)
        let iterator = source.updates().makeAsyncIterator()
        let waker = iterator.waker
        let reading = Task {
            var iterator = iterator
            while case .woken = try await iterator.unfilteredStep(until: nil) {}
        }
        try await eventually("the wait", { clock.activity.working }, is: \.isEmpty)
        waker()
        // The reader is a task of this actor, which does not run before the next suspension.
        #expect(clock.activity.working.count == 1)
        try await eventually("the next wait", { clock.activity.working }, is: \.isEmpty)
        reading.cancel()
    }
}
