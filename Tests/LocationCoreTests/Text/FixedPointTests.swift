import Foundation
import LocationCore
import TestSupport
import Testing

/// Returns the output of printf, without the sign of a zero.
private func printed(_ value: Double, _ decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", value)
    return text.hasPrefix("-") && !text.contains(where: { "123456789".contains($0) }) ? String(text.dropFirst()) : text
}

@Suite struct FixedPointTests {
    private func fixed(_ value: Double, _ decimals: Int) -> String {
        TextBuffer.text { $0.put(fixed: value, decimals: decimals) }
    }

    @Test(arguments: [
        (0.0, 7, "0.0000000"), (-0.0, 7, "0.0000000"), (-0.00000001, 7, "0.0000000"), (0.5, 0, "0"), (1.5, 0, "2"),
        (2.5, 0, "2"), (0.125, 2, "0.12"), (0.375, 2, "0.38"), (45.073612, 7, "45.0736120"),
        (-107.6804310499, 7, "-107.6804310"), (179.99999996, 7, "180.0000000"), (0.05, 1, "0.1"), (5.4, 1, "5.4"),
        (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (3.14159, 2, "3.14"), (59.9999999, 6, "60.000000"),
        (9_007_199_254_740_993.0, 3, "9007199254740992.000"), (.leastNonzeroMagnitude, 7, "0.0000000"),
        (1e-7, 7, "0.0000001"),
        (1e18, 2, "1000000000000000000.00"), (0.000000000001, 12, "0.000000000001"),
        (1e22, 2, "10000000000000000000000"), (.nan, 2, "null"), (.infinity, 2, "null"),
    ])
    func `a number is rounded from its exact value and is never a negative zero`(
        value: Double, decimals: Int, text: String
    ) {
        #expect(fixed(value, decimals) == text)
    }

    @Test func `every rounding agrees with printf`() {
        var draw = SplitMix64(seed: 20_261_120)
        for round in 0..<50_000 {
            let decimals = round % 13
            let value: Double
            switch round % 5 {
            case 0: value = draw.uniform(-180...180)
            case 4:
                // With few decimals, of which the last one is often 5.
                let scale = pow(10, Double(round % 11))
                value = ((draw.uniform(-1000...1000) * scale).rounded() * 10 + 5) / (scale * 10)
            case 1: value = Double(Int.random(in: -2_000_000...2_000_000, using: &draw)) / 4096
            case 2: value = draw.uniform(-1...1) * 1e-6
            default: value = draw.uniform(-1e9...1e9)
            }
            let (ours, theirs) = (fixed(value, decimals), printed(value, decimals))
            if ours != theirs { Issue.record("\(value) with \(decimals): \(ours), printf: \(theirs)") }
        }
    }
}
