import LocationCore
@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct RecordJSONTests {
    private static func records() -> [PublishRecord] {
        var full = Location(coordinate: Coordinate(latitude: -90, longitude: 180), fix: .twoD)
        full.quality = .other(17)
        full.timestamp = Timestamp(nanosecondsSince1970: -1)
        full.received = Timestamp(nanosecondsSince1970: 9_180_000_000_123_456_789)
        full.device = "/dev/\u{1F690}\n"
        full.isLate = true
        for field in Location.Field.allCases { full[field] = Double(field.rawValue + 1) }
        full.climb = -0.0
        full.datum = "WGS84"
        var satellite = Satellite(
            constellation: .navic, number: -1, prn: 1 << 52, elevation: -0.0, azimuth: 3276.8, signal: 0.05,
            isUsed: true)
        satellite.health = .bad
        satellite.signalBand = Int(Int16.max)
        satellite.frequencySlot = Int(Int16.min)
        satellite.residual = -1e-9
        satellite.quality = 7
        var sky = SkyView(
            satellites: [Satellite(), satellite, Satellite(constellation: .gps, number: 3, elevation: 12.3)], seen: 40,
            used: 2,
            timestamp: full.timestamp, device: "/dev/x")
        sky.dilution.horizontal = 0.9
        sky.dilution.geometric = 1e300
        let plain = Location(coordinate: Coordinate(latitude: 45, longitude: 7))
        var judged = PublishRecord(.moved, created: Timestamp(nanosecondsSince1970: 1), location: plain)
        judged.verdict = .alarm
        judged.isStationary = true
        let time = Timestamp(nanosecondsSince1970: 1_700_000_000_123_456_789)
        return [
            PublishRecord(.moved, created: time, location: plain),
            PublishRecord(.heartbeat, created: time, location: full, sky: SkyView(satellites: nil, used: 12)),
            PublishRecord(.manual, created: time, location: full, sky: sky),
            PublishRecord(.found, created: time, location: plain),
            PublishRecord(.lost, created: time, location: nil),
            judged,
        ]
            + FenceEvent.Kind.allCases.map {
                PublishRecord(.fence($0, name: "home \"x\"\u{0}"), created: time, location: full)
            }
    }

    private func read(_ json: [UInt8]) -> PublishRecord? { json.withUnsafeBytes { PublishRecord(json: $0) } }

    @Test func `every value of a record survives`() {
        for record in Self.records() { #expect(read(record.json) == record) }
    }

    @Test func `a record is an object that a person can read`() {
        let record = Self.records()[0]
        #expect(
            String(decoding: record.json, as: UTF8.self)
                == #"{"occasion":"moved","created":"2023-11-14T22:13:20.123456789Z","#
                + #""location":{"lat":45,"lon":7,"mode":3,"status":1}}"#)
    }

    @Test func `numbers that JSON does not have are left out`() {
        var record = Self.records()[0]
        record.location?.speed = .infinity
        #expect(read(record.json)?.location?.speed == nil)
    }

    @Test func `more satellites than any receiver reports are cut, so that a record has a limited size`() {
        var record = Self.records()[0]
        record.sky = SkyView(satellites: Array(repeating: Satellite(elevation: 0.01), count: 100_000))
        #expect(read(record.json)?.sky?.satellites?.count == 255)
    }

    @Test func `torn, longer and changed bytes never trap, and yield a record only if they are one`() {
        for record in Self.records() {
            let json = record.json
            for count in json.indices { #expect(read(Array(json.prefix(count))) == nil) }
            #expect(read(json + [UInt8(ascii: "}")]) == nil)
            for place in json.indices {
                var changed = json
                changed[place] ^= [0x01, 0x80, 0xFF][place % 3]
                if let found = read(changed) { #expect(read(found.json) != nil) }
            }
        }
    }

    @Test(arguments: [
        "", "null", "[]", "{}", #"{"occasion":"moved"}"#, #"{"occasion":"unknown","created":"2026-01-01T00:00:00Z"}"#,
        #"{"occasion":"enter","created":"2026-01-01T00:00:00Z"}"#,
        #"{"occasion":"moved","created":"2026-01-01T00:00:00Z","location":{"lat":91,"lon":0,"mode":3}}"#,
        #"{"occasion":"moved","created":"2026-01-01T00:00:00Z","location":{"lat":1,"lon":0,"mode":1e99}}"#,
        #"{"occasion":"moved","created":"2026-01-01T00:00:00Z","verdict":"good"}"#,
        "{\"occasion\":" + String(repeating: "[", count: 100_000),
    ])
    func `text of another kind gives no record`(text: String) { #expect(read(Array(text.utf8)) == nil) }
}
