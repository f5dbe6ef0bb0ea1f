import LocationCore

/// A SplitMix64 generator, whose numbers for a seed are the same on every machine and in every release.
package struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var numbers: SplitMix64

    /// Creates a generator with a seed.
    package init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    /// Returns the next 64 random bits.
    package mutating func next() -> UInt64 { numbers.next() }
}
