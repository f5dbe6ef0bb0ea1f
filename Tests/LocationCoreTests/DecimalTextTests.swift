import Foundation
import LocationCore
import Testing

@Suite struct DecimalTextTests {
    private func text(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        append(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (45.073612, "45.073612"), (0.1, "0.1"),
            (1e-9, "0.000000001"),
            (-0.25, "-0.25"), (1e22, "1e+22"), (123_456.789, "123456.789"), (100, "100"), (4_472_345.12, "4472345.12"),
            (1.0 / 3, "0.3333333333333333"), (.leastNonzeroMagnitude, "5e-324"),
        ] as [(Double, String)])
    func `the shortest text of a number`(_ value: Double, _ expected: String) {
        #expect(text { DecimalText.append(shortest: value, to: &$0) } == expected)
    }

    @Test func `the shortest text reads back to the same number, and is no longer than Swift's`() {
        var draw = SeededDraw(seed: 5)
        for _ in 0..<20_000 {
            let scale = [1e-7, 1e-3, 1, 1e3, 1e9, 1e15][Int.random(in: 0..<6, using: &draw)]
            var value = draw.uniform(-1...1) * scale
            if Bool.random(using: &draw) { value = (value * 1000).rounded() / 1000 }
            let written = text { DecimalText.append(shortest: value, to: &$0) }
            #expect(Double(written) == value)
            let decimal = text { DecimalText.append(decimal: value, to: &$0) }
            #expect(!decimal.contains("e"))
            #expect(abs((Double(decimal) ?? .nan) - value) <= max(1e-9, abs(value) * 1e-15))
        }
    }

    @Test(
        arguments: [
            (3.14159, 2, 1, "3.14"), (2.5, 0, 1, "3"), (-0.04, 1, 1, "0.0"), (-0.06, 1, 1, "-0.1"), (7, 1, 3, "007.0"),
            (59.9999999, 6, 2, "60.000000"), (1e300, 0, 1, "9000000000"),
        ] as [(Double, Int, Int, String)])
    func `a number with a fixed number of decimals`(_ value: Double, _ decimals: Int, _ digits: Int, _ expected: String)
    {
        #expect(DecimalText.fixed(value, decimals: decimals, digits: digits) == expected)
    }

    @Test(arguments: [(0.0, 2, "0000.000000"), (45.5, 2, "4530.000000"), (-7.999999999999, 3, "00800.000000")])
    func `an angle in degrees and minutes never shows sixty of them`(_ angle: Double, _ digits: Int, _ expected: String)
    {
        #expect(DecimalText.degreesMinutes(angle, degreeDigits: digits) == expected)
    }

    @Test(arguments: [
        (0, 1, "0"), (-5, 2, "-05"), (123, 2, "123"), (Int.min, 1, "-9223372036854775808"),
        (Int.max, 1, "9223372036854775807"),
    ])
    func `a whole number`(_ value: Int, _ digits: Int, _ expected: String) {
        #expect(text { DecimalText.append(value, digits: digits, to: &$0) } == expected)
    }
}
