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

    /// The examples of RFC 3986, 5.4, whose base is `http://a/b/c/d;p?q`.
    @Test(arguments: [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"),
        ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"),
        ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"),
        ("../..", "/"), ("../../", "/"), ("../../g", "/g"), ("../../../g", "/g"), ("../../../../g", "/g"),
        ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"),
        ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"),
        ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"), ("g?y/./x", "/b/c/g?y/./x"),
    ])
    func `a reference is resolved as in RFC 3986`(reference: String, target: String) throws {
        let base = try HTTPURL("http://a/b/c/d;p?q")
        var parser = HTTPURLParser(reference)
        #expect(try parser.resolve(against: base).text == "http://a" + target)
    }

    @Test func `an address that grows with each redirect is refused beyond the length of any other`() throws {
        var url = try HTTPURL("http://a/")
        let reference = String(repeating: "x", count: 2_500) + "/"
        for _ in 1...3 {
            var parser = HTTPURLParser(reference)
            url = try parser.resolve(against: url)
            #expect(try HTTPURL(url.text) == url)
        }
        var last = HTTPURLParser(reference)
        #expect(throws: HTTPURLFault.length) { try last.resolve(against: url) }
    }

    @Test func `a reference can name another host or scheme`() throws {
        let base = try HTTPURL("http://a:81/b")
        var relative = HTTPURLParser("//g:82/x")
        #expect(try relative.resolve(against: base).text == "http://g:82/x")
        var absolute = HTTPURLParser("https://g")
        #expect(try absolute.resolve(against: base).text == "https://g/")
        var other = HTTPURLParser("file:///etc/passwd")
        #expect(throws: HTTPURLFault.scheme) { try other.resolve(against: base) }
        var withUser = HTTPURLParser("//user@g/")
        #expect(throws: HTTPURLFault.credentials) { try withUser.resolve(against: base) }
    }
}
