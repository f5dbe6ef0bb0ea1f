import Glibc

/// Random numbers that a seed decides, the same on every machine and in every release.
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    /// A generator; each stream of a seed is independent of the others.
    public init(seed: UInt64, stream: UInt64 = 0) {
        state = seed
        _ = next()
        state ^= stream &* 0xD1B5_4A32_D192_ED03
        _ = next()
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number of the normal distribution of mean 0 and deviation 1.
    mutating func normal() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
    }

    /// A whole number from 0 to below a bound.
    mutating func below(_ bound: Int) -> Int { Int(unit() * Double(bound)) }
}
