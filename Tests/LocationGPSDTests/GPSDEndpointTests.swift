import LocationCore
import Testing

@testable import LocationGPSD

@Suite struct GPSDEndpointTests {
    @Test(arguments: [
        ("tracker", "tracker", "2947", nil),
        ("tracker:2948", "tracker", "2948", nil),
        ("tracker:gpsd", "tracker", "gpsd", nil),
        ("tracker:2948:/dev/ttyACM0", "tracker", "2948", "/dev/ttyACM0"),
        (
            "tracker:2947:/dev/serial/by-path/pci-0000:00:14.0", "tracker", "2947",
            "/dev/serial/by-path/pci-0000:00:14.0"
        ),
        ("192.0.2.7:1000", "192.0.2.7", "1000", nil),
        ("[::1]", "::1", "2947", nil),
        ("[::1]:2948", "::1", "2948", nil),
        ("[fe80::1%eth0]:2948:/dev/ttyUSB0", "fe80::1%eth0", "2948", "/dev/ttyUSB0"),
        ("::1", "::1", "2947", nil),
        ("2001:db8::192.0.2.1", "2001:db8::192.0.2.1", "2947", nil),
        ("dead:2947:beef", "dead", "2947", "beef"),
        (":2948", "localhost", "2948", nil),
        ("tracker:", "tracker", "2947", nil),
        ("tracker::/dev/ttyUSB0", "tracker", "2947", "/dev/ttyUSB0"),
        ("fe80::1%eth0", "fe80::1%eth0", "2947", nil),
        ("straße_1.local", "straße_1.local", "2947", nil),
        ("gpsd://", "localhost", "2947", nil),
        ("gpsd:///dev/ttyACM0", "localhost", "2947", "/dev/ttyACM0"),
        ("gpsd://tracker:2947:gps0", "tracker", "2947", "gps0"),
        ("gpsd://tracker", "tracker", "2947", nil),
        ("gpsd://tracker/", "tracker", "2947", nil),
        ("gpsd://tracker:2948/dev/ttyACM0", "tracker", "2948", "/dev/ttyACM0"),
        ("gpsd://tracker:2948:/dev/ttyACM0", "tracker", "2948", "/dev/ttyACM0"),
        ("gpsd://[::1]:2948/dev/ttyACM0", "::1", "2948", "/dev/ttyACM0"),
    ])
    func `an endpoint is parsed in each of its forms`(
        text: String, host: String, port: String, device: String?
    ) throws {
        let endpoint = try GPSDEndpoint(parsing: text)
        #expect(endpoint == GPSDEndpoint(host: host, port: port, device: device))
        #expect(try GPSDEndpoint(parsing: endpoint.description) == endpoint, "the description parses back")
        #expect(try GPSDEndpoint(parsing: endpoint.url) == endpoint, "the URL parses back")
    }

    @Test(arguments: [
        ("", InvalidValue.noHost), ("[]:2947", .noHost),
        ("a b", .badHost("a b")), ("tracker\u{1B}:2947", .badHost("tracker\u{1B}")), ("a/b", .badHost("a/b")),
        ("tracker:0", .badPort("0")), ("tracker:65536", .badPort("65536")), ("tracker:+5", .badPort("+5")),
        ("tracker:2947x", .badPort("2947x")), ("tracker:-1", .badPort("-1")), ("tracker:x!", .badPort("x!")),
        ("tracker:2947:", .noDevice),
        ("[::1", .badBrackets), ("[::1]2947", .badBrackets), ("[tracker]", .badBrackets),
        ("[fe80::1%]", .badBrackets),
    ])
    func `an invalid endpoint throws its fault`(text: String, fault: InvalidValue) {
        #expect(throws: fault) { try GPSDEndpoint(parsing: text) }
    }

    @Test(arguments: [
        (InvalidValue.noHost, "the host is missing"),
        (.badHost("a\u{1B} b"), #""a\x1b b" is neither the name of a host nor an address"#),
        (.badPort("0"), #"the port "0" is neither a number from 1 to 65535 nor the name of a service"#),
        (.noDevice, "the device after the last colon is missing"),
        (.badBrackets, "brackets must enclose an IPv6 address, as in [::1]:2947"),
    ])
    func `each fault is a sentence, without the control characters of the text`(fault: InvalidValue, sentence: String) {
        #expect("\(fault)" == sentence)
    }

    @Test func `a text without a port has the default port`() throws {
        #expect(try GPSDEndpoint(parsing: "tracker", defaultPort: "0").port == "0")
        #expect(try GPSDEndpoint(parsing: "tracker:2948", defaultPort: "0").port == "2948")
    }

    @Test(arguments: [
        (GPSDEndpoint(host: "::1", device: "/dev/a"), "gpsd://[::1]:2947/dev/a"),
        (GPSDEndpoint(host: "tracker", device: "gps0"), "gpsd://tracker:2947:gps0"),
    ])
    func `a URL holds the device`(endpoint: GPSDEndpoint, url: String) {
        #expect(endpoint.url == url)
    }

    @Test(arguments: [
        ("localhost", true), ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("tracker", false),
        ("::2", false),
    ])
    func `only a loopback host is local`(host: String, isLocal: Bool) {
        #expect(GPSDEndpoint(host: host).isLocal == isLocal)
    }
}
