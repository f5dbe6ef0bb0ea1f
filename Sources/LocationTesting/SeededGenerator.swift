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

    /// A number from 0 up to 1, which is not reached.
    mutating func fraction() -> Double { numbers.unit() }

    // The standard library may change how it maps bits to ranges; this may not.

    /// A number from 0 up to a bound, which is not reached.
    mutating func number(below bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }
}
