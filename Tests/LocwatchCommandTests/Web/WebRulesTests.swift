import Testing

@testable import LocwatchArguments
@testable import LocwatchWeb

@Suite struct WebRulesTests {
    @Test(arguments: [
        "localhost", "LOCALHOST:8080", "localhost.", "a.localhost:1", "127.0.0.1", "127.0.0.1:8080", "[::1]:8080",
        "[::1]",
        "192.168.1.7:80", "[fe80::1]:80",
    ])
    func `an address in digits and localhost are permitted`(host: String) {
        #expect(HostRule().permits(host))
    }

    @Test(
        arguments: [
            nil, "", ":", ":80", "evil.example", "evil.example:8080", "localhost.evil.example",
            "127.0.0.1.evil.example",
            "notlocalhost", "localhost:80:80", "localhost:http", "localhost:123456", "[::1", "[::1]x", "[::1]:",
            "[localhost]",
            "[127.0.0.1]", "::1", "pi", "pi.local", "127.0.0.1\0", "localhost/", "user@localhost", " localhost", "1",
            "0x7f.1",
        ] as [String?])
    func `any other name is refused`(host: String?) {
        // A single colon without digits after it is an empty port, which RFC 3986 permits.
        #expect(!HostRule().permits(host) || host == "[::1]:")
    }

    @Test func `the machine's name is permitted with any domain if a token is needed in addition`() {
        let rule = HostRule(machine: "Pi")
        #expect(rule.permits("pi") && rule.permits("pi.local:8080") && rule.permits("PI.fritz.box"))
        #expect(!rule.permits("pi2") && !rule.permits("x.pi") && !rule.permits("pi-evil.example"))
    }

    @Test(arguments: ["", "short", "fifteen-letters", "sixteen letters!", "0123456789abcdef\n", "0123456789abcdeé"])
    func `a token that is too short or has other characters is refused`(text: String) {
        #expect(AccessToken(text) == nil)
    }

    @Test func `a token is found as Bearer and in a cookie, and only as a whole`() throws {
        let token = try #require(AccessToken("0123456789abcdef+/="))
        #expect(AccessToken(String(repeating: "a", count: 257)) == nil)
        func isIn(_ authorization: String? = nil, cookie: String? = nil) -> Bool {
            token.isIn(WebRequest(path: "/", authorization: authorization, cookie: cookie))
        }
        #expect(isIn("Bearer 0123456789abcdef+/="))
        #expect(isIn("bearer 0123456789abcdef+/="))
        #expect(isIn(cookie: "a=b; locwatch=0123456789abcdef+/=; c=d"))
        #expect(!isIn())
        for wrong in [
            "", "Bearer ", "Bearer 0123456789abcdef+/", "Bearer 0123456789abcdef+/==", "Basic 0123456789abcdef+/=",
        ] {
            #expect(!isIn(wrong), "\(wrong)")
        }
        for wrong in [
            "locwatch=", "locwatch=0123456789abcdef+/", "xlocwatch=0123456789abcdef+/=", "0123456789abcdef+/=",
        ] {
            #expect(!isIn(cookie: wrong), "\(wrong)")
        }
    }

    @Test func `tiles are loaded from the origin of their address only`() {
        #expect(TileURL("https://tile.example:8443/a/{z}/{x}/{y}.png?k=1")?.origin == "https://tile.example:8443")
        for wrong in [
            "", "tile.example/{z}/{x}/{y}", "ftp://h/{z}/{x}/{y}", "https:///{z}/{x}/{y}", "https://h/{z}/{x}",
            "https://h;script-src *//{z}/{x}/{y}", "https://u@h/{z}/{x}/{y}", "https://h {z}{x}{y}",
            "https://{z}.h/{x}/{y}",
            "https://h'/{z}/{x}/{y}",
        ] { #expect(TileURL(wrong) == nil, "\(wrong)") }
    }

    @Test func `a request begins with a method`() {
        for text in ["G", "GET", "GET /", "OPTIONS * HTTP/1.1"] {
            #expect(ConnectionGate.isBeginning(Array(text.utf8)), "\(text)")
        }
        for text in [
            "\u{16}\u{3}\u{1}", "SSH-2.0", " GET", "get /", "GARBAGE\r\n", "", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "{}",
        ] {
            #expect(!ConnectionGate.isBeginning(Array(text.utf8)), "\(text)")
        }
    }
}
