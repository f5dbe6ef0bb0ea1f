/// A measured number that may be unknown: unknown is `nil`, and what is no finite number counts as unknown.
///
/// The storage is one `Double`, so that a value with dozens of optional fields stays small.
@propertyWrapper
public struct Measured: Sendable {
    @usableFromInline var raw: Double

    /// The number, or `nil` where it is unknown.
    @inlinable public var wrappedValue: Double? {
        get { raw.isNaN ? nil : raw }
        set { raw = if let newValue, newValue.isFinite { newValue } else { .nan } }
    }

    /// The number's bits, or those of NaN: the bits of the exponent are all set, which they are of no number.
    package var bits: UInt64 { raw.bitPattern }

    /// Wraps a number; infinities and NaN become unknown.
    @inlinable public init(wrappedValue: Double?) {
        raw = .nan
        self.wrappedValue = wrappedValue
    }
}

extension Measured: Hashable {
    /// Two unknowns are equal, which two NaNs are not.
    @inlinable public static func == (left: Measured, right: Measured) -> Bool {
        left.wrappedValue == right.wrappedValue
    }

    /// Hashes the number or its absence.
    @inlinable public func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}

extension Measured: Codable {
    /// Reads a number or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(Double.self))
    }

    /// Writes the number, or null; inside a keyed container an unknown number leaves no key at all.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

// Synthesized Codable conformances pick these overloads, so that an unknown number is an absent key.
extension KeyedDecodingContainer {
    /// Reads a number whose key may be absent.
    public func decode(_ type: Measured.Type, forKey key: Key) throws -> Measured {
        Measured(wrappedValue: try decodeIfPresent(Double.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Writes a number, or nothing where it is unknown.
    public mutating func encode(_ value: Measured, forKey key: Key) throws {
        try encodeIfPresent(value.wrappedValue, forKey: key)
    }
}
