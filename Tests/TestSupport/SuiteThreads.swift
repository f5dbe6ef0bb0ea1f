import Foundation
import LocwatchSupport

/// The threads on which a suite runs, so that a test which blocks its thread, as while it waits for a program, holds up no other suite.
///
/// The threads that Swift's tasks share are as many as the cores.
final class SuiteThreads: TaskExecutor {
    /// The tasks of a test that wait for each other, such as a server and its client, each block a thread at most.
    private static let count = 3

    private let jobs = Lock<[UnownedJob]>([])
    private let work = DispatchSemaphore(value: 0)

    init() {
        for _ in 0..<Self.count {
            // A `NativeThread` receives no signals, nor would a program that a test starts on it.
            Thread { [self] in
                repeat { work.wait() } while runNext()
            }.start()
        }
    }

    /// Ends the threads, once all tasks of the suite have ended.
    func end() {
        for _ in 0..<Self.count { work.signal() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        work.signal()
    }

    /// Runs the next job, and returns whether there was one.
    private func runNext() -> Bool {
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }
}
