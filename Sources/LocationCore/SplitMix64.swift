/// Random numbers that a seed decides, the same on every machine and in every release: Steele, Lea and Flood's SplitMix64.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    /// What the next number follows from.
    package private(set) var state: UInt64

    /// A generator whose numbers follow from `seed`.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    // The standard library may change how it maps bits to ranges; this may not.

    /// A number from 0 up to 1, which is not reached.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
