/// An optional value on the heap, which keeps a struct small if it rarely has one; copies share the value until one is
/// changed.
@propertyWrapper
@usableFromInline package struct HeapOptional<Value> {
    // The value alone in an array, which is a reference with the checks that sharing needs. `nil` instead of an empty array, because
    // each copy of a location would count its references, which takes a quarter more time.
    private var storage: [Value]?

    package var wrappedValue: Value? {
        get { storage?.first }
        set {
            guard let newValue else {
                storage = nil
                return
            }
            if isEmpty { storage = [newValue] } else { storage?[0] = newValue }
        }
    }

    /// Whether there is no value, determined without copying it.
    package var isEmpty: Bool { storage == nil }

    /// Creates a box, which allocates only if there is a value.
    package init(wrappedValue: Value?) { storage = wrappedValue.map { [$0] } }

    /// Accesses the value, which is `initial` if there was none, in place.
    subscript(default initial: @autoclosure () -> Value) -> Value {
        get { wrappedValue ?? initial() }
        _modify {
            if isEmpty { storage = [initial()] }
            // There is a value now.
            yield &storage![0]
        }
    }
}

extension HeapOptional: Sendable where Value: Sendable {}
extension HeapOptional: Equatable where Value: Equatable {}
extension HeapOptional: Hashable where Value: Hashable {}
