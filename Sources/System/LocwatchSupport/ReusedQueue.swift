/// A first-in, first-out queue that keeps the memory of a few elements, and gives back that of many.
///
/// It is inlinable and public for the reason that `PerDevice` states.
public struct ReusedQueue<Element> {
    /// The elements; the place of one that was taken is `nil`, so that taking it moves it and copies nothing.
    @usableFromInline var elements: [Element?]
    @usableFromInline var head = 0
    /// The place after the last element; places from there on have memory that is used again.
    @usableFromInline var tail = 0

    /// The number of elements whose memory is kept while the queue is empty.
    @inlinable
    static var keptCapacity: Int { 256 }

    /// Creates a queue of elements.
    @inlinable
    public init(_ elements: [Element] = []) { (self.elements, tail) = (elements, elements.count) }

    /// The number of elements.
    @inlinable public var count: Int { tail - head }

    /// Appends an element.
    ///
    /// A queue that is never quite empty must not keep what was taken from it; one that is only emptied moves nothing.
    @inlinable
    public mutating func append(_ element: consuming Element) {
        if head >= Self.keptCapacity, head * 2 >= tail {
            elements.removeFirst(head)
            (head, tail) = (0, tail - head)
        }
        if tail < elements.count { elements[tail] = consume element } else { elements.append(consume element) }
        tail += 1
    }

    /// Moves all elements of another queue to the end of this one; into an empty one it moves none by itself.
    @inlinable
    public mutating func append(movingAllOf other: inout ReusedQueue) {
        if isEmpty { return swap(&self, &other) }
        while let element = other.popFirst() { append(element) }
    }

    /// Removes and returns the first element.
    @inlinable
    public mutating func popFirst() -> Element? {
        guard head < tail else { return nil }
        let element = elements[head].take()
        head += 1
        if head == tail {
            if elements.count > Self.keptCapacity { elements = [] }
            (head, tail) = (0, 0)
        }
        return element
    }
}

extension ReusedQueue: RandomAccessCollection {
    /// Zero.
    @inlinable public var startIndex: Int { 0 }
    /// The number of elements.
    @inlinable public var endIndex: Int { count }
    /// Returns the element at an index, where the next one to be taken is at zero.
    @inlinable
    public subscript(index: Int) -> Element {
        guard let element = elements[head + index] else { preconditionFailure("an element was taken") }
        return element
    }
}

extension ReusedQueue: Sendable where Element: Sendable {}
