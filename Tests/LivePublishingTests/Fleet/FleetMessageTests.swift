@testable import LocationPublishing
import GPSDProtocol
import TestSupport
import Testing

@testable import LocationCore

@Suite(.serialized, .withFew) struct FleetMessageTests {
    private func message(_ payload: String, on topic: String = "owntracks/anna/boat") -> FleetMessage {
        var reader = JSONObjectReader()
        return FleetMessage(Array(payload.utf8), on: FleetTopic(topic), &reader)
    }

    @Test func `a location of OwnTracks has its units converted`() {
        let found = message(
            #"{"_type":"location","lat":45.07,"lon":7.68,"tst":1795161600,"acc":12,"alt":240,"vac":8,"vel":36,"cog":270,"#
                + #""batt":81,"bs":1,"t":"p","p":101.3,"tid":"an","inregions":["home"],"_id":"1a2b3c4d"}"#)
        var expected = Location(
            coordinate: Coordinate(latitude: 45.07, longitude: 7.68), fix: .threeD,
            timestamp: Timestamp(secondsSince1970: 1_795_161_600), horizontalAccuracy: 12, altitudeMSL: 240, speed: 10,
            course: 270)
        expected.verticalAccuracy = 8
        #expect(found == .position(FleetReport(location: expected, battery: 81)))
    }

    @Test func `values that are impossible or of another type are unknown`() {
        let found = message(
            #"{"_type":"location","lat":0,"lon":0,"tst":1795161600.5,"acc":0,"alt":"high","vac":-1,"vel":-1,"cog":900,"batt":900}"#
        )
        let location = Location(
            coordinate: Coordinate(latitude: 0, longitude: 0), fix: .twoD,
            timestamp: Timestamp(secondsSince1970: 1_795_161_600.5))
        #expect(found == .position(FleetReport(location: location)))
    }

    @Test func `the attributes of Home Assistant are a position, or the last one without a fix`() {
        let topic = "locwatch/pi/attributes"
        let place = Coordinate(latitude: 45.05, longitude: 7.68)
        let location = Location(
            coordinate: place, fix: .threeD, timestamp: Timestamp("2026-11-20T12:00:00Z"), horizontalAccuracy: 4.2,
            altitudeMSL: 241.3, speed: 0.2, course: 181)
        #expect(
            message(
                #"{"latitude":45.05,"longitude":7.68,"gps_accuracy":4.2,"altitude":241.3,"speed":0.2,"course":181,"#
                    + #""satellites_used":12,"fix":true,"last_seen":"2026-11-20T12:00:00.000Z"}"#, on: topic)
                == .position(FleetReport(location: location, used: 12)))
        #expect(
            message(#"{"latitude":45.05,"longitude":7.68,"fix":false}"#, on: topic)
                == .noFix(FleetReport(location: Location(coordinate: place, fix: .twoD))))
    }

    @Test func `locwatch's own JSON is a position with the same values`() {
        let found = message(
            #"{"event":"location","time":"2026-11-20T12:00:00.250Z","lat":45.5,"lon":7.5,"altMSL":263.9,"altHAE":312.1,"#
                + #""mode":3,"eph":5.4,"epv":9.2,"speed":1.2,"course":142.3,"climb":-0.5,"device":"/dev/ttyACM0","used":9,"seen":16}"#,
            on: "fleet/pi")
        var expected = Location(
            coordinate: Coordinate(latitude: 45.5, longitude: 7.5), fix: .threeD,
            timestamp: Timestamp("2026-11-20T12:00:00.250Z"), horizontalAccuracy: 5.4, altitudeMSL: 263.9, speed: 1.2,
            course: 142.3)
        (expected.altitudeHAE, expected.verticalAccuracy, expected.climb) = (312.1, 9.2, -0.5)
        #expect(found == .position(FleetReport(location: expected, seen: 16, used: 9)))
    }

    @Test func `transitions and events at fences are understood`() {
        var location = Location(
            coordinate: Coordinate(latitude: 1, longitude: 2), fix: .twoD,
            timestamp: Timestamp(secondsSince1970: 1_795_161_600), horizontalAccuracy: 5)
        let transition =
            #"{"_type":"transition","event":"leave","desc":"home","wtst":1,"tst":1795161600,"lat":1,"lon":2,"acc":5}"#
        #expect(
            message(transition, on: "owntracks/anna/boat/event")
                == .fence(FleetReport(location: location), name: "home", .exit))
        let fence = #"{"event":"fence","time":"2026-11-20T12:00:00Z","fence":"depot","change":"dwell","lat":1,"lon":2}"#
        (location.timestamp, location.horizontalAccuracy) = (Timestamp("2026-11-20T12:00:00Z"), nil)
        #expect(message(fence) == .fence(FleetReport(location: location), name: "depot", .dwell))
    }

    @Test func `the presence of a device is understood`() {
        #expect(message("online", on: "owntracks/anna/boat/status") == .online)
        #expect(message("offline", on: "locwatch/pi/status") == .offline)
        #expect(message(#"{"_type":"lwt","tst":1795161600}"#) == .offline)
        #expect(message(#"{"_type":"status","iOS":{}}"#, on: "owntracks/anna/boat/status") == .other)
        #expect(
            message("asleep", on: "locwatch/pi/status") == .unknown(cause: "its status is neither online nor offline"))
    }

    @Test(arguments: [#"{"_type":"waypoint","desc":"x"}"#, #"{"_type":"card","name":"x"}"#, #"{"event":"start"}"#, ""])
    func `a message about something else is passed over`(payload: String) { #expect(message(payload) == .other) }

    @Test(arguments: [
        "hello", "{", "[]", "{}", #"{"lat":1,"lon":2}"#, #"{"_type":"location"}"#,
        #"{"_type":"location","lat":91,"lon":2,"tst":1}"#, #"{"_type":"location","lat":1,"lon":2}"#,
        #"{"_type":"location","lat":1,"lon":2,"tst":0}"#, #"{"_type":"location","lat":1,"lon":2,"tst":-5}"#,
        #"{"_type":"location","lat":1,"lon":2,"tst":1e300}"#, #"{"_type":"location","lat":"1","lon":"2","tst":1}"#,
        #"{"_type":"location","lat":null,"lon":null,"tst":1}"#, #"{"_type":"encrypted","data":"x"}"#,
        #"{"_type":"transition","tst":1,"lat":1,"lon":2}"#, #"{"_type":7}"#, #"{"latitude":"x","longitude":2}"#,
        "\u{0}",
    ])
    func `a message that is not understood has a cause`(payload: String) {
        guard case .unknown(let cause) = message(payload) else {
            Issue.record("\(payload) is \(message(payload))")
            return
        }
        #expect(!cause.isEmpty)
    }

    @Test func `a huge message is not decoded`() {
        let huge =
            #"{"_type":"location","lat":1,"lon":2,"tst":1,"image":""# + String(repeating: "A", count: 1 << 19) + #""}"#
        #expect(message(huge) == .unknown(cause: "it has \(huge.utf8.count) bytes"))
    }

    @Test func `a message of 256 KiB is decoded, and one byte more is not`() {
        let text = #"{"_type":"location","lat":1,"lon":2,"tst":1}"#
        let room = String(repeating: " ", count: (1 << 18) - text.utf8.count)
        guard case .position = message(text + room) else {
            Issue.record("the message is not decoded")
            return
        }
        #expect(message(text + room + " ") == .unknown(cause: "it has 262145 bytes"))
    }

    @Test(
        arguments: [
            (
                #""acc":0.1,"vac":0,"alt":100000,"vel":400000,"cog":360,"batt":100"#,
                [0.1, nil, 1e5, 111_111.1111, 360, 100]
            ),
            (#""acc":0,"vac":0.1,"alt":100001,"vel":400001,"cog":361,"batt":101"#, [nil, 0.1, nil, nil, nil, nil]),
            (#""acc":-1,"alt":-100000,"vel":0,"cog":0,"batt":0"#, [nil, nil, -1e5, 0, 0, 0]),
            (#""alt":-100001,"speed":100000,"vel":9,"cog":-1,"batt":-1"#, [nil, nil, nil, 1e5, nil, nil]),
        ] as [(String, [Double?])])
    func `a value at the end of its range is known, and one beyond is not`(members: String, values: [Double?]) {
        guard case .position(let report) = message(#"{"_type":"location","lat":1,"lon":2,"tst":1,\#(members)}"#) else {
            Issue.record("the message is not decoded")
            return
        }
        let place = report.location
        #expect(
            [
                place.horizontalAccuracy, place.verticalAccuracy, place.altitudeMSL, place.speed, place.course,
                report.battery.map(Double.init),
            ] == values)
    }

    @Test(arguments: [("0", false), ("1", true), ("9200000000", true), ("9200000001", false)])
    func `a time from 1970 to 2261 is valid`(time: String, isValid: Bool) {
        let found = message(#"{"_type":"location","lat":1,"lon":2,"tst":\#(time)}"#)
        #expect((found == .unknown(cause: "it has no valid tst")) != isValid)
    }
}
