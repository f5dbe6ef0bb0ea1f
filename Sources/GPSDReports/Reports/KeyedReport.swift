/// An object of gpsd's JSON whose keys are known.
protocol KeyedObject {
    associatedtype Key: RawRepresentable & CaseIterable & Sendable where Key.RawValue == String

    static var keys: KeyTable<Key> { get }

    init()

    /// Reads the value of a key; where it is of another kind than the key's, sets `nil` and leaves it to the scanner.
    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError)
}

/// An object that keeps the values it has no place for.
protocol KeyedReport: KeyedObject {
    var unknownKeys: [String: JSONFragment] { get set }
}
