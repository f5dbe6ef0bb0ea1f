import Foundation
import LocationCore
import LocationTesting
import Testing

/// The form of the values that programs store, as JSON.
@Suite struct CodingTests {
    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func decoded<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    private static let place = Location(coordinate: Coordinate(latitude: 52.5, longitude: 13.25))

    private static let locations: [(Location, String)] = [
        (
            place,
            #"{"coordinate":{"latitude":52.5,"longitude":13.25},"fix":3,"isLate":false,"quality":"ordinary"}"#
        ),
        (
            place.with {
                $0.fix = .twoD
                $0.quality = .other(12)
                $0.timestamp = .testEpoch
                $0.received = .testEpoch.advanced(by: .nanoseconds(120_000_001))
                $0.device = "/dev/ttyACM0"
                $0.isLate = true
                $0.horizontalAccuracy = 4
                $0.speed = 1.5
            },
            #"""
            {"coordinate":{"latitude":52.5,"longitude":13.25},"device":"/dev/ttyACM0","fix":2,"horizontalAccuracy":4,\#
            "isLate":true,"quality":12,"received":"2026-01-01T00:00:00.120000001Z","speed":1.5,\#
            "timestamp":"2026-01-01T00:00:00.000Z"}
            """#
        ),
        (
            place.with {
                $0.details = LocationDetails()
                $0.details?.ecefPosition = Vector3(3_784_000.5, 899_000, nil)
                $0.details?.datum = "WGS84"
                $0.details?.leapSeconds = 18
                $0.details?.depth = 2.5
            },
            #"""
            {"coordinate":{"latitude":52.5,"longitude":13.25},"details":{"datum":"WGS84","depth":2.5,\#
            "ecefPosition":{"x":3784000.5,"y":899000},"ecefVelocity":{},"leapSeconds":18,"relativeNED":{},\#
            "velocityNED":{}},"fix":3,"isLate":false,"quality":"ordinary"}
            """#
        ),
    ]

    @Test(arguments: locations) func `a location has this form, and is read back`(location: Location, json: String)
        throws
    {
        #expect(try text(location) == json)
        #expect(try decoded(json) == location)
    }

    @Test func `an unknown number and an empty box are null outside a keyed container`() throws {
        func expect<Value: Codable & Equatable>(_ list: [Value], _ json: String) throws {
            #expect(try text(list) == json)
            #expect(try decoded(json) == list)
        }
        try expect([OptionalDouble(wrappedValue: 1.5), OptionalDouble(wrappedValue: nil)], "[1.5,null]")
        try expect([Boxed(wrappedValue: 1), Boxed(wrappedValue: nil)], "[1,null]")
    }

    @Test func `a missing or null key is read as unknown`() throws {
        #expect(try decoded(#"{"x": null, "y": 2}"#) == Vector3(nil, 2, nil))
    }

    @Test(arguments: [
        "{}", #"{"coordinate":{"latitude":1,"longitude":2}}"#,
        #"{"coordinate":{"latitude":91,"longitude":0},"fix":3,"isLate":false,"quality":"ordinary"}"#,
        #"{"coordinate":{"latitude":1,"longitude":2},"fix":9,"isLate":false,"quality":"ordinary"}"#,
        #"{"coordinate":{"latitude":1,"longitude":2},"fix":3,"isLate":false,"quality":"odd"}"#,
        #"{"coordinate":{"latitude":1,"longitude":2},"fix":3,"isLate":false,"quality":"ordinary","speed":"fast"}"#,
        #"{"coordinate":{"latitude":1,"longitude":2},"fix":3,"isLate":false,"quality":"ordinary","timestamp":"soon"}"#,
    ])
    func `a location that lacks a value, or has an impossible one, is refused`(json: String) {
        #expect(throws: DecodingError.self) { try decoded(json, as: Location.self) }
    }
}

@Suite struct MeasuredTests {
    @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func `a number that is not finite is unknown`(number: Double) {
        var measured = OptionalDouble(wrappedValue: number)
        #expect(measured.wrappedValue == nil)
        measured.wrappedValue = 3
        #expect(measured.wrappedValue == 3)
        measured.wrappedValue = number
        #expect(measured == OptionalDouble(wrappedValue: nil))
    }

    @Test func `two unknown numbers are equal and hash alike`() {
        #expect(
            Set([
                OptionalDouble(wrappedValue: nil), OptionalDouble(wrappedValue: .nan), OptionalDouble(wrappedValue: 1),
            ]).count == 2)
        #expect(OptionalDouble(wrappedValue: nil) != OptionalDouble(wrappedValue: 0))
    }
}

@Suite struct NumberFieldTests {
    private static let places = Array(LocationNumbers.fields.indices)

    /// A property and its row have the same name here, but for those that have another one.
    @Test(arguments: places) func `a number is set, shown, merged and coded by its row`(place: Int) throws {
        let name = LocationNumbers.fields[place].name
        var location = Location(coordinate: Sample.gate.coordinate)
        #expect(location[number: place] == nil && !location.hasDetails)
        location[number: place] = 12
        #expect(location[number: place] == 12)
        #expect(location.hasDetails == (place >= Location.fields.count))
        #expect("\(location)".contains("\(name) 12"))
        #expect(Self.places.filter { location[number: $0] != nil } == [place])
        var later = Location(coordinate: Sample.gate.coordinate)
        later.fillNumbers(from: location)
        #expect(later == location)
        location[number: place] = 13
        later.fillNumbers(from: location)
        #expect(later[number: place] == 12)
        let coded = try JSONDecoder().decode(Location.self, from: JSONEncoder().encode(later))
        #expect(coded[number: place] == 12)
    }

    @Test func `each number has a place of its own, and each stored number has a row`() {
        #expect(LocationNumbers.places.count >= LocationNumbers.fields.count)
        for (value, fields) in [
            (Location(coordinate: Sample.gate.coordinate) as Any, Location.fields),
            (LocationDetails(), LocationDetails.fields), (DilutionOfPrecision(), DilutionOfPrecision.fields),
        ] {
            let stored = Mirror(reflecting: value).children.reduce(into: 0) { count, child in
                if child.value is OptionalDouble || type(of: child.value) == Int?.self { count += 1 }
                if child.value is Vector3 { count += 3 }
            }
            #expect(stored == fields.count)
        }
    }
}

@Suite struct SessionClockTests {
    private let clock = ManualClock()

    @Test func `a session begins at the current time of its clock`() {
        clock.advance(by: .seconds(50))
        let session = SessionClock(clock, startingAt: .testEpoch)
        #expect(session.now == .after(.zero))
        clock.advance(by: .milliseconds(1500))
        #expect(session.now == .after(.milliseconds(1500)))
    }

    @Test func `the civil time may run independently of the clock`() {
        let session = SessionClock(clock) { elapsed in .testEpoch.advanced(by: elapsed * 2) }
        clock.advance(by: .seconds(5))
        #expect(session.now == Moment(elapsed: .seconds(5), wall: .testEpoch.advanced(by: .seconds(10))))
    }

    @Test func `a cancelled sleep ends with a cancellation error`() async throws {
        let session = SessionClock(clock, startingAt: .testEpoch)
        let nap = Task { try await session.sleep(until: .after(.seconds(3))) }
        try await clock.untilSleeping()
        nap.cancel()
        await #expect(throws: CancellationError.self) { try await nap.value }
    }
}
