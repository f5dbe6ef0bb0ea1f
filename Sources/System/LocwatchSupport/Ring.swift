/// A list of limited length that forgets its oldest elements.
///
/// It is inlinable and public for the reason that `PerDevice` states.
public struct Ring<Element> {
    /// The greatest number of elements.
    public let limit: Int
    @usableFromInline var storage: [Element] = []
    /// The place of the oldest element, once the storage is full.
    @usableFromInline var head = 0
    @usableFromInline var appended = 0

    /// The number of elements ever appended.
    @inlinable public var total: Int { appended }

    /// Creates an empty list for at least one element.
    @inlinable
    public init(limit: Int) { self.limit = Swift.max(1, limit) }

    /// Appends an element; the oldest one is dropped from a full list.
    @inlinable
    public mutating func append(_ element: Element) {
        appended += 1
        guard storage.count == limit else { return storage.append(element) }
        storage[head] = element
        head = head + 1 == limit ? 0 : head + 1
    }

    /// Removes all elements.
    @inlinable
    public mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        head = 0
    }

    /// Replaces the newest element, or one that is older by `age` elements, if there is one.
    @inlinable
    public mutating func update(_ age: Int = 0, _ body: (inout Element) -> Void) {
        guard 0..<storage.count ~= age else { return }
        body(&storage[place(of: storage.count - 1 - age)])
    }

    @inlinable
    func place(of index: Int) -> Int {
        let place = head + index
        return place >= storage.count ? place - storage.count : place
    }
}

extension Ring: RandomAccessCollection {
    /// Zero.
    @inlinable public var startIndex: Int { 0 }
    /// The number of elements.
    @inlinable public var endIndex: Int { storage.count }
    /// Returns the element at an index, where the oldest one is at zero.
    @inlinable public subscript(index: Int) -> Element { storage[place(of: index)] }
}

extension Ring: Sendable where Element: Sendable {}
