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
        (.searching(.silent(for: .milliseconds(3500))), #"{"searching":{"_0":{"silent":{"for":3.5}}}}"#),
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

    private func expectReadBack<Value: Codable & Equatable>(_ values: [Value]) throws {
        for value in values { #expect(try decoded(text(value)) == value) }
    }

    private static let full = Sample.gate.with {
        $0.fix = .twoD
        $0.quality = .rtkFixed
        $0.timestamp = .testEpoch
        $0.received = .testEpoch.advanced(by: .milliseconds(120))
        $0.device = "/dev/ttyACM0"
        $0.isLate = true
        $0.details = LocationDetails()
        $0.details?.ecefPosition = Vector3(3_784_000.5, 899_000, 5_038_000)
        $0.details?.datum = "WGS84"
    }

    @Test func `each error, reason, notice, request and change is read back`() throws {
        try expectReadBack(LocationError.samples)
        try expectReadBack(SearchReason.samples)
        try expectReadBack([Sample.gate, Self.full])
        let satellite = Satellite(constellation: .galileo, number: 5, elevation: 40, signal: 38, isUsed: true)
        try expectReadBack([
            LocationEvent.device(DeviceStatus(path: "/dev/a", activity: .babbling)),
            .satellites(SkyView(satellites: [satellite], timestamp: .testEpoch)),
        ])
        let fence = FenceEvent(
            fence: "home", kind: .enter, moment: .after(.seconds(1)), coordinate: Self.location.coordinate)
        try expectReadBack(
            [
                Notice.Content.linesSkipped(count: 2, cause: "noise"), .implausibleDate(.testEpoch, device: nil),
                .implausibleValue(field: "speed", device: "a"), .tornEnd(bytes: 12), .lastKnown(Self.location),
                .fence(fence), .staleAfter(.seconds(86_400)), .unknownMessage(device: "a", cause: "b"),
                .messagesSkipped(count: 3, cause: "c"),
                .corrections(CorrectionsStatus(source: "ntrip://joe@caster:2101/M")),
                .corrections(CorrectionsStatus(source: "./rtcm", fault: .pipe, cause: "no")),
            ].map { Notice($0) })
        try expectReadBack([
            LocationRequest(
                accuracy: 10, distanceFilter: 5, minimumInterval: .seconds(2), maxAge: .seconds(9),
                device: "/dev/a", purpose: .once)
        ])
        try expectReadBack([
            StateChange(
                from: .searching(.starting), to: .found(Self.full), at: .after(.seconds(4)), lasted: .seconds(4),
                device: "/dev/a")
        ])
        try expectReadBack(
            [Handover.Reason.better, .lost(.silent(for: .seconds(4)))].map {
                Handover(from: "a", to: "b", reason: $0, at: .after(.seconds(1)))
            })
    }

    @Test(arguments: [
        #"{"searching":{"_0":{"deviceLost":{}}}}"#, #"{"searching":{"_0":{"odd":{}}}}"#, #"{"failure":{}}"#,
        #"{"location":{"_0":{}}}"#, #"{"tilt":{}}"#, "{}", #"{"searching":{"_0":{"silent":{"for":1e300}}}}"#,
    ])
    func `a form that lacks a value, or is not known here, is refused`(json: String) {
        #expect(throws: DecodingError.self) { try decoded(json, as: LocationEvent.self) }
    }

    @Test(
        arguments: [
            (.searching(.noDevice), #"{"searching":{"_0":{"noDevice":{}}}}"#),
            (.error(.cancelled), #"{"error":{"_0":{"cancelled":{}}}}"#),
        ] as [(LocationState, String)])
    func `a state has this form, and is read back`(state: LocationState, json: String) throws {
        #expect(try text(state) == json)
        #expect(try decoded(json) == state)
    }
}
