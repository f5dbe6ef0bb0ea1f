import Foundation
import LocationCore
import TestSupport
import Testing

@Suite struct DecimalTextTests {
    private func shortest(_ value: Double) -> String { TextBuffer.text { $0.put(shortest: value) } }

    @Test(
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (-12, "-12"), (5.4, "5.4"), (45.073612, "45.073612"),
            (0.1, "0.1"), (1e-9, "0.000000001"), (-0.25, "-0.25"), (123_456.789, "123456.789"), (100, "100"),
            (4_472_345.12, "4472345.12"), (1.0 / 3, "0.3333333333333333"), (45.073612345, "45.073612345"),
            (0.1 + 0.2, "0.30000000000000004"), (1e-5, "0.00001"), (1.25e-7, "0.000000125"),
            (3.3e-11, "0.000000000033"), (.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"),
            (1e21, "1000000000000000000000"), (123_456_789_012_345_680, "123456789012345680"),
            (-1.5e300, "-15" + String(repeating: "0", count: 299)), (6.02214076e23, "602214076000000000000000"),
        ] as [(Double, String)])
    func `the shortest text of a number has no exponent`(_ value: Double, _ expected: String) {
        #expect(shortest(value) == expected)
        #expect(Double(expected) == value)
    }

    @Test func `the shortest text reads back to the same number and matches Swift's own`() {
        var draw = SplitMix64(seed: 5)
        for round in 0..<50_000 {
            let digits = pow(10, Double(round % 10))
            let scale = [1e-7, 1e-3, 1, 180, 1000, 1e9, 1e15][round % 7]
            var value = draw.uniform(-1...1) * scale
            if round % 3 > 0 { value = (value * digits).rounded() / digits }
            let text = shortest(value)
            if Double(text) != value { Issue.record("\(value) became \(text)") }
            let own = value.description.hasSuffix(".0") ? String(value.description.dropLast(2)) : value.description
            if !own.contains("e"), value != 0, text != own { Issue.record("\(text) instead of \(own)") }
            if text.contains("e") { Issue.record("\(text) has an exponent") }
        }
    }

    @Test(arguments: [(2.5, 3, "2.5"), (-0.0004, 3, "0"), (100, 2, "100"), (0.995, 2, "0.99"), (1e300, 0, nil)])
    func `a trimmed number has no trailing zeros`(_ value: Double, _ decimals: Int, _ expected: String?) {
        let written = TextBuffer.text { $0.put(trimmed: value, decimals: decimals) }
        #expect(written == expected ?? "1" + String(repeating: "0", count: 300))
    }

    @Test func `a number that is not finite is null`() {
        #expect(shortest(.nan) == "null")
        #expect(shortest(-.infinity) == "null")
    }

    @Test(
        arguments: [
            (0, "+0 0.0"), (-12.5, "-12 30.0"), (-0.5, "-0 30.0"), (-0.001, "-0 0.1"), (-0.0001, "+0 0.0"),
            (-1, "-1 0.0"), (59.9999, "+60 0.0"), (0x1p53, nil),
        ] as [(Double, String?)])
    func `an angle is negative unless it rounds to zero`(_ angle: Double, _ expected: String?) {
        let rounded = SexagesimalAngle(angle, in: .minutes, decimals: 1)
        #expect(rounded.map { "\($0.isNegative ? "-" : "+")\($0.degrees) \($0.units).\($0.fraction)" } == expected)
    }

    @Test(arguments: [(0, 1, "0"), (5, 2, "05"), (123, 2, "123"), (Int.max, 1, "9223372036854775807")])
    func `an integer is written with leading zeros`(_ value: Int, _ digits: Int, _ expected: String) {
        #expect(DecimalText.padded(value, to: digits) == expected)
        #expect(TextBuffer.text { $0.put(digits: UInt64(value), width: digits) } == expected)
    }

    @Test func `a whole number has its sign`() {
        #expect(TextBuffer.text { $0.put(-120) } == "-120")
        #expect(TextBuffer.text { $0.put(digits: .max) } == "18446744073709551615")
    }
}
