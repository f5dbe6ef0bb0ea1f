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
            {"location":{"_0":{"coordinate":{"latitude":52.5,"longitude":13.25},"fix":3,"horizontalAccuracy":4,\
            "isLate":false,"quality":12}}}
            """
        ),
        (
            .searching(.noFix(seen: 7, used: nil, best: 31.5), device: "/dev/a"),
            #"{"searching":{"_0":{"noFix":{"best":31.5,"seen":7}},"device":"/dev/a"}}"#
        ),
        (
            .searching(.silent(for: .milliseconds(3500))), #"{"searching":{"_0":{"silent":{"for":3.5}}}}"#
        ),
        (
            .failure(.unreachable(host: "::1", port: 2947, cause: "refused"), retry: .seconds(2)),
            #"{"failure":{"_0":{"unreachable":{"cause":"refused","host":"::1","port":"2947"}},"retry":2}}"#
        ),
        (
            .failure(.noFix(.noPosition(after: .seconds(30), reason: .noDevice))),
            #"{"failure":{"_0":{"noFix":{"_0":{"noPosition":{"after":30,"reason":{"noDevice":{}}}}}}}}"#
        ),
        (.authorization(.denied), #"{"authorization":{"_0":"denied"}}"#),
        (.line([65, 10]), #"{"line":{"_0":[65,10]}}"#),
        (
            .notice(.dropped(locations: 3, skyViews: 4)),
            #"{"notice":{"_0":{"dropped":{"locations":3,"others":0,"skyViews":4}}}}"#
        ),
        (.other("tilt"), #"{"other":{"_0":"tilt"}}"#),
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
        let json = #"{"event":{"other":{"_0":"tilt"}},"moment":{"elapsed":1.234567,"wall":"\#(update.moment.wall)"}}"#
        #expect(try text(update) == json)
        #expect(try decoded(json) == update)
    }

    @Test(arguments: LocationError.samples) func `each error is read back`(error: LocationError) throws {
        let json = try text(error)
        #expect(try decoded(json) == error)
    }

    @Test(arguments: SearchReason.samples) func `each reason is read back`(reason: SearchReason) throws {
        let json = try text(reason)
        #expect(try decoded(json) == reason)
    }

    @Test func `each notice is read back`() throws {
        let fence = FenceEvent(
            fence: "home", kind: .enter, moment: .after(.seconds(1)), coordinate: Self.location.coordinate)
        for notice in [
            Notice.Content.linesSkipped(count: 2, cause: "noise"), .implausibleDate(.testEpoch, device: nil),
            .implausibleValue(field: "speed", device: "a"), .tornEnd(bytes: 12), .lastKnown(Self.location),
            .fence(fence),
            .staleAfter(.seconds(86_400)), .unknownMessage(device: "a", cause: "b"),
            .messagesSkipped(count: 3, cause: "c"),
            .corrections(CorrectionsStatus(source: "ntrip://joe@caster:2101/M")),
            .corrections(CorrectionsStatus(source: "./rtcm", fault: .pipe, cause: "no")),
        ].map({ Notice($0) }) {
            let json = try text(notice)
            #expect(try decoded(json) == notice)
        }
    }

    @Test(arguments: [
        #"{"searching":{"_0":{"deviceLost":{}}}}"#, #"{"searching":{"_0":{"odd":{}}}}"#, #"{"failure":{}}"#,
        #"{"location":{"_0":{}}}"#, #"{"tilt":{}}"#, "{}", #"{"searching":{"_0":{"silent":{"for":1e300}}}}"#,
    ])
    func `a form that lacks a value, or is not known here, is refused`(json: String) {
        #expect(throws: DecodingError.self) { try decoded(json, as: LocationEvent.self) }
    }

    @Test func `states and handovers are read back`() throws {
        let states: [(LocationState, String)] = [
            (.searching(.noDevice), #"{"searching":{"_0":{"noDevice":{}}}}"#),
            (.error(.cancelled), #"{"error":{"_0":{"cancelled":{}}}}"#),
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
