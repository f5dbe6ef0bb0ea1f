import Testing

@testable import LocationPublishing

@Suite struct HTTPHeadersTests {
    @Test func `names are compared without regard to case`() throws {
        var headers = try HTTPHeaders(["Content-Type": "text/plain", "X-A": " 1\t", "x-a": "2"])
        #expect(headers["content-type"] == "text/plain")
        #expect(headers["X-a"] == "1")
        #expect(headers.values(of: "X-A") == ["1", "2"])
        #expect(headers["X-B"] == nil)
        #expect(headers == (try HTTPHeaders(["content-TYPE": "text/plain", "x-a": "1", "X-A": "2"])))
        #expect(
            headers.hashValue == (try HTTPHeaders(["content-TYPE": "text/plain", "x-a": "1", "X-A": "2"])).hashValue)
        try headers.set("x-A", "3")
        #expect(headers.fields.map(\.description) == ["Content-Type: text/plain", "x-A: 3"])
        headers.remove("CONTENT-type")
        try headers.set("New", "")
        #expect(headers.fields.map(\.name) == ["x-A", "New"])
    }

    @Test(arguments: [
        ("X", "a\r\nHost: b"), ("X", "a\n"), ("X", "a\r"), ("X", "a\0b"), ("X", "\u{7f}"), ("X\r\nY", "a"), ("X:", "a"),
        ("X Y", "a"), ("", "a"), ("Ü", "a"), ("X\n", ""),
    ])
    func `a header that would end its line is refused`(name: String, value: String) throws {
        var headers = HTTPHeaders()
        #expect(throws: HTTPError.invalidHeader(name: name)) { try headers.add(name, value) }
        #expect(throws: HTTPError.invalidHeader(name: name)) { try headers.set(name, value) }
        #expect(headers.fields.isEmpty)
        headers = ["X": "1"]
        #expect(throws: HTTPError.self) { try headers.set(name, value) }
        #expect(headers["X"] == "1")
    }

    @Test func `headers are a dictionary literal, in which a name can occur again`() throws {
        let headers: HTTPHeaders = ["Content-Type": "text/plain", "X-A": "1", "x-a": "2"]
        #expect(headers == (try HTTPHeaders(["Content-Type": "text/plain", "X-A": "1", "x-a": "2"])))
        try HTTPRequest(.get, HTTPURL("http://a"), headers: headers).validate()
    }

    @Test(arguments: [("X", "a\r\nHost: b"), ("X Y", "a")])
    func `a request with a header in a literal that would end its line is not sent`(name: String, value: String) throws
    {
        let headers: HTTPHeaders = ["A": "1", name: value, "": ""]
        let request = HTTPRequest(.get, try HTTPURL("http://a"), headers: headers)
        #expect(throws: HTTPError.invalidHeader(name: name)) { try request.validate() }
        #expect(headers.fields.map(\.name) == ["A"] && headers != ["A": "1"])
    }

    @Test func `text beyond ASCII and tabs are allowed in a value`() throws {
        #expect(try HTTPHeaders(["X": "ä\tö"])["X"] == "ä\tö")
    }

    @Test func `a received header is shown in visible characters`() {
        var headers = HTTPHeaders()
        headers.append("X\u{1B}[2J", "a\u{202E}b")
        #expect("\(headers)" == #"X\x1b[2J: a\u{202e}b"#)
    }

    @Test func `authorization is written as servers read it`() throws {
        var headers = HTTPHeaders()
        try headers.setBasicAuthorization(user: "Aladdin", password: "open:sesame")
        #expect(headers["Authorization"] == "Basic QWxhZGRpbjpvcGVuOnNlc2FtZQ==")
        try headers.setBearerAuthorization(token: "t")
        #expect(headers.values(of: "Authorization") == ["Bearer t"])
        #expect(throws: HTTPError.self) { try headers.setBasicAuthorization(user: "a:b", password: "") }
        #expect(throws: HTTPError.self) { try headers.setBearerAuthorization(token: "t\r\nX: y") }
    }

    @Test(arguments: ["Authorization", "proxy-authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Auth-Token"])
    func `a secret is never printed`(name: String) throws {
        let headers = try HTTPHeaders([name: "hunter2", "X-Plain": "seen"])
        let request = HTTPRequest(.get, try HTTPURL("http://a"), headers: headers)
        let response = HTTPResponse(status: 200, headers: headers)
        var dumped = ""
        dump(request, to: &dumped)
        dump(response, to: &dumped)
        let texts = [
            "\(headers)", String(reflecting: headers), "\(headers.fields)", "\(request)", String(reflecting: request),
            "\(response)", String(reflecting: response), "\(Mirror(reflecting: headers).children.map(\.value))", dumped,
        ]
        for text in texts { #expect(!text.contains("hunter2"), "\(text)") }
        #expect(String(reflecting: headers) == "[\(name): •••, X-Plain: seen]")
    }
}
