/// An optional value on the heap, which keeps a struct small if it rarely has one; copies share the value until one is
/// changed.
@propertyWrapper
@usableFromInline package struct Boxed<Value> {
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
    var isEmpty: Bool { storage == nil }

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

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}

extension Boxed: Decodable where Value: Decodable {
    /// Reads a value or null.
    @usableFromInline package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(Value.self))
    }
}

extension Boxed: Encodable where Value: Encodable {
    /// Writes the value, or null; in a keyed container a missing value writes no key.
    @usableFromInline package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

// Synthesized Codable conformances select these overloads, so that a missing value is a missing key.
extension KeyedDecodingContainer {
    /// Reads a value whose key may be absent.
    package func decode<Value: Decodable>(_ type: Boxed<Value>.Type, forKey key: Key) throws -> Boxed<Value> {
        Boxed(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Writes a value, or nothing if it is `nil`.
    package mutating func encode<Value: Encodable>(_ value: Boxed<Value>, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}
