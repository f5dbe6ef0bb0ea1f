/// A first-in, first-out queue that keeps the memory of a few elements, and gives back that of many.
struct ReusedQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0
    /// The number of elements whose memory is kept while the queue is empty.
    private static var keptCapacity: Int { 256 }

    /// The number of elements that fit without more memory.
    var capacity: Int { elements.capacity }

    var first: Element? { head < elements.count ? elements[head] : nil }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= Self.keptCapacity * 2)
            head = 0
        } else if head >= Self.keptCapacity, head * 2 >= elements.count {
            // A queue that is never quite empty must not keep what was taken from it.
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
