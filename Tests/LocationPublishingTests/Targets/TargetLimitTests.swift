import LocationCore
import LocationPublishing
import LocationTesting
import Testing

/// The words, headers, addresses and topics at the limits that they have, and just beyond.
@Suite struct TargetLimitTests {
    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test(
        arguments: [
            ("mqtt://h/\(text(1000))", "mqtt://h/\(text(1001))"),
            ("mqtt://h/owntracks/a/b?tracker=é1", "mqtt://h/owntracks/a/b?tracker=123"),
            ("mqtt://h/owntracks/a/b?tracker=1", "mqtt://h/owntracks/a/b?tracker="),
            ("mqtt://h/a?client=\(text(23))", "mqtt://h/a?client=\(text(24))"),
            ("mqtt://h/a?client=1", "mqtt://h/a?client="),
            ("mqtts://h/a?ca-file=\(text(4096))", "mqtts://h/a?ca-file=\(text(4097))"),
            ("mqtts://h/a?cert=c,k", "mqtts://h/a?cert=c,k,x"), ("mqtts://h/a?cert=c", "mqtts://h/a?cert=c,"),
            ("mqtt://h:65535/a", "mqtt://h:65536/a"), ("mqtt://h:1/a", "mqtt://h:0/a"),
            ("mqtt://h/a/b", "mqtt://h/a//b"), ("mqtt://h/owntracks/a/b", "mqtt://h/owntracks/a"),
            ("mqtt://h/owntracks/a/b", "mqtt://h/owntracks/a/b/c"), ("udp://h/", "udp://h/x"),
            ("file:/a?mode=777", "file:/a?mode=1000"), ("file:/a?mode=0", "file:/a?mode=8"),
            ("file:/a?format=x&mode=88", "file:/a?format=x&mode=6"),
            ("file:/a?format=x&mode=", "file:/a?format=&mode=7"),
            ("file:/a?format=x&mode=77777", "file:/a?format=x&mode=7777"), ("file:/\u{1}", "file:/\u{0}"),
            ("http://h/\(text(7991))", "http://h/\(text(7992))"), ("http://h/!~", "http://h/^"),
            ("tcp+text://h:1?newest", "tcp+text://h:1?newest=1"), ("mqtt://h/a?order=oldest", "mqtt://h/a?order=old"),
            ("mqtt://h/a?newest", "mqtt://h/a?newest&ordered"),
            ("traccar://h?id=", "traccar://h?ID=1"),
        ])
    func `a word is a target up to a limit, and not beyond it`(accepted: String, refused: String) throws {
        _ = try TargetWord(accepted)
        #expect(throws: PublishError.self) { try TargetWord(refused) }
    }

    @Test(arguments: 0...127 as ClosedRange<UInt8>)
    func `a header has the bytes that RFC 9110 allows in its name and its value`(byte: UInt8) {
        let text = String(Unicode.Scalar(byte))
        let isToken = byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        #expect(((try? HTTPHeaders([text: "x"])) != nil) == isToken)
        #expect(((try? HTTPHeaders(["x": "a\(text)b"])) != nil) == (byte >= 32 && byte != 127 || byte == 9))
    }

    @Test(arguments: 33...126 as ClosedRange<UInt8>)
    func `an address has the bytes that RFC 3986 allows in its path`(byte: UInt8) {
        let text = "http://h/a\(String(Unicode.Scalar(byte)))b"
        let isAllowed = !"\"<>\\^`{|}%".utf8.contains(byte)
        #expect(((try? HTTPURL(text)) != nil) == isAllowed)
    }

    @Test(
        arguments: [
            (200, true), (199, false), (299, true), (300, false),
        ])
    func `a status from 200 to 299 is a success`(status: Int, isSuccess: Bool) {
        #expect(HTTPResponse(status: status).isSuccess == isSuccess)
        #expect(((try? HTTPResponse(status: status).requireSuccess()) != nil) == isSuccess)
    }

    @Test func `a value keeps its inner spaces and loses those around it`() throws {
        var headers = try HTTPHeaders(["A": " \t x \t y\t ", "B": " ", "C": "1"])
        #expect(headers.fields.map(\.value) == ["x \t y", "", "1"])
        try headers.set("b", "2")
        try headers.add("c", "3")
        try headers.set("C", "4")
        #expect(headers.fields.map { "\($0.name)\($0.value)" } == ["Ax \t y", "b2", "C4"])
        headers.remove("a")
        #expect(headers["A"] == nil && headers.values(of: "B") == ["2"])
    }

    @Test(
        arguments: [
            ("http://h?a=%{lat}", true), ("http://h/?a=%{lat}", true), ("http://h/%{lat}", true),
            ("http://h/a/%{lat}", true),
            ("http://h%{lat}", false), ("http://h:%{lat}/", false), ("http://%{lat}/", false), ("http:?%{lat}", false),
            ("%{lat}", false), ("http://h", true),
        ])
    func `a value is in the path or the query of an address, where it cannot choose the server`(
        text: String, isAccepted: Bool
    ) throws {
        let template = try PublishTemplate(text)
        #expect(((try? HTTPTarget.webhook(template)) != nil) == isAccepted)
    }

    // MARK: The schedule

    private static func place(_ second: Double, course: Double? = nil, speed: Double? = nil) -> Location {
        var location = Location(
            coordinate: Coordinate(latitude: 45, longitude: 7), timestamp: Timestamp(secondsSince1970: second))
        (location.course, location.speed) = (course, speed)
        return location
    }

    private static func moment(_ second: Double) -> Moment {
        Moment(elapsed: .seconds(second), wall: Timestamp(secondsSince1970: second))
    }

    @Test(
        arguments: [
            (0, 30, 1, true), (0, 29.9, 1, false), (0, 330, 1, true), (0, 330.1, 1, false), (0, 30, 0.99, false),
            (350, 20, 1, true), (350, 19.9, 1, false), (10, 190, 5, true),
        ] as [(Double, Double, Double, Bool)])
    func `a turn of the angle or more is published at one metre a second or more`(
        before: Double, now: Double, speed: Double, isPublished: Bool
    ) {
        var options = PublishSchedule.Options()
        options.angle = 30
        var schedule = PublishSchedule(options)
        _ = schedule.record(for: Self.place(0, course: before, speed: 9), at: Self.moment(0))
        let record = schedule.record(for: Self.place(1, course: now, speed: speed), at: Self.moment(1))
        #expect((record != nil) == isPublished)
    }

    @Test func `a heartbeat is due exactly after its time, and not before`() {
        var options = PublishSchedule.Options()
        (options.heartbeat, options.distance) = (.seconds(60), 10)
        var schedule = PublishSchedule(options)
        _ = schedule.record(for: Self.place(0), at: Self.moment(0))
        #expect(schedule.deadline == Self.moment(60) && schedule.expire(at: Self.moment(59.999)) == nil)
        #expect(schedule.expire(at: Self.moment(60))?.occasion == .heartbeat && schedule.deadline == Self.moment(120))
        #expect(schedule.record(for: Self.place(61), at: Self.moment(61)) == nil)
    }
}
