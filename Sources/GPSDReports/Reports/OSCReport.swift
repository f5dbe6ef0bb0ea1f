/// The state of an oscillator that a receiver disciplines (`OSC`).
package struct OSCReport: Hashable, Sendable {
    /// The device that the report came from.
    package var device: String?
    /// Whether the oscillator is running.
    package var running: Bool?
    /// Whether the oscillator gets the receiver's pulse.
    package var reference: Bool?
    /// Whether the pulse is stable and disciplines the oscillator.
    package var disciplined: Bool?
    /// The nanoseconds between the oscillator's pulse and the receiver's last one.
    package var delta: Int?
    /// Values of unknown keys and values of unexpected types, by key.
    package var unknownKeys: [String: JSONFragment] = [:]

    /// Creates an empty report.
    package init() {}
}

extension OSCReport: KeyedReport {
    enum Key: String, CaseIterable { case device, running, reference, disciplined, delta }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
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
