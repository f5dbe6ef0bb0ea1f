/// A first-in, first-out queue that keeps its memory.
struct ReusedQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var first = 0

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        first += 1
        if first == elements.count {
            elements.removeAll(keepingCapacity: true)
            first = 0
        }
        return element
    }
}
