import Foundation
import LocationCore
import LocationTesting
import Testing

/// The encoded form of events, which programs store: each line of the golden text is one event.
@Suite struct EventCodingTests {
    private static let location = Location(
        coordinate: Coordinate(latitude: 52.5, longitude: 13.25), fix: .threeD, horizontalAccuracy: 4
    ).with { $0.quality = .other(12) }

    private static let events: [(LocationEvent, String)] = [
        (
            .location(location),
            """
            {"event":"location","location":{"coordinate":{"latitude":52.5,"longitude":13.25},"fix":3,"horizontalAccuracy":4,\
            "isLate":false,"quality":12,"revision":0}}
            """
        ),
        (
            .searching(.noFix(seen: 7, used: nil, best: 31.5), device: "/dev/a"),
            #"{"device":"/dev/a","event":"searching","reason":{"best":31.5,"code":"noFix","seen":7}}"#
        ),
        (
            .searching(.silent(for: .milliseconds(3500))),
            #"{"event":"searching","reason":{"code":"silent","duration":3.5}}"#
        ),
        (
            .failure(.unreachable(host: "::1", port: 2947, cause: "refused"), retry: .seconds(2)),
            #"{"error":{"cause":"refused","code":"unreachable","host":"::1","port":"2947"},"event":"failure","retry":2}"#
        ),
        (
            .failure(.deviceUnusable(path: "/dev/a", cause: .busy(holder: "gpsd"))),
            #"{"error":{"code":"deviceUnusable","fault":{"busy":{"holder":"gpsd"}},"path":"/dev/a"},"event":"failure"}"#
        ),
        (
            .failure(.noFix(.noPosition(after: .seconds(30), reason: .noDevice))),
            """
            {"error":{"code":"noFix","shortfall":{"noPosition":{"after":30,"reason":{"code":"noDevice"}}}},"event":"failure"}
            """
        ),
        (.authorization(.denied), #"{"event":"authorization","status":"denied"}"#),
        (
            .device(DeviceStatus(path: "/dev/a", activity: .babbling)),
            #"{"event":"device","status":{"activity":"babbling","path":"/dev/a"}}"#
        ),
        (
            .receiver(ReceiverReport(device: "/dev/a", antennaStatus: 2)),
            #"{"event":"receiver","report":{"antennaStatus":2,"device":"/dev/a"}}"#
        ),
        (.line([65, 10]), #"{"bytes":[65,10],"event":"line"}"#),
        (
            .notice(.dropped(locations: 3, skyViews: 4)),
            #"{"event":"notice","notice":{"code":"dropped","locations":3,"others":0,"skyViews":4}}"#
        ),
        (.notice(.message("hello")), #"{"event":"notice","notice":{"code":"message","message":"hello"}}"#),
        (.other("tilt"), #"{"event":"tilt"}"#),
    ]

    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func decoded<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test(arguments: events) func `an event has this form, and is read back`(event: LocationEvent, json: String) throws
    {
        #expect(try text(event) == json)
        #expect(try decoded(json) == event)
    }

    @Test func `a moment is a number of seconds and a time`() throws {
        let update = LocationUpdate(.other("tilt"), at: .after(.microseconds(1_234_567)))
        let json = #"{"event":{"event":"tilt"},"moment":{"elapsed":1.234567,"wall":"\#(update.moment.wall)"}}"#
        #expect(try text(update) == json)
        #expect(try decoded(json) == update)
    }

    @Test(arguments: LocationError.samples) func `each error is read back`(error: LocationError) throws {
        let json = try text(error)
        #expect(try decoded(json) == error)
        #expect(!json.contains("_0"), "\(json)")
    }

    @Test(arguments: SearchReason.samples) func `each reason is read back`(reason: SearchReason) throws {
        let json = try text(reason)
        #expect(try decoded(json) == reason)
        #expect(!json.contains("_0"), "\(json)")
    }

    @Test func `each notice is read back`() throws {
        let fence = FenceEvent(
            fence: "home", kind: .enter, moment: .after(.seconds(1)), coordinate: Self.location.coordinate)
        for notice in [
            Notice.linesSkipped(count: 2, cause: "noise"), .implausibleDate(.testEpoch, device: nil),
            .implausibleValue(field: "speed", device: "a"), .tornEnd(bytes: 12), .lastKnown(Self.location),
            .fence(fence),
            .staleAfter(.seconds(86_400)), .unknownMessage(device: "a", cause: "b"),
            .messagesSkipped(count: 3, cause: "c"),
            .corrections(CorrectionsStatus(source: "ntrip://joe@caster:2101/M")),
            .corrections(CorrectionsStatus(source: "./rtcm", fault: .pipe, cause: "no")),
        ] {
            let json = try text(notice)
            #expect(try decoded(json) == notice)
            #expect(!json.contains("_0"), "\(json)")
        }
    }

    @Test func `what a later release has written is read as far as it is known`() throws {
        let error: LocationError = try decoded(#"{"code":"solarFlare","cause":"X9","severity":3}"#)
        #expect(error.code == LocationError.Code(rawValue: "solarFlare") && error.cause == "X9")
        #expect(try decoded(#"{"code":"denied","cause":"no"}"#) == LocationError(.denied, message: "no"))
        #expect(try decoded(#"{"event":"tilt","angle":3}"#) == LocationEvent.other("tilt"))
        #expect(try decoded(#"{"code":"eclipse"}"#) == Notice.message("eclipse"))
    }

    @Test(arguments: [
        #"{"event":"searching","reason":{"code":"deviceLost"}}"#, #"{"event":"searching","reason":{"code":"odd"}}"#,
        #"{"event":"failure"}"#, #"{"event":"location","location":{}}"#, "{}",
        #"{"event":"searching","reason":{"code":"silent","duration":1e300}}"#,
    ])
    func `a form that lacks a value is refused`(json: String) {
        #expect(throws: DecodingError.self) { try decoded(json, as: LocationEvent.self) }
    }

    @Test func `states and handovers are read back`() throws {
        let states: [(LocationState, String)] = [
            (.searching(.noDevice), #"{"reason":{"code":"noDevice"},"state":"searching"}"#),
            (.error(.cancelled), #"{"error":{"code":"cancelled"},"state":"error"}"#),
        ]
        for (state, json) in states {
            #expect(try text(state) == json)
            #expect(try decoded(json) == state)
        }
        for reason in [Handover.Reason.better, .lost(.silent(for: .seconds(4)))] {
            let handover = Handover(from: "a", to: "b", reason: reason, at: .after(.seconds(1)))
            #expect(try decoded(text(handover), as: Handover.self) == handover)
        }
    }
}
