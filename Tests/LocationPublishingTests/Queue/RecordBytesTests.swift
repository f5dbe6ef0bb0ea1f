import LocationCore
import LocationPublishing
import Testing

@Suite struct RecordBytesTests {
    private static func records() -> [PublishRecord] {
        var full = Location(coordinate: Coordinate(latitude: -90, longitude: 180), fix: .twoD)
        full.quality = .other(17)
        full.timestamp = Timestamp(nanosecondsSince1970: -1)
        full.received = Timestamp(nanosecondsSince1970: .max)
        full.device = "/dev/\u{1F690}\n"
        full.isLate = true
        full.altitudeMSL = 1
        full.altitudeHAE = 2
        full.geoidSeparation = 3
        full.horizontalAccuracy = 4
        full.longitudeAccuracy = 5
        full.latitudeAccuracy = 6
        full.verticalAccuracy = 7
        full.sphericalAccuracy = 8
        full.timeAccuracy = 9
        full.speed = 10
        full.speedAccuracy = 11
        full.course = 12
        full.courseAccuracy = 13
        full.courseMagnetic = 14
        full.magneticVariation = 15
        full.climb = -0.0
        full.climbAccuracy = 17
        var details = LocationDetails()
        details.ecefPosition.x = 18
        details.velocityNED.z = 19
        details.relativeNED.y = 20
        details.errorEllipseMajor = 21
        details.dgpsStation = 22
        details.leapSeconds = 18
        details.datum = "WGS84"
        details.depth = 23
        details.windSpeedTrue = 24
        details.jamming = 255
        full.details = details
        var satellite = Satellite(
            constellation: .navic, number: -1, prn: .max, elevation: -0.0, azimuth: 3276.8, signal: 0.05, isUsed: true)
        satellite.health = .bad
        satellite.signalBand = Int(Int16.max)
        satellite.frequencySlot = Int(Int16.min)
        satellite.residual = .infinity
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

    @Test func `every value of a record survives`() {
        for record in Self.records() { #expect(PublishRecord(bytes: record.bytes) == record) }
        #expect(Self.records()[0].bytes.count < 120)
    }

    @Test func `the satellites of a receiver take little room`() {
        let satellites = (1...30).map {
            Satellite(
                constellation: .gps, number: $0, prn: $0, elevation: 12.5, azimuth: 359, signal: 40.1, isUsed: true)
        }
        var record = Self.records()[0]
        let bare = record.bytes.count
        record.sky = SkyView(satellites: satellites)
        #expect(PublishRecord(bytes: record.bytes) == record)
        #expect(record.bytes.count - bare < 30 * 32)
    }

    @Test func `more satellites than any receiver reports are cut, so that a record fits in a segment`() {
        var record = Self.records()[0]
        record.sky = SkyView(satellites: Array(repeating: Satellite(elevation: 0.01), count: 100_000))
        #expect(PublishRecord(bytes: record.bytes)?.sky?.satellites?.count == 255)
    }

    @Test func `torn, longer and changed bytes never trap, and yield a record only if they are one`() {
        for record in Self.records() {
            let bytes = record.bytes
            for count in bytes.indices { #expect(PublishRecord(bytes: Array(bytes.prefix(count))) == nil) }
            #expect(PublishRecord(bytes: bytes + [0]) == nil)
            for place in bytes.indices {
                for mask: UInt8 in [0x01, 0x80, 0xFF] {
                    var changed = bytes
                    changed[place] ^= mask
                    if let read = PublishRecord(bytes: changed) { #expect(PublishRecord(bytes: read.bytes) != nil) }
                }
            }
        }
    }
}
