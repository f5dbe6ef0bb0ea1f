import Testing

@testable import LocationCore

struct NumberTextTests {
    private func text(_ put: (inout TextBuffer) -> Void) -> String {
        var buffer = TextBuffer()
        buffer.put("<")
        put(&buffer)
        buffer.put(">")
        return buffer.text
    }

    @Test(arguments: [(45.073612, "<45.0736120>"), (-0.0, "<0.0000000>"), (1e19, "<10000000000000000000>")])
    func `a number has the requested decimals`(value: Double, expected: String) {
        #expect(text { $0.put(fixed: value, decimals: 7) } == expected)
    }

    @Test(arguments: [(5.40, "<5.4>"), (0.1 + 0.2, "<0.30000000000000004>"), (1e-5, "<0.00001>"), (.nan, "<null>")])
    func `both conversions write the shortest text of a number`(value: Double, expected: String) {
        #expect(text { $0.put(shortest: value) } == expected)
    }

    @Test func `trailing zeros of a fraction are omitted`() {
        #expect(text { $0.put(trimmed: 2.5004, decimals: 3) } == "<2.5>")
    }

    @Test func `a whole number has its sign and the requested number of digits`() {
        #expect(text { $0.put(-120) } == "<-120>")
        #expect(text { $0.put(digits: 7, width: 3) } == "<007>")
        #expect(text { $0.put(digits: .max) } == "<18446744073709551615>")
    }
}
