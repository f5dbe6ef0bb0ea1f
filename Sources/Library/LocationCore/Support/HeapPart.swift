/// A part of a value that takes memory, on the heap, only while there is one.
///
/// Unlike that of `Boxed`, the part is changed in place. Copies share it until one of them changes it.
struct HeapPart<Value> {
    // An array is a reference with the checks that sharing needs; it has one element at most.
    private var storage: [Value] = []

    var isEmpty: Bool { storage.isEmpty }

    var value: Value? { storage.first }

    init() {}

    mutating func set(_ value: Value?) {
        guard let value else { return remove() }
        if storage.isEmpty { storage.append(value) } else { storage[0] = value }
    }

    /// Removes the part and frees its memory.
    mutating func remove() {
        if !storage.isEmpty { storage = [] }
    }

    /// Accesses the part, which is `initial` if there was none, in place.
    subscript(default initial: @autoclosure () -> Value) -> Value {
        get { storage.first ?? initial() }
        _modify {
            if storage.isEmpty { storage.append(initial()) }
            yield &storage[0]
        }
    }
}

extension HeapPart: Sendable where Value: Sendable {}
extension HeapPart: Equatable where Value: Equatable {}
extension HeapPart: Hashable where Value: Hashable {}
