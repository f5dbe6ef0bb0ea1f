import Foundation

/// Random numbers that come out the same in every run (an xorshift generator).
struct SeededDraw: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func uniform(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

    /// A number from the normal distribution.
    mutating func normal() -> Double {
        (-2 * log(uniform(1e-300...1))).squareRoot() * cos(uniform(0...2 * .pi))
    }
}
