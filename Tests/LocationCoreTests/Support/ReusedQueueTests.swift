import Testing

@testable import LocationCore

struct ReusedQueueTests {
    @Test func `a queue that is never empty does not keep what was taken`() {
        var queue = ReusedQueue<Int>()
        queue.append(0)
        for number in 1..<100_000 {
            queue.append(number)
            #expect(queue.first == number - 1)
            #expect(queue.popFirst() == number - 1)
        }
        #expect(queue.capacity < 2_000)
    }
}
