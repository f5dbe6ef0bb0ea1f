import Testing

@testable import LocationCore

@Suite struct NamePatternTests {
    @Test(arguments: [
        ("owntracks/fleet/truck7", "owntracks/fleet/truck7", true),
        ("owntracks/fleet/truck7", "truck7", true), ("owntracks/fleet/truck7", "truck*", true),
        ("owntracks/fleet/truck7", "truck?", true), ("owntracks/fleet/truck17", "truck?", false),
        ("owntracks/fleet/truck7", "*/fleet/*", true), ("owntracks/other/truck7", "*/fleet/*", false),
        ("owntracks/fleet/truck7", "fleet", false), ("tcp://127.0.0.1:10210", "tcp*", true), ("tcp://a:1", "*:1", true),
        ("tcp://a:1", "tcp", false), ("owntracks/fleet/truck7", "fleet/*", false),
        ("owntracks/fleet/truck7", "*", true), ("owntracks/fleet/truck7", "*7", true),
        ("owntracks/fleet/truck7", "*8", false), ("owntracks/fleet/truck7", "", false),
        ("/dev/ttyACM0", "/dev/ttyACM0", true), ("/dev/ttyACM0", "/dev/ttyACM1", false),
        ("/dev/ttyACM0", "/dev/tty*", true), ("a/b/c", "a/?/c", true), ("a/ü/c", "a/?/c", true),
        ("a/üx/c", "a/?/c", false), ("a/", "", true), ("aXbXc", "a*b*c", true), ("aXbX", "a*b*c", false),
    ])
    func `a pattern matches whole names or, without a slash, their last part`(
        name: String, pattern: String, isMatch: Bool
    ) {
        #expect(NamePattern(pattern).matches(name) == isMatch)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a pattern of many asterisks does not take exponential time`() {
        let pattern = NamePattern(String(repeating: "*a", count: 200) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 2000)))
    }
}
