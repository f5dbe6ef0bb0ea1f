import LocationCore
import LocationPublishing
import Testing

@Suite struct HTTPTargetTests {
    private func response(_ status: Int, _ body: String = "", headers: [(String, String)] = []) throws -> HTTPResponse {
        var all = HTTPHeaders()
        for (name, value) in headers { try all.set(name, value) }
        return HTTPResponse(status: status, headers: all, body: Array(body.utf8))
    }

    @Test func `OwnTracks over HTTP has the topic in the body and the names in the headers`() throws {
        let target = try OwnTracksHTTPTarget(
            HTTPURL("https://example.org/pub"), user: "anna", device: "van", started: Records.time)
        let request = try #require(target.request(for: [Records.record()]))
        #expect(request.method == .post && request.url.text == "https://example.org/pub")
        #expect(request.headers["X-Limit-U"] == "anna" && request.headers["X-Limit-D"] == "van")
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(
            Records.text(request.body) == #"{"_type":"location","lat":45.1234568,"lon":-7.5,"tst":1772366400,"acc":4,"#
                + #""alt":241,"vac":8,"vel":50,"cog":181,"tid":"an","topic":"owntracks/anna/van"}"#)
        #expect(target.verdict(on: try response(200, "[]")) == .taken)
        #expect(
            target.verdict(on: try response(400))
                == .refused(
                    cause: "the server does not know the device; in Traccar, add a device with the identifier "
                        + "owntracks/anna/van"))
        #expect(target.request(for: [Records.record(.lost, nil)]) == nil)
    }

    @Test func `Traccar gets a query with knots and milliseconds`() throws {
        let target = TraccarTarget(try HTTPURL("http://traccar.example:5055?id=x"), identifier: "van 1")
        let request = try #require(target.request(for: [Records.record()]))
        #expect(request.method == .get && request.body.isEmpty)
        #expect(
            request.url.text == "http://traccar.example:5055/?id=van%201&timestamp=1772366400250&lat=45.1234568"
                + "&lon=-7.5&speed=27.019&bearing=181&altitude=241.3&accuracy=4.2&sat=12")
    }

    @Test func `Traccar never gets a message without a position, which would store the last one again`() throws {
        let target = TraccarTarget(try HTTPURL("http://h"), identifier: "x")
        #expect(target.request(for: [Records.record(.lost)]) == nil)
        #expect(target.request(for: [Records.record(.found, nil)]) == nil)
    }

    @Test func `Traccar's 400 says which device to add`() throws {
        let target = TraccarTarget(try HTTPURL("http://h"), identifier: "van\u{1B}")
        guard case .refused(let cause) = target.verdict(on: try response(400)) else {
            Issue.record("not refused")
            return
        }
        #expect(cause.hasPrefix("Traccar does not know the device: add a device with the identifier van"))
        #expect(cause.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test func `Overland gets a batch, and only its own answer means that it was taken`() throws {
        let target = try OverlandTarget(HTTPURL("https://h/o"), device: "van", token: "secret")
        let request = try #require(target.request(for: [Records.record(), Records.record(.lost), Records.record()]))
        #expect(request.headers["Authorization"] == "Bearer secret")
        let feature =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[-7.5,45.1234568]},"properties":"#
            + #"{"timestamp":"2026-03-01T12:00:00.250Z","altitude":241.3,"speed":13.9,"course":181,"#
            + #""horizontal_accuracy":4.2,"vertical_accuracy":7.5,"device_id":"van"}}"#
        #expect(Records.text(request.body) == #"{"locations":["# + feature + "," + feature + "]}")
        #expect(target.verdict(on: try response(200, "{ \"result\": \"ok\" }\n")) == .taken)
        #expect(target.verdict(on: try response(200, "<html>")) != .taken)
        #expect(
            target.verdict(on: try response(503)) == .tryAgain(cause: "the server answered with status 503", after: nil)
        )
    }

    @Test func `a webhook without words posts JSON; with words it is a GET`() throws {
        let post = try WebhookTarget(PublishTemplate("https://h/hook"))
        let posted = try #require(post.request(for: [Records.record(.fence(.enter, name: "home"))]))
        #expect(posted.method == .post)
        #expect(try Records.json(posted.body)["change"] as? String == "enter")
        let get = try WebhookTarget(PublishTemplate("https://h/?lat=%{lat}&lon=%{lon}&t=%{unix}&d=%{device}"))
        let got = try #require(get.request(for: [Records.record()]))
        #expect(got.url.text == "https://h/?lat=45.1234568&lon=-7.5&t=1772366400&d=%2Fdev%2FttyACM0")
        #expect(got.body.isEmpty)
    }

    @Test func `a value cannot become another part of the address`() throws {
        let target = try WebhookTarget(PublishTemplate("https://h/%{fence}/x?d=%{device}"))
        let request = try #require(target.request(for: [Records.hostile(.fence(.enter, name: "../?a=b&#\n"))]))
        #expect(request.url.path == "/..%2F%3Fa%3Db%26%23%0A/x")
        #expect(request.url.query?.utf8.contains { [UInt8(ascii: "&"), UInt8(ascii: "#")].contains($0) } == false)
    }

    @Test func `an unknown word of a template is named`() {
        #expect(throws: PublishTemplate.Fault.unknownWord("latt")) { try PublishTemplate("http://h/%{latt}") }
        #expect(throws: PublishTemplate.Fault.unfinished) { try PublishTemplate("http://h/%{lat") }
        #expect(throws: Never.self) { try PublishTemplate("http://h/%20") }
    }

    @Test(arguments: [
        (200, "taken"), (204, "taken"), (302, "refused"), (400, "refused"), (401, "refused"), (404, "refused"),
        (408, "again"), (413, "refused"), (422, "refused"), (425, "again"), (429, "again"), (500, "again"),
        (503, "again"),
    ])
    func `a status is success, a reason to try again, or a refusal`(status: Int, meaning: String) throws {
        let target = try WebhookTarget(PublishTemplate("https://h/"))
        let word =
            switch target.verdict(on: try response(status)) {
            case .taken: "taken"
            case .tryAgain: "again"
            case .refused: "refused"
            }
        #expect(word == meaning)
    }

    @Test func `Retry-After is honoured if it is a number`() throws {
        let target = try WebhookTarget(PublishTemplate("https://h/"))
        func delay(_ text: String) throws -> Duration? {
            guard case .tryAgain(_, let after) = target.verdict(on: try response(429, headers: [("Retry-After", text)]))
            else { return nil }
            return after
        }
        #expect(try delay("120") == .seconds(120))
        #expect(try delay("Fri, 31 Dec 2027 23:59:59 GMT") == nil)
        #expect(try delay("-5") == nil)
    }
}
