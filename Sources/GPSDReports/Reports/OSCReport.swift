/// The state of an oscillator that a receiver disciplines (`OSC`).
public struct OSCReport: Hashable, Sendable {
    /// The device that the report came from.
    public var device: String?
    /// Whether the oscillator is running.
    public var running: Bool?
    /// Whether the oscillator gets the receiver's pulse.
    public var reference: Bool?
    /// Whether the pulse is stable and disciplines the oscillator.
    public var disciplined: Bool?
    /// The nanoseconds between the oscillator's pulse and the receiver's last one.
    public var delta: Int?
    /// Values of unknown keys and values of unexpected types, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// Creates an empty report.
    public init() {}
}

extension OSCReport: KeyedReport {
    enum Key: String, CaseIterable { case device, running, reference, disciplined, delta }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError) {
        switch key {
        case .device: device = try memory.name(from: &scanner)
        case .running: running = scanner.bool()
        case .reference: reference = scanner.bool()
        case .disciplined: disciplined = scanner.bool()
        case .delta: delta = try scanner.integer()
        }
    }
}
