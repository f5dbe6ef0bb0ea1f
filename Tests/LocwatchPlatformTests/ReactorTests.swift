import Glibc
import LocationTesting
import LocwatchSupport
import Testing

@testable import LocwatchPlatform

@Suite struct ReactorTests {
    private let reactor = Reactor()

    @Test func `a descriptor that is ready is reported once, on the thread of all`() async throws {
        let (first, second) = (try Event(), try Event())
        let threads = EventLog<pthread_t>()
        for event in [first, second] {
            _ = try reactor.watch(event.descriptor) { threads.append(pthread_self()) }
        }
        first.happen()
        try await threads.wait(for: "the first") { $0.count == 1 }
        // The first one is still readable.
        second.happen()
        try await threads.wait(for: "the second") { $0.count == 2 }
        #expect(threads.events[0] == threads.events[1])
    }

    @Test func `a watch that begins while the thread waits is noticed, and one that ends is not reported`() async throws
    {
        let (idle, busy) = (try Event(), try Event())
        let reports = EventLog<String>()
        let number = try reactor.watch(idle.descriptor) { reports.append("idle") }
        _ = try reactor.watch(busy.descriptor) { reports.append("busy") }
        reactor.cancel(number)
        idle.happen()
        busy.happen()
        try await reports.wait(for: "a report") { !$0.isEmpty }
        #expect(reports.events == ["busy"])
    }

    @Test func `a descriptor can be watched again by what its report calls`() async throws {
        let event = try Event()
        event.happen()
        let reports = EventLog<Int>()
        let watch = Lock<(@Sendable () -> Void)?>(nil)
        let again: @Sendable () -> Void = { [reactor] in
            _ = try? reactor.watch(event.descriptor) {
                reports.append(1)
                if reports.events.count < 3 { watch.withLock { $0 }?() }
            }
        }
        watch.withLock { $0 = again }
        again()
        try await reports.wait(for: "three reports") { $0.count == 3 }
        watch.withLock { $0 = nil }
    }
}
