import Foundation
import LocationTesting
import Synchronization
import TestSupport
import Testing

@Suite struct EventLogTests {
    private let log = EventLog<Int>()
    private let asked = Asked()

    /// The number with which a condition was asked last.
    private final class Asked: Sendable {
        private let number = Mutex<Int?>(nil)
        var last: Int? { number.withLock { $0 } }

        func note(_ number: Int) -> Int {
            self.number.withLock { $0 = number }
            return number
        }
    }

    @Test func `the limit of a wait does not count the time that other tests take`() async throws {
        for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
            Task { [log] in
                while log.events.isEmpty {
                    usleep(20_000)
                    await Task.yield()
                }
            }
        }
        Task { [log] in
            for _ in 0..<10 { await Task.yield() }
            log.append(1)
        }
        // Each of its 20 parts waits for a turn four times as long as for its own time, and the event comes after ten turns.
        try await log.wait(for: "one", within: .milliseconds(400)) { !$0.isEmpty }
    }

    @Test func `a timed out wait lists the latest events`() async throws {
        for event in 1...12 { log.append(event) }
        let failure = try await expectFailure {
            try await log.wait(for: "a thirteenth", within: .milliseconds(30)) { $0.count > 12 }
        }
        let lines = ["timed out after 0.03 seconds waiting for a thirteenth; so far:", "  … 2 earlier"]
        #expect(failure.message == (lines + (3...12).map { "  \($0)" }).joined(separator: "\n"))
    }

    @Test func `a timed out wait on an empty log reports that nothing happened`() async throws {
        let failure = try await expectFailure { try await log.wait(for: "anything", within: .zero) { !$0.isEmpty } }
        #expect(failure.message == "timed out after 0.0 seconds waiting for anything; nothing happened")
    }

    @Test func `a condition may read the log that it waits for`() async throws {
        for event in 1...3 {
            let wait = Task { [log] in
                try await log.wait(for: "event \(event)") { _ in log.events.count == event }
            }
            log.append(event)
            #expect(try await wait.value.count == event)
        }
        // The condition is asked by the change, as the wait has begun before.
        let wait = Task { [log] in
            try await log.wait(for: "no event") { [asked] _ in asked.note(log.events.count) == 4 }
        }
        try await eventually("the beginning of the wait") {
            asked.last
        } is: {
            $0 == 3
        }
        log.append(4)
        #expect(try await wait.value == [1, 2, 3, 4])
    }

    @Test func `a wait sees each value that a change has made`() async throws {
        let wait = Task { [log, asked] in
            try await log.wait(for: "two events") { asked.note($0.count) == 2 }
        }
        try await eventually("the beginning of the wait") {
            asked.last
        } is: {
            $0 == 0
        }
        for event in 1...9 { log.append(event) }
        _ = try await wait.value
        #expect(asked.last == 2)
    }

    @Test func `a wait that is cancelled reports the cancellation`() async throws {
        let wait = Task { [log] in try await log.wait(for: "anything") { !$0.isEmpty } }
        wait.cancel()
        let failure = try await expectFailure { try await wait.value }
        #expect(failure.wait?.wasCancelled == true)
        #expect(failure.message.hasPrefix("cancelled while waiting for anything"))
    }
}

@Suite struct EventuallyTests {
    @Test func `a timed out wait lists the values seen`() async throws {
        let failure = try await expectFailure {
            try await eventually("the answer", within: .zero, { 41 }, is: { $0 == 42 })
        }
        #expect(failure.message == "timed out after 0.0 seconds waiting for the answer; so far:\n  41")
    }

    @Test func `a cancelled wait reports the cancellation`() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await eventually("the answer", { 41 }, is: { $0 == 42 })
        }
        let failure = try await expectFailure { try await task.value }
        #expect(failure.wait?.wasCancelled == true)
    }
}
