import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand

@Suite struct WebRulesTests {
    @Test(arguments: [
        "localhost", "LOCALHOST:8080", "localhost.", "a.localhost:1", "127.0.0.1", "127.0.0.1:8080", "[::1]:8080",
        "[::1]", "192.168.1.7:80", "[fe80::1]:80",
        // A colon without digits after it is an empty port, which RFC 3986 permits.
        "[::1]:",
    ])
    func `an address in digits and localhost are permitted`(host: String) {
        #expect(HostRule().permits(host))
    }

    @Test(
        arguments: [
            nil, "", ":", ":80", "evil.example", "evil.example:8080", "localhost.evil.example",
            "127.0.0.1.evil.example",
            "notlocalhost", "localhost:80:80", "localhost:http", "localhost:123456", "[::1", "[::1]x",
            "[localhost]", "[127.0.0.1]", "::1", "pi", "pi.local", "127.0.0.1\0", "localhost/", "user@localhost",
            " localhost", "1",
            "0x7f.1",
        ] as [String?])
    func `any other name is refused`(host: String?) {
        #expect(!HostRule().permits(host))
    }

    @Test func `a name of the machine is permitted as a whole if a token is needed in addition`() {
        let rule = HostRule(names: ["Pi", "pi.local", "gate.example.org"])
        #expect(rule.permits("pi") && rule.permits("PI.local:8080") && rule.permits("gate.example.org."))
        for other in [
            "pi2", "x.pi", "pi.evil.example", "pi.fritz.box", "gate", "gate.evil.example", "pi.local.evil.example",
        ] {
            #expect(!rule.permits(other), "\(other)")
        }
    }

    @Test(arguments: ["", "short", "fifteen-letters", "sixteen letters!", "0123456789abcdef\n", "0123456789abcdeé"])
    func `a token that is too short or has other characters is refused`(text: String) {
        #expect(AccessToken(text, port: 8080) == nil)
    }

    @Test func `a token is found as Bearer, and its cookie, and only as a whole`() throws {
        let token = try #require(AccessToken("0123456789abcdef+/=", port: 8080))
        let header = try #require(token.cookieHeaders(isEncrypted: false).first?.value)
        let value = String(header.prefix { $0 != ";" }.dropFirst("locwatch-8080=".count))
        #expect(AccessToken(String(repeating: "a", count: 257), port: 8080) == nil)
        func isIn(_ authorization: String? = nil, cookie: String? = nil) -> Bool {
            token.isIn(WebRequest(path: "/", authorization: authorization, cookie: cookie))
        }
        #expect(isIn("Bearer 0123456789abcdef+/="))
        #expect(isIn("bearer 0123456789abcdef+/="))
        #expect(isIn(cookie: "a=b; locwatch-8080=\(value); c=d"))
        #expect(!isIn())
        for wrong in [
            "", "Bearer ", "Bearer 0123456789abcdef+/", "Bearer 0123456789abcdef+/==", "Basic 0123456789abcdef+/=",
            "Bearer \(value)",
        ] {
            #expect(!isIn(wrong), "\(wrong)")
        }
        for wrong in [
            "locwatch-8080=", "locwatch-8080=\(value.dropLast())", "xlocwatch-8080=\(value)", value,
            "locwatch=\(value)",
            "locwatch-8081=\(value)", "locwatch=0123456789abcdef+/=", "locwatch-8080=0123456789abcdef+/=",
        ] {
            #expect(!isIn(cookie: wrong), "\(wrong)")
        }
    }

    @Test func `each start has another cookie, which does not depend on the token`() throws {
        let values = try (0..<100).map { _ in
            try #require(AccessToken("0123456789abcdef", port: 8080)?.cookieHeaders(isEncrypted: false).first?.value)
        }
        #expect(Set(values).count == 100)
        #expect(values.allSatisfy { $0.contains(#/^locwatch-8080=[0-9a-f]{64};/#) })
    }

    @Test func `tiles are loaded from the origin of their address only`() {
        let server = TileURL("https://tile.example:8443/a/{z}/{x}/{y}.png?k=1")
        #expect(server?.origin == "https://tile.example:8443" && server?.host == "tile.example")
        #expect(TileURL("http://[::1]/{z}/{x}/{y}") == nil && TileURL("http://10.0.0.1/{z}/{x}/{y}") != nil)
        for wrong in [
            "", "tile.example/{z}/{x}/{y}", "ftp://h/{z}/{x}/{y}", "https:///{z}/{x}/{y}", "https://h/{z}/{x}",
            "https://h;script-src *//{z}/{x}/{y}", "https://u@h/{z}/{x}/{y}", "https://h {z}{x}{y}",
            "https://{z}.h/{x}/{y}",
            "https://h'/{z}/{x}/{y}", "https://h\"/{z}/{x}/{y}", "https://h,*/{z}/{x}/{y}", "https://*/{z}/{x}/{y}",
            "https://h%3b/{z}/{x}/{y}", "https://h/{z}/{x}/{y}\r\nX: y", "https://{s}.h/{z}/{x}/{y}",
            "https://h/{z}/{x}/{y}{r}.png", "https://h/{z}/{x}/{y}/{y}", "https://h/{z}/{x}/{y}}",
            "https://h/\(String(repeating: "a", count: 500))/{z}/{x}/{y}", "HTTPS://h/{z}/{x}/{y}",
            "javascript://h/{z}/{x}/{y}", "https://h:99999/{z}/{x}/{y}",
        ] {
            #expect(TileURL(wrong) == nil, "\(wrong)")
            #expect(TileSource(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `the source of tiles is a file unless it looks like an address`() {
        #expect(TileSource("streets.mbtiles") == .file("streets.mbtiles"))
        #expect(TileSource("/data/a b;c.db")?.file == "/data/a b;c.db")
        #expect(TileSource("http://h/{z}/{x}/{y}")?.server?.origin == "http://h")
        for wrong in ["", "file:///streets.mbtiles", "https://h/streets.mbtiles", "h/{z}/{x}/{y}"] {
            #expect(TileSource(wrong) == nil, "\(wrong)")
        }
    }
}
