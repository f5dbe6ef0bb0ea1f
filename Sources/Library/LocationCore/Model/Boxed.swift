/// An optional value on the heap, which keeps a struct small if it rarely has one; copies share the value until one is
/// set.
@propertyWrapper
@usableFromInline package struct Boxed<Value> {
    fileprivate indirect enum Storage {
        case empty
        case value(Value)
    }

    private var storage: Storage

    package var wrappedValue: Value? {
        get { if case .value(let value) = storage { value } else { nil } }
        set { storage = newValue.map { .value($0) } ?? .empty }
    }

    /// Whether there is no value, determined without copying it.
    var isEmpty: Bool {
        if case .empty = storage { true } else { false }
    }

    /// Creates a box, which allocates only if there is a value.
    package init(wrappedValue: Value?) {
        storage = wrappedValue.map { .value($0) } ?? .empty
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed.Storage: Sendable where Value: Sendable {}

extension Boxed: Equatable where Value: Equatable {
    /// Compares the values, not the boxes.
    @usableFromInline package static func == (left: Boxed, right: Boxed) -> Bool {
        // Usually both are empty, and an absent value is as large to copy as any.
        if left.isEmpty || right.isEmpty { return left.isEmpty == right.isEmpty }
        return left.wrappedValue == right.wrappedValue
    }
}

extension Boxed: Hashable where Value: Hashable {
    /// Hashes the value or its absence.
    @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

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
