import Foundation
import Testing

@testable import LocwatchCommand

private func fixed(_ value: Double, _ decimals: Int) -> String {
    var buffer = TextBuffer()
    buffer.put(fixed: value, decimals: decimals)
    return buffer.text
}

private func shortest(_ value: Double) -> String {
    var buffer = TextBuffer()
    buffer.put(shortest: value)
    return buffer.text
}

/// What C prints, without the sign that it gives to a zero.
private func printed(_ value: Double, _ decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", value)
    return text.hasPrefix("-") && !text.contains(where: { "123456789".contains($0) }) ? String(text.dropFirst()) : text
}

struct FixedPointTests {
    @Test(arguments: [
        (0.0, 7, "0.0000000"), (-0.0, 7, "0.0000000"), (-0.00000001, 7, "0.0000000"), (0.5, 0, "0"), (1.5, 0, "2"),
        (2.5, 0, "2"), (0.125, 2, "0.12"), (0.375, 2, "0.38"), (45.073612, 7, "45.0736120"),
        (-107.6804310499, 7, "-107.6804310"), (179.99999996, 7, "180.0000000"), (0.05, 1, "0.1"), (5.4, 1, "5.4"),
        (9_007_199_254_740_993.0, 3, "9007199254740992.000"), (.leastNonzeroMagnitude, 7, "0.0000000"),
        (1e-7, 7, "0.0000001"),
        (1e18, 2, "1000000000000000000.00"), (0.000000000001, 12, "0.000000000001"),
    ])
    func `a number is rounded from its exact value and never shows minus zero`(
        value: Double, decimals: Int, text: String
    ) {
        #expect(fixed(value, decimals) == text)
    }

    @Test func `every rounding agrees with printf`() {
        var generator = SplitMix(state: 20_261_120)
        for round in 0..<200_000 {
            let decimals = round % 13
            let value: Double
            switch round % 4 {
            case 0: value = Double.random(in: -180...180, using: &generator)
            case 1: value = Double(Int.random(in: -2_000_000...2_000_000, using: &generator)) / 4096
            case 2: value = Double.random(in: -1...1, using: &generator) * 1e-6
            default: value = Double.random(in: -1e9...1e9, using: &generator)
            }
            let (ours, theirs) = (fixed(value, decimals), printed(value, decimals))
            if ours != theirs { Issue.record("\(value) with \(decimals): \(ours), printf: \(theirs)") }
        }
    }

    @Test(arguments: [
        (5.4, "5.4"), (263.9, "263.9"), (0, "0"), (-0.0, "0"), (1, "1"), (-12, "-12"), (45.073612345, "45.073612345"),
        (0.1 + 0.2, "0.30000000000000004"), (1e-5, "0.00001"), (1.25e-7, "0.000000125"),
        (1e21, "1000000000000000000000"),
        (123_456_789_012_345_680, "123456789012345680"), (-1.5e300, "-15" + String(repeating: "0", count: 299)),
        (3.3e-11, "0.000000000033"), (6.02214076e23, "602214076000000000000000"),
    ])
    func `the shortest text has no exponent`(value: Double, text: String) {
        #expect(shortest(value) == text)
        #expect(Double(text) == value)
    }

    @Test func `the shortest text reads back as the same number and is no longer than Swift's own`() {
        var generator = SplitMix(state: 7)
        for round in 0..<200_000 {
            let digits = pow(10, Double(round % 10))
            let value =
                round % 3 == 0
                ? Double.random(in: -1000...1000, using: &generator)
                : (Double.random(in: -180...180, using: &generator) * digits).rounded() / digits
            let text = shortest(value)
            if Double(text) != value { Issue.record("\(value) became \(text)") }
            let own = value.description.hasSuffix(".0") ? String(value.description.dropLast(2)) : value.description
            if !own.contains("e"), value != 0, text != own { Issue.record("\(text) instead of \(own)") }
        }
    }

    @Test func `what is no number is null`() {
        #expect(shortest(.nan) == "null")
        #expect(shortest(.infinity) == "null")
        #expect(fixed(.nan, 2) == "null")
    }
}

/// Numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
