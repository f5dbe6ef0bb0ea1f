import LocationCore

/// Random numbers that are the same for the same seed, on every machine and in every release (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var numbers: SplitMix64

    /// A generator whose numbers follow from `seed`.
    public init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 { numbers.next() }
}
