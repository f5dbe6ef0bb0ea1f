import LocationCore
import Testing

@Suite struct ValueTextTests {
    @Test(
        arguments: [
            ("250ms", .milliseconds(250)), ("10", .seconds(10)), ("1.5m", .seconds(90)), ("1H30m", .seconds(5400)),
            ("36525d", .seconds(36_525 * 86_400)), ("36526d", nil), ("", nil), ("1h30", nil), ("s", nil),
            ("1.2.3s", nil),
            ("1x", nil),
        ] as [(String, Duration?)])
    func `a duration is a sum of units, or one number of seconds`(text: String, duration: Duration?) {
        #expect(DurationText.read(text) == duration)
    }

    @Test func `a plain number has neither an exponent nor another sign than was asked for`() {
        #expect(["5", "-5", "1e5", ".", "1.5"].map { PlainNumber.read($0) } == [5, nil, nil, nil, 1.5])
        #expect(["-5", "+5", "--5"].map { PlainNumber.read($0, signed: true) } == [-5, 5, nil])
        let distance = PlainNumber.quantity("1.5  KM")
        #expect(distance?.number == 1.5 && distance?.unit == "km" && PlainNumber.quantity("km") == nil)
    }

    private static let longest = String(repeating: "a", count: 253)

    @Test(
        arguments: [
            ("pi.local", "pi.local", nil), ("pi_2:65535", "pi_2", 65_535), ("[::1]:1", "::1", 1),
            ("[fe80::A]", "fe80::A", nil),
            (":2947", "", 2947), ("pi:", "pi", nil), (longest, longest, nil),
        ] as [(String, String, UInt16?)])
    func `an address has a host and a port`(text: String, host: String, port: UInt16?) {
        let authority = AddressAuthority(parsing: text[...])
        #expect(authority?.host == host && authority?.port == port)
        #expect(AddressAuthority.text(host, port) == (text == "pi:" ? "pi" : text))
    }

    @Test(arguments: [
        "::1", "[::1", "[1]:2", "[::g]", "[::1]2", "-pi", ".pi", "p i", "pi:0", "pi:65536", "pi:+1", "pi:2x",
        longest + "a",
    ])
    func `a text that is not an address is refused`(text: String) {
        #expect(AddressAuthority(parsing: text[...]) == nil)
    }
}
