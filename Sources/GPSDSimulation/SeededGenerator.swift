import Glibc
import LocationCore

/// Random numbers that a seed decides, the same on every machine and in every release.
public struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var numbers: SplitMix64

    /// A generator; each stream of a seed is independent of the others.
    public init(seed: UInt64, stream: UInt64 = 0) {
        var seeds = SplitMix64(seed: seed)
        _ = seeds.next()
        numbers = SplitMix64(seed: seeds.state ^ stream &* 0xD1B5_4A32_D192_ED03)
        _ = numbers.next()
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 { numbers.next() }

    /// A number from 0 to below 1.
    mutating func unit() -> Double { numbers.unit() }

    /// A number of the normal distribution of mean 0 and deviation 1.
    mutating func normal() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
    }

    /// A whole number from 0 to below a bound.
    mutating func below(_ bound: Int) -> Int { Int(clamping: unit() * Double(bound)) }
}
