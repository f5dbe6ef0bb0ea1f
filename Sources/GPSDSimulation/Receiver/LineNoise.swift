import LocationCore

/// What goes wrong on a serial line, as probabilities.
public struct LineNoise: Hashable, Sendable {
    /// That a run of random bytes comes with an epoch.
    public var garbage: Double
    /// That a sentence is cut somewhere, its end missing.
    public var torn: Double
    /// That one byte of a sentence is another one, so that its checksum is wrong.
    public var damaged: Double

    /// Noise of some probabilities.
    public init(garbage: Double = 0, torn: Double = 0, damaged: Double = 0) {
        self.garbage = garbage
        self.torn = torn
        self.damaged = damaged
    }

    /// The bytes that arrive when these sentences are sent.
    func applied(to sentences: [NMEASentence], using generator: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = []
        let garbageAt = generator.unit() < garbage ? generator.below(sentences.count + 1) : nil
        for (index, sentence) in sentences.enumerated() {
            if index == garbageAt { bytes += garbageBytes(&generator) }
            var text = sentence.bytes
            if generator.unit() < torn { text.removeLast(2 + generator.below(text.count - 2)) }
            if generator.unit() < damaged, text.count > 8 {
                // Between the dollar sign and the asterisk, where no single change leaves the checksum right.
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
