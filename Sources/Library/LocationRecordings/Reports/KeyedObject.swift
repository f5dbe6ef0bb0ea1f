/// A JSON object of gpsd with known keys.
protocol KeyedObject {
    associatedtype Key: RawRepresentable & CaseIterable & Sendable where Key.RawValue == String

    static var keys: KeyTable<Key> { get }

    init()

    /// Reads the value of a key; for a value of an unexpected type, sets `nil` and leaves the scanner to skip it.
    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError)
}
