/// A measured number that may be unknown; a number that is not finite counts as unknown.
///
/// It is stored as one `Double`, so that a value with dozens of optional fields stays small.
@propertyWrapper
public struct OptionalDouble: Sendable {
    @usableFromInline var raw: Double

    /// The number, or `nil` if it is unknown.
    @inlinable public var wrappedValue: Double? {
        get { raw.isNaN ? nil : raw }
        set { raw = if let newValue, newValue.isFinite { newValue } else { .nan } }
    }

    /// The bits of the number, or those of NaN; only NaN has all bits of the exponent set, because infinities are not
    /// stored.
    package var bits: UInt64 { raw.bitPattern }

    /// Creates a measured number; infinities and NaN become unknown.
    @inlinable public init(wrappedValue: Double?) {
        raw = .nan
        self.wrappedValue = wrappedValue
    }
}

extension OptionalDouble: Hashable {
    /// Returns whether two numbers are equal; two unknown numbers are, unlike two NaNs.
    @inlinable public static func == (left: OptionalDouble, right: OptionalDouble) -> Bool {
        left.wrappedValue == right.wrappedValue
    }

    /// Hashes the number or its absence.
    @inlinable public func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}

extension OptionalDouble: Codable {
    /// Reads a number or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(Double.self))
    }

    /// Writes the number, or null; in a keyed container an unknown number writes no key.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

// Synthesized Codable conformances select these overloads, so that an unknown number is a missing key.
extension KeyedDecodingContainer {
    /// Reads a number whose key may be absent.
    package func decode(_ type: OptionalDouble.Type, forKey key: Key) throws -> OptionalDouble {
        OptionalDouble(wrappedValue: try decodeIfPresent(Double.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Writes a number, or nothing if it is unknown.
    package mutating func encode(_ value: OptionalDouble, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}
