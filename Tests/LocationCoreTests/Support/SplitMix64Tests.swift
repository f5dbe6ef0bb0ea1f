import Testing

@testable import LocationCore

@Suite struct SplitMix64Tests {
    @Test func `the numbers of a seed are those of the algorithm`() {
        var numbers = SplitMix64(seed: 1_234_567)
        #expect((0..<3).map { _ in numbers.next() } == [6457827717110365317, 3203168211198807973, 9817491932198370423])
    }
}
