/// A list of limited length that forgets its oldest elements.
///
/// It is inlinable and public for the reason that `PerDevice` states.
public struct Ring<Element> {
    public let limit: Int
    @usableFromInline var storage: [Element] = []
    /// The place of the oldest element, once the storage is full.
    @usableFromInline var head = 0
    @usableFromInline var appended = 0

    /// The number of elements ever appended.
    @inlinable public var total: Int { appended }

    @inlinable
    public init(limit: Int) { self.limit = Swift.max(1, limit) }

    @inlinable
    public mutating func append(_ element: Element) {
        appended += 1
        guard storage.count == limit else { return storage.append(element) }
        storage[head] = element
        head = head + 1 == limit ? 0 : head + 1
    }

    @inlinable
    public mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        head = 0
    }

    /// Replaces the newest element, if there is one.
    @inlinable
    public mutating func update(_ body: (inout Element) -> Void) {
        guard !storage.isEmpty else { return }
        body(&storage[place(of: storage.count - 1)])
    }

    @inlinable
    func place(of index: Int) -> Int {
        let place = head + index
        return place >= storage.count ? place - storage.count : place
    }
}

extension Ring: RandomAccessCollection {
    @inlinable public var startIndex: Int { 0 }
    @inlinable public var endIndex: Int { storage.count }
    @inlinable public subscript(index: Int) -> Element { storage[place(of: index)] }
}

extension Ring: Sendable where Element: Sendable {}
