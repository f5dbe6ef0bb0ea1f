/// A generator of pseudorandom numbers that are the same for the same seed on every machine and in every release.
///
/// The algorithm is SplitMix64 by Steele, Lea and Flood. The conversions to other distributions are part of the type
/// because those of the standard library may change.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package init(seed: UInt64, stream: UInt64) {
        var seeds = SplitMix64(seed: seed)
        _ = seeds.next()
        self.init(seed: seeds.state ^ stream &* 0xD1B5_4A32_D192_ED03)
        _ = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a whole number from 0 up to, but not including, a positive bound.
    package mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

    /// Returns a number of nearly the standard normal distribution: the sum of twelve uniform ones.
    package mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += unit() }
        return sum
    }
}
