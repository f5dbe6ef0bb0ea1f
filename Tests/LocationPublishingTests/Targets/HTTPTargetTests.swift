import LocationCore
import Testing

@testable import LocationPublishing

private func response(_ status: Int, _ body: String = "", _ headers: HTTPHeaders = [:]) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
}

@Suite final class OwnTracksHTTPTargetTests {
    var target: HTTPTarget

    init() throws {
        target = try HTTPTarget.ownTracks(
            HTTPURL("https://example.org/pub"), device: OwnTracksDevice(user: "anna", device: "boat"),
            started: Samples.time)
    }

    private func post(_ record: PublishRecord) -> HTTPRequest? {
        target.admits(record) ? target.request(for: [record]) : nil
    }

    @Test func `a position is posted with its topic and the names in headers`() throws {
        let request = try #require(post(Samples.record()))
        #expect(request.method == .post && request.url.text == "https://example.org/pub")
        #expect(
            request.headers
                == (try HTTPHeaders(["Content-Type": "application/json", "X-Limit-U": "anna", "X-Limit-D": "boat"])))
        #expect(
            text(request.body)
                == #"{"_type":"location","lat":45.05,"lon":7.68,"tst":1773998845,"tid":"at","acc":4,"alt":241,"#
                + #""vac":8,"vel":14,"cog":181,"topic":"owntracks/anna/boat"}"#)
        try request.validate()
    }

    @Test func `a transition has the topic of events`() throws {
        let request = try #require(post(Samples.record(.fence(.exit, name: "Home"))))
        let json = try object(request.body)
        #expect(json["topic"] as? String == "owntracks/anna/boat/event" && json["event"] as? String == "leave")
    }

    @Test func `there is no request for a loss, or for a second position in one second`() {
        #expect(post(Samples.record(.lost)) == nil)
        let first = post(Samples.record())
        #expect(first != nil && post(Samples.record()) == first)
        #expect(post(Samples.record(.heartbeat)) == nil)
        #expect(target.batchSize == 1)
    }

    private static let foreign = DeliveryVerdict.tryAgain(
        cause: "the answer is not that of an OwnTracks server", after: nil)

    @Test(
        arguments: [
            (200, "[]", .taken), (200, " [ {\"_type\":\"cmd\"} ]\n", .taken), (201, "[]", .taken),
            // Traccar answers nothing.
            (200, "", .taken), (204, "", .taken),
            // The page of another server.
            (200, "<html>sign in</html>", foreign), (200, "{}", foreign), (200, "ok", foreign), (200, "[", foreign),
            (200, "]", foreign), (401, "", .refused(cause: "the server answered with status 401")),
            // The status of Traccar for a device that it does not know.
            (
                400, "",
                .refused(
                    cause: "the server answered with status 400; if it is Traccar, add a device with the identifier "
                        + "owntracks/anna/boat")
            ),
        ] as [(Int, String, DeliveryVerdict)])
    func `an answer is a verdict on the record`(status: Int, body: String, verdict: DeliveryVerdict) {
        #expect(target.verdict(on: response(status, body)) == verdict)
    }

    @Test func `a busy server gets the time that it asks for`() {
        #expect(
            target.verdict(on: response(503, "", ["Retry-After": "7"]))
                == .tryAgain(cause: "the server answered with status 503", after: .seconds(7)))
    }
}

@Suite struct TraccarTargetTests {
    let target: HTTPTarget

    init() throws { target = HTTPTarget.traccar(try HTTPURL("http://example.org:5055"), id: "a b&c") }

    @Test func `values are in the query, the speed in knots and the time in milliseconds`() throws {
        let request = try #require(target.request(for: [Samples.record(used: 9)]))
        #expect(request.method == .post && request.body.isEmpty)
        #expect(
            request.url.text
                == "http://example.org:5055/?id=a%20b%26c&timestamp=1773998845400&lat=45.05&lon=7.68&speed=7.581"
                + "&bearing=181.4&altitude=241.3&accuracy=4.2&sat=9")
    }

    @Test(arguments: [
        (2_147_483_648, "2147483648"), (2_147_483_647, "1970-01-25T20%3A31%3A23Z"), (-1, "1969-12-31T23%3A59%3A59Z"),
    ])
    func `a time that the server would take for seconds is text`(milliseconds: Int64, expected: String) throws {
        let time = Timestamp(nanosecondsSince1970: milliseconds * 1_000_000)
        let request = try #require(target.request(for: [Samples.record(.moved, Samples.bare(0, 0, time))]))
        #expect(request.url.query == "id=a%20b%26c&timestamp=\(expected)&lat=0&lon=0")
    }

    @Test func `a fence event is an attribute`() throws {
        let request = try #require(
            target.request(for: [Samples.record(.fence(.enter, name: "h\"ö\n"), Samples.bare(0, 0))]))
        #expect(request.url.query?.hasSuffix("&geofence=h%22%C3%B6%0A&change=enter") == true)
    }

    @Test func `nothing without a position is sent, because the last one would be stored again`() {
        #expect(target.request(for: [Samples.record(.lost)]) == nil)
        #expect(target.request(for: [Samples.record(.moved, nil), Samples.record(.lost, nil)]) == nil)
        #expect(target.batchSize == 1)
    }

    @Test func `an unknown device is named`() {
        #expect(
            target.verdict(on: response(400))
                == .refused(cause: "add a device with the identifier a b&c in Traccar"))
        #expect(target.verdict(on: response(404)) == .refused(cause: "the server answered with status 404"))
        #expect(target.verdict(on: response(200)) == .taken)
    }

    @Test func `every address is valid, with numbers and names of any kind`() throws {
        for record in Samples.hostileRecords where record.occasion != .lost {
            let request = try #require(target.request(for: [record]))
            #expect(try HTTPURL(request.url.text) == request.url)
            try request.validate()
        }
    }
}

@Suite struct OverlandTargetTests {
    let target: HTTPTarget

    init() throws { target = try .overland(HTTPURL("https://example.org/api"), device: "b\"oat", token: "s3cret") }

    @Test func `positions are features of one request`() throws {
        let records = [
            Samples.record(), Samples.record(.lost), Samples.record(.found, nil),
            Samples.record(.found, Samples.bare(90, 180)),
        ]
        let request = try #require(target.request(for: records))
        #expect(
            text(request.body)
                == #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[7.68,45.05]},"#
                + #""properties":{"timestamp":"2026-03-20T09:27:25.400Z","altitude":241.3,"speed":3.9,"#
                + #""course":181.4,"horizontal_accuracy":4.2,"vertical_accuracy":7.5,"device_id":"b\"oat"}},"#
                + #"{"type":"Feature","geometry":{"type":"Point","coordinates":[180,90]},"#
                + #""properties":{"timestamp":"2026-03-20T09:27:25.400Z","device_id":"b\"oat"}}]}"#)
        #expect(request.headers["Authorization"] == "Bearer s3cret")
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(!"\(request.headers)".contains("s3cret"))
        #expect(target.request(for: [Samples.record(.lost)]) == nil)
        #expect(target.batchSize == 200)
    }

    @Test func `a token that would end its line is refused`() throws {
        #expect(throws: HTTPError.invalidHeader(name: "Authorization")) {
            try HTTPTarget.overland(HTTPURL("https://example.org"), device: "a", token: "x\r\nHost: b")
        }
    }

    private static let foreign = DeliveryVerdict.tryAgain(
        cause: #"the server did not answer {"result":"ok"}"#, after: nil)

    @Test(
        arguments: [
            (201, #"{"result":"ok"}"#, .taken), (201, "{ \"result\" : \"ok\" }\n", .taken),
            (201, #"{"saved":2,"result":"ok"}"#, .taken), (200, "", foreign), (200, "ok", foreign),
            (200, #"{"result":"error"}"#, foreign), (200, "<html>", foreign), (200, #"["result","ok"]"#, foreign),
            (413, "", .rejected(cause: "the server answered with status 413")),
        ] as [(Int, String, DeliveryVerdict)])
    func `only the result ok takes the records`(status: Int, body: String, verdict: DeliveryVerdict) {
        #expect(target.verdict(on: response(status, body)) == verdict)
    }

    @Test func `a batch of hostile records is valid JSON`() throws {
        let request = try #require(target.request(for: Samples.hostileRecords))
        let features = try #require(try object(request.body)["locations"] as? [[String: Any]])
        #expect(features.count == Samples.hostileRecords.filter { $0.occasion != .lost }.count)
    }
}
