import Foundation
import LocationCore
import LocationTesting
import TestSupport
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
                ($0[.ecefX], $0[.ecefY]) = (3_784_000.5, 899_000)
                $0.datum = "WGS84"
                $0[count: .leapSeconds] = 18
                $0[.depth] = 2.5
            },
            #"""
            {"coordinate":{"latitude":52.5,"longitude":13.25},"datum":"WGS84","depth":2.5,"ecefX":3784000.5,\#
            "ecefY":899000,"fix":3,"isLate":false,"leapSeconds":18,"quality":"ordinary"}
            """#
        ),
    ]

    @Test(arguments: locations) func `a location has this form, and is read back`(location: Location, json: String)
        throws
    {
        #expect(try text(location) == json)
        #expect(try decoded(json) == location)
    }

    @Test func `the mark of a simulated location is kept`() throws {
        let simulated = CodingTests.place.with { $0.isSimulated = true }
        #expect(try text(simulated).contains(#""simulation":true"#))
        #expect(try decoded(text(simulated), as: Location.self).isSimulated)
    }

    /// Release 0.5 had the values that only some receivers report in an object of their own.
    @Test func `a location that release 0.5 has stored is read`() throws {
        let stored: Location = try decoded(
            #"""
            {"coordinate":{"latitude":52.5,"longitude":13.25},"details":{"datum":"WGS84","depth":2.5,"ecefVelocity":{},\#
            "leapSeconds":18},"fix":3,"isLate":false,"quality":"ordinary","speed":1.5}
            """#)
        let expected = CodingTests.place.with {
            ($0.datum, $0.speed, $0[.depth], $0[count: .leapSeconds]) = ("WGS84", 1.5, 2.5, 18)
        }
        #expect(stored == expected)
    }

    @Test func `an unknown number is null outside a keyed container`() throws {
        let list = [OptionalDouble(wrappedValue: 1.5), OptionalDouble(wrappedValue: nil)]
        #expect(try text(list) == "[1.5,null]")
        #expect(try decoded("[1.5,null]") == list)
    }

    @Test func `a missing or null key is read as unknown`() throws {
        let location: Location = try decoded(
            #"{"coordinate":{"latitude":1,"longitude":2},"fix":3,"isLate":false,"quality":"ordinary","speed":null}"#)
        #expect(location.speed == nil && location.course == nil)
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

@Suite struct FieldTests {
    @Test(arguments: Location.Field.allCases)
    func `a number is set, shown, merged and coded by its row`(field: Location.Field) throws {
        var location = Location(coordinate: Sample.gate.coordinate)
        #expect(location[field] == nil)
        location[field] = 12
        #expect(location[field] == 12)
        #expect("\(location)".contains("\(field.row.name) 12"))
        #expect(Location.Field.allCases.filter { location[$0] != nil } == [field])
        #expect(location["\(field.row.name)"] == 12 && location["\(field.row.gpsdName)"] == 12)
        var later = Location(coordinate: Sample.gate.coordinate)
        later.change { $0.numbers.fill(from: location.numbers) }
        #expect(later == location && later.hashValue == location.hashValue)
        location[field] = 13
        #expect(later != location)
        later.change { $0.numbers.fill(from: location.numbers) }
        #expect(later[field] == 12)
        let coded = try JSONDecoder().decode(Location.self, from: JSONEncoder().encode(later))
        #expect(coded == later)
        later[field] = nil
        #expect(later == Location(coordinate: Sample.gate.coordinate))
    }

    @Test func `each number has a name and a name of gpsd of its own`() {
        let rows = Location.Field.rows
        #expect(Set(rows.map { "\($0.name)" }).count == rows.count)
        #expect(Set(rows.map { "\($0.gpsdName)" }).count == rows.count)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1.5])
    func `a count that is no whole number is unknown, as any number that is not finite is`(number: Double) {
        var location = Location(coordinate: Sample.gate.coordinate)
        (location[.dgpsStation], location[count: .jamming]) = (12, 3)
        (location[.dgpsStation], location[.jamming]) = (number, number)
        #expect(location[count: .dgpsStation] == nil && location[.jamming] == nil)
        location.speed = number
        #expect(location.speed == (number.isFinite ? number : nil))
    }

    @Test func `a change of a location leaves its copies as they are`() {
        let before = Location(coordinate: Sample.gate.coordinate, speed: 1)
        var after = before
        after.speed = 2
        after.device = "/dev/ttyACM0"
        #expect(before.speed == 1 && before.device == nil)
        #expect(after.speed == 2 && after.device == "/dev/ttyACM0")
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
