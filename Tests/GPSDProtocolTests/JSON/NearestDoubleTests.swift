import Foundation
import GPSDProtocol
import LocationCore
import TestSupport
import Testing

/// Numbers are read through the decoder, as in use, and compared with `strtod`.
@Suite struct NearestDoubleTests {
    /// The number of values of each kind; `LOCWATCH_NUMBERS=50000000` tries that many.
    static let count =
        ProcessInfo.processInfo.environment["LOCWATCH_NUMBERS"].flatMap(Int.init) ?? Coverage.cases(40_000)

    /// Returns the first number that the decoder reads differently from `strtod`.
    func firstMismatch(_ numbers: some Sequence<String>) throws -> String? {
        var decoder = ReportDecoder()
        for number in numbers {
            let line = #"{"class":"TPV","lat":\#(number),"lon": \#(number) }"#
            guard case .tpv(let report) = try decoder.decode(line) else { return number }
            let expected = strtod(number, nil)
            for read in [report.lat, report.lon] where (read ?? .infinity).bitPattern != expected.bitPattern {
                if read == nil, expected.isInfinite { continue }
                return number
            }
        }
        return nil
    }

    func check(seed: UInt64, _ make: (inout SplitMix64) -> String) throws {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<Self.count / 100 {
            #expect(try firstMismatch((0..<100).map { _ in make(&generator) }) == nil)
        }
    }

    @Test func `numbers as gpsd prints them become the nearest double`() throws {
        try check(seed: 1) { generator in
            let magnitude = pow(10, Double.random(in: -3...7, using: &generator))
            let value = Double.random(in: -magnitude...magnitude, using: &generator)
            return String(format: "%.\(Int.random(in: 1...9, using: &generator))f", value)
        }
    }

    @Test func `numbers with any count of digits before and after the point become the nearest double`() throws {
        var generator = SplitMix64(seed: 2)
        func digits(_ count: Int) -> String {
            String((0..<count).map { _ in "0123456789".randomElement(using: &generator) ?? "0" })
        }
        var numbers: [String] = []
        for whole in 1...24 {
            for fraction in 0...24 {
                for _ in 0..<10 {
                    let first =
                        whole == 1 ? digits(1) : "\(Int.random(in: 1...9, using: &generator))" + digits(whole - 1)
                    let number = fraction == 0 ? first : first + "." + digits(fraction)
                    numbers += [number, "-" + number, number + "e5", number + "E-7"]
                }
            }
        }
        #expect(try firstMismatch(numbers) == nil)
    }

    @Test func `numbers of up to 40 digits with any exponent become the nearest double`() throws {
        try check(seed: 5) { generator in
            let digits = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
                String(Int.random(in: 0...9, using: &generator))
            }
            return "1\(digits.joined())e\(Int.random(in: -400...330, using: &generator))"
        }
    }

    @Test(
        arguments: [
            "0", "0.0", "-0", "-0.0", "0e0", "0.000000000000000000000000000000000000000000000001",
            "9007199254740993", "9007199254740992", "9007199254740991", "18446744073709551615", "18446744073709551616",
            "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308", "4.9e-324", "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308",
            "1e308", "1e309", "1e-400",
            "123456789012345678901234567890e-10", "0.1", "0.3", "1e22", "1e23", "8.5", "9999999.99999999",
            "1234567.12345678",
            "7.00000000000000000000000", "100000000", "12345678", "1.12345678", "1.123456789", "123.123456789012",
            "1234567.123456789012345",
            "45.073612345", "-121.314078600", "6929495644600919.5", "3.237883913302901e-319",
            "9355950000000000000.00000000000000000000000000001844674407370955161600000184467440737095516161844674407370955161407370955161618446744073709551616000184467440737095516166000001844674407370955161618446744073709551614073709551616184467440737095516160001844674407370955161601844674407370955674451616184467440737095516140737095516161844674407370955161600018446744073709551616018446744073709551611616000184467440737095001844674407370955161600184467440737095516160018446744073709551168164467440737095516160001844073709551616018446744073709551616184467440737095516160001844674407536910751601611616000184467440737095001844674407370955161600184467440737095516160018446744073709551616184467440737095516160001844955161616000184467440753691075160018446744073709",
        ])
    func `a hard number becomes the nearest double`(number: String) throws {
        #expect(try firstMismatch([number]) == nil)
    }

    @Test func `a number of 60,000 digits becomes the nearest double`() throws {
        let zeros = String(repeating: "0", count: 60_000)
        #expect(
            try firstMismatch(["0.\(zeros)1e60000", "1\(zeros)e-60000", "1.\(zeros)1", "9007199254740993.\(zeros)1"])
                == nil)
    }
}
