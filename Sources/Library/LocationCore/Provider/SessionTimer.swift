import LocwatchSupport

/// The timer of a session, on the session's clock.
///
/// One task serves many waits: at the end of its sleep it looks for the goal that is in force. The goal moves with every
/// position, and a task per position would cost more than the position itself.
package final class SessionTimer: Sendable {
    private struct Content {
        var goal: Moment?
        var sleep: Sleep?
        var lastSleep = 0
    }

    private struct Sleep {
        var number: Int
        var end: Moment
        var task: Task<Void, Never>
    }

    private let clock: SessionClock
    private let content = Lock(Content())

    package init(_ clock: SessionClock) { self.clock = clock }

    deinit { cancel() }

    /// Replaces the goal, and sleeps until then unless the timer already sleeps until an earlier moment.
    ///
    /// - Parameter expire: Called when the clock has reached the goal that is then in force, or an earlier one. While the timer sleeps,
    ///   that of the call that has begun the sleep stays.
    package func set(_ goal: Moment, _ expire: @escaping @Sendable () -> Void) {
        content.withLock { content in
            content.goal = goal
            if let sleep = content.sleep {
                if sleep.end <= goal { return }
                sleep.task.cancel()
            }
            content.lastSleep += 1
            let number = content.lastSleep
            let task = Task { [weak self, clock] in
                while let end = self?.beginSleep(number) {
                    do throws(CancellationError) { try await clock.sleep(untilLimit: end) } catch { return }
                    self?.endSleep(number, at: end)
                    expire()
                }
            }
            content.sleep = Sleep(number: number, end: goal, task: task)
        }
    }

    package func cancel() {
        let task = content.withLock { content in
            content.goal = nil
            return content.sleep.take()?.task
        }
        task?.cancel()
    }

    /// Returns the moment until which a task is to sleep, or `nil` to end it because there is no goal or another task has replaced it.
    private func beginSleep(_ number: Int) -> Moment? {
        content.withLock { content in
            guard content.sleep?.number == number else { return nil }
            guard let goal = content.goal else {
                content.sleep = nil
                return nil
            }
            content.sleep?.end = goal
            return goal
        }
    }

    private func endSleep(_ number: Int, at end: Moment) {
        content.withLock { content in
            if content.sleep?.number == number, let goal = content.goal, goal <= end { content.goal = nil }
        }
    }
}
