import Testing

@testable import LocationPublishing

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("http://example.org", "http://example.org/"),
        ("HTTPS://Example.ORG:443/a", "https://example.org/a"),
        ("http://127.0.0.1:8080?x=1", "http://127.0.0.1:8080/?x=1"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("https://host:/p?q=a:b@c/d?e#part", "https://host/p?q=a:b@c/d?e"),
        ("http://a_b-c.example./%7Euser/;v=1,2", "http://a_b-c.example./%7Euser/;v=1,2"),
    ])
    func `an address is sent in one form`(text: String, sent: String) throws {
        let url = try HTTPURL(text)
        #expect(url.text == sent)
        #expect(try HTTPURL(sent) == url)
    }

    @Test func `an address has its parts`() throws {
        let url = try HTTPURL("https://example.org:8443/pub?id=7")
        #expect(url.scheme == .https && url.host == "example.org" && url.port == 8443)
        #expect(url.path == "/pub" && url.query == "id=7" && url.target == "/pub?id=7")
        #expect(url.origin == "https://example.org:8443")
        #expect(try HTTPURL("http://h").port == 80)
    }

    @Test(
        arguments: [
            ("", .scheme), ("example.org", .scheme), ("/path", .scheme), ("file:///etc/passwd", .scheme),
            ("gopher://example.org/_x", .scheme), ("ftp://example.org", .scheme), ("http:/example.org", .scheme),
            ("javascript:alert(1)", .scheme), (" http://example.org", .scheme), ("http\n://example.org", .scheme),
            ("http://", .host), ("http:///path", .host), ("http://a b", .host), ("http://a\r\nb", .host),
            ("http://exämple.org", .host), ("http://a\\b", .host), ("http://-a", .host), ("http://.a", .host),
            ("http://[::1", .host), ("http://[::1]x", .host), ("http://[fe80::1%25eth0]", .host),
            ("http://::1/", .host),
            ("http://a%2eb/", .host), ("http://[a]/", .host),
            ("http://a:0", .port), ("http://a:65536", .port), ("http://a:+1", .port), ("http://a:8080x", .port),
            ("http://user@a", .credentials), ("http://user:secret@a/", .credentials),
            ("http://a:b@[::1]", .credentials),
            ("http://a/b c", .character), ("http://a/\u{7f}", .character), ("http://a/?q=\r\nHost: b", .character),
            ("http://a/ü", .character), ("http://a/{lat}", .character), ("http://a/\0", .character),
            ("http://a/\\b", .character), ("http://a/\"", .character),
            ("http://a/%", .percentEncoding), ("http://a/%2", .percentEncoding), ("http://a/?%zz", .percentEncoding),
        ] as [(String, HTTPURLFault)])
    func `a text that is not an address is refused with its fault`(text: String, fault: HTTPURLFault) {
        #expect(throws: HTTPError.invalidURL(fault)) { try HTTPURL(text) }
    }

    @Test func `an address that servers would refuse for its length is refused`() throws {
        _ = try HTTPURL("http://a/" + String(repeating: "x", count: 7991))
        #expect(throws: HTTPError.invalidURL(.length)) {
            try HTTPURL("http://a/" + String(repeating: "x", count: 7992))
        }
    }

    @Test func `what is printed leaves the query out`() throws {
        let url = try HTTPURL("https://example.org/hook?token=secret")
        var dumped = ""
        dump(url, to: &dumped)
        for text in ["\(url)", String(reflecting: url), dumped, "\(HTTPRequest(.get, url))"] {
            #expect(!text.contains("secret"))
            #expect(text.contains("https://example.org/hook?…"))
        }
    }
}
