import TestSupport
import Testing

@testable import LocationCore

@Suite struct BacklogTests {
    private typealias Queue = Backlog<String>

    /// Returns the kind of an element such as `l1` (position), `s1` (sky view) or `r:a1` (replaceable, key a).
    private func kind(_ element: String) -> BacklogKind {
        switch element.first {
        case "l": .location
        case "s": .sky
        case "r": .replaceable(String(element.prefix(3)))
        default: .other
        }
    }

    /// Appends elements and returns the dropped ones.
    private func append(_ elements: [String], to queue: inout Queue) -> [String] {
        var dropped: [String] = []
        for element in elements { queue.append(element, kind(element)) { element, _ in dropped.append(element) } }
        return dropped
    }

    private func drain(_ queue: inout Queue) -> [String] {
        var elements: [String] = []
        while let element = queue.popFirst() { elements.append(element) }
        return elements
    }

    @Test func `the total cost never exceeds the limit`() {
        var generator = SplitMix64(seed: 11)
        var queue = Queue(limit: 1000)
        var (inside, appended, dropped, popped) = (0, 0, 0, 0)
        var costs: [String: Int] = [:]
        for number in 0..<20_000 {
            let name = ["l", "s", "r:a", "x"][generator.below(4)] + "\(number)"
            let cost = 1 + generator.below(90)
            costs[name] = cost
            inside += cost
            appended += 1
            queue.append(name, kind(name), cost: cost) { element, _ in
                inside -= costs[element] ?? 0
                dropped += 1
            }
            #expect(inside <= 1000)
            if generator.below(3) == 0, let element = queue.popFirst() {
                inside -= costs[element] ?? 0
                popped += 1
            }
        }
        #expect(drain(&queue).count == appended - dropped - popped)
        #expect(dropped > 5000)
        // The newest is kept, however much it costs.
        queue.append("much", .other, cost: 2000) { _, _ in }
        #expect(drain(&queue) == ["much"])
        queue.append("much", .other, cost: 2000) { _, _ in }
        queue.append("l", .location) { _, _ in }
        #expect(queue.isEmpty, "only the newest may exceed the limit")
    }

    @Test func `a flood takes constant time for each element, and its memory is given back`() {
        var queue = Queue(limit: 10_000)
        let time = threadTime {
            for number in 0..<200_000 {
                queue.append("x", number.isMultiple(of: 2) ? .other : .replaceable("a")) { _, _ in }
            }
        }
        #expect(time < .seconds(20), "walking the queue for every element takes minutes")
        #expect(drain(&queue).count == 10_000)
        #expect(queue.capacity < 200)
    }

    @Test func `dropped positions behind an element that stays take no memory`() {
        var queue = Queue(limit: 10)
        #expect(append(["x"], to: &queue) == [])
        for number in 0..<100_000 { _ = append(["l\(number)"], to: &queue) }
        #expect(queue.capacity < 1_000)
        #expect(drain(&queue) == ["x"] + (99_991..<100_000).map { "l\($0)" })
    }

    @Test func `an element that is replaced after it was passed over is dropped before others`() {
        var queue = Queue(limit: 9, measurementLimit: 1)
        #expect(append(["r:a1", "r:b1", "r:a2", "r:b2"], to: &queue) == ["r:a1", "r:b1"])
    }

    @Test func `replaceable elements keep their meaning when empty entries are removed`() {
        var queue = Queue(limit: 6)
        #expect(append(["x", "r:a1", "r:b1", "r:a2"], to: &queue) == [])
        for number in 0..<1_000 { _ = append(["l\(number)"], to: &queue) }
        #expect(append(["y", "z", "u"], to: &queue) == ["l998", "l999", "r:a1"])
        #expect(drain(&queue) == ["x", "r:b1", "r:a2", "y", "z", "u"])
    }
}
