import Foundation
import LocationCore
import LocationTesting
import Testing

@Suite struct CodingTests {
    private func keys(_ value: some Encodable) throws -> Set<String> {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        return Set((object as? [String: Any] ?? [:]).keys)
    }

    @Test func `an unknown value writes no key`() throws {
        let location = Location(coordinate: Sample.gate.coordinate)
        #expect(try keys(location) == ["coordinate", "fix", "quality", "isLate"])
        #expect(try keys(LocationDetails()).isDisjoint(with: ["dgpsAge", "depth", "temperature", "leapSeconds"]))
        #expect(try keys(Vector3.unknown).isEmpty)
        #expect(try keys(DilutionOfPrecision()).isEmpty)
    }

    @Test func `an unknown number and an empty box are null outside a keyed container`() throws {
        func expect<Value: Codable & Equatable>(_ list: [Value], _ json: String) throws {
            let data = try JSONEncoder().encode(list)
            #expect(String(decoding: data, as: UTF8.self) == json)
            #expect(try JSONDecoder().decode([Value].self, from: data) == list)
        }
        try expect([OptionalDouble(wrappedValue: 1.5), OptionalDouble(wrappedValue: nil)], "[1.5,null]")
        try expect([Boxed(wrappedValue: 1), Boxed(wrappedValue: nil)], "[1,null]")
    }

    @Test func `a missing or null key is read as unknown`() throws {
        let json = #"{"x": null, "y": 2}"#
        #expect(try JSONDecoder().decode(Vector3.self, from: Data(json.utf8)) == Vector3(nil, 2, nil))
    }

    @Test func `a key of the wrong type and a coordinate out of range are rejected`() {
        let (text, range) = (Data(#"{"x": "far"}"#.utf8), Data(#"{"latitude": 91, "longitude": 0}"#.utf8))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Vector3.self, from: text) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Coordinate.self, from: range) }
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
