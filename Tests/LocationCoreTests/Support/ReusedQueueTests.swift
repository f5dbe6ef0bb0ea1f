import Testing

@testable import LocwatchSupport

struct ReusedQueueTests {
    @Test func `an empty queue keeps the memory of a few elements and gives back that of many`() {
        var queue = ReusedQueue<Int>()
        for number in 0..<8 { queue.append(number) }
        while queue.popFirst() != nil {}
        #expect(1..<600 ~= queue.elements.capacity)
        for number in 0..<100_000 { queue.append(number) }
        #expect(queue.elements.capacity >= 100_000)
        var taken: [Int] = []
        while let number = queue.popFirst() { taken.append(number) }
        #expect(taken == Array(0..<100_000) && queue.first == nil)
        #expect(queue.elements.capacity < 600)
    }

    @Test func `a queue that is never empty does not keep what was taken`() {
        var queue = ReusedQueue<Int>()
        queue.append(0)
        for number in 1..<100_000 {
            queue.append(number)
            #expect(queue.first == number - 1)
            #expect(queue.popFirst() == number - 1)
        }
        #expect(queue.elements.capacity < 2_000)
    }

    @Test func `all elements of a queue can be moved to another, which keeps its own before them`() {
        var (queue, other) = (ReusedQueue([1, 2]), ReusedQueue([3, 4, 5]))
        #expect(other.popFirst() == 3)
        queue.append(movingAllOf: &other)
        #expect(Array(queue) == [1, 2, 4, 5] && other.isEmpty)
        other.append(movingAllOf: &queue)
        #expect(Array(other) == [1, 2, 4, 5] && queue.isEmpty)
        other.append(movingAllOf: &queue)
        #expect(Array(other) == [1, 2, 4, 5])
    }
}
