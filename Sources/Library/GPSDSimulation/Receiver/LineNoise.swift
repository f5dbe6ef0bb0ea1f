import LocationCore

/// The noise on a serial line, as probabilities.
package struct LineNoise: Hashable, Sendable {
    /// The probability that an epoch contains a run of random bytes.
    var garbage = 0.0
    /// The probability that a sentence is truncated.
    var torn = 0.0
    /// The probability that one byte of a sentence is changed, so that its checksum is wrong.
    var damaged = 0.0

    /// Returns the bytes that arrive when sentences are sent.
    func applied(to sentences: [NMEASentence], using generator: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = []
        let garbageAt = generator.unit() < garbage ? generator.below(sentences.count + 1) : nil
        for (index, sentence) in sentences.enumerated() {
            if index == garbageAt { bytes += garbageBytes(&generator) }
            var text = sentence.bytes
            if generator.unit() < torn { text.removeLast(2 + generator.below(text.count - 2)) }
            if generator.unit() < damaged, text.count > 8 {
                // Between the dollar sign and the asterisk every change of a single byte invalidates the checksum.
                text[1 + generator.below(text.count - 6)] ^= UInt8(1 + generator.below(127))
            }
            bytes += text
        }
        if garbageAt == sentences.count { bytes += garbageBytes(&generator) }
        return bytes
    }

    private func garbageBytes(_ generator: inout SplitMix64) -> [UInt8] {
        (0..<1 + generator.below(80)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }
}
