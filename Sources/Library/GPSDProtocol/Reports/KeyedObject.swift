/// A JSON object of gpsd with known keys.
protocol KeyedObject {
    associatedtype Key: RawRepresentable & CaseIterable & Sendable where Key.RawValue == String

    static var keys: KeyTable<Key> { get }

    init()

    /// Reads the value of a key; for a value of an unexpected type, sets `nil` and leaves the scanner to skip it.
    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError)

    /// Takes from the cache what the values of the keys were read into, after the last one.
    mutating func take(from cache: inout DecoderCache)
}

extension KeyedObject {
    @inline(__always)
    mutating func take(from cache: inout DecoderCache) {}
}
