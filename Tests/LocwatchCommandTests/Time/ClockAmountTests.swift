import LocationCore
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

@Suite struct ClockAmountTests {
    @Test(
        arguments: [
            (0, "0 ns"), (1, "1 ns"), (-850, "850 ns"), (999.6, "1 µs"), (3_200_000, "3.2 ms"),
            (-143_000_000, "143 ms"),
            (5_051_234, "5.05 ms"), (1.5e9, "1.5 s"), (99.9e9, "99.9 s"), (1e11, "1 min 40 s"),
            (619_315_200e9, "7168 d"), (12_345, "12.3 µs"),
        ] as [(Double, String)])
    func `a time has three digits and its unit`(nanoseconds: Double, text: String) {
        #expect(ClockText.amount(nanoseconds, .utf8) == text)
    }

    @Test(
        arguments: [
            (0, "0.000000000"), (1, "0.000000001"), (-1_250, "-0.000001250"), (3_200_000_000, "3.200000000"),
            (.max, "9223372036.854775807"), (.min, "-9223372036.854775808"),
        ] as [(Int64, String)])
    func `nanoseconds are seconds with all their digits`(nanoseconds: Int64, text: String) {
        #expect(TextBuffer.text { $0.put(secondsOf: nanoseconds) } == text)
    }

    @Test(
        arguments: [
            (1.24e-9, "1.2e-9"), (9.96e-7, "1.0e-6"), (0, "0"), (.nan, "0"), (.infinity, "0"), (3, "3.0"),
            (.leastNonzeroMagnitude, "4.9e-324"), (2.5e10, "2.5e10"),
        ] as [(Double, String)])
    func `a small number has two digits and an exponent`(value: Double, text: String) {
        #expect(TextBuffer.text { $0.put(scientific: value) } == text)
    }

    @Test(
        arguments: [
            (3_200_000, "the system clock is 3.2 ms ahead"), (-850, "the system clock is 850 ns behind"),
            (0, "the system clock is right to the nanosecond"),
        ] as [(Int64, String)])
    func `an offset has a description in words`(offset: Int64, words: String) {
        #expect(ClockText.words(offset, .utf8) == words)
    }
}
