/// A list of limited length that forgets its oldest elements.
struct Ring<Element> {
    let limit: Int
    private var storage: [Element] = []
    /// The place of the oldest element, once the storage is full.
    private var head = 0
    /// The number of elements ever appended.
    private(set) var total = 0

    init(limit: Int) { self.limit = Swift.max(1, limit) }

    mutating func append(_ element: Element) {
        total += 1
        guard storage.count == limit else { return storage.append(element) }
        storage[head] = element
        head = head + 1 == limit ? 0 : head + 1
    }

    mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        head = 0
    }

    /// Replaces the newest element, if there is one.
    mutating func update(_ body: (inout Element) -> Void) {
        guard !storage.isEmpty else { return }
        body(&storage[place(of: storage.count - 1)])
    }

    private func place(of index: Int) -> Int {
        let place = head + index
        return place >= storage.count ? place - storage.count : place
    }
}

extension Ring: RandomAccessCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { storage.count }
    subscript(index: Int) -> Element { storage[place(of: index)] }
}

extension Ring: Sendable where Element: Sendable {}
