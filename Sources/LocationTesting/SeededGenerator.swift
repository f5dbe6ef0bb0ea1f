/// Random numbers that are the same for the same seed, on every machine and in every release (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// A generator whose numbers follow from `seed`.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    // The standard library may change how it maps bits to ranges; these two may not.

    /// A number from 0 up to 1, which is not reached.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number from 0 up to a bound, which is not reached.
    mutating func number(below bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }
}
