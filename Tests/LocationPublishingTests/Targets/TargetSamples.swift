import Foundation
import LocationCore
import Testing

@testable import LocationPublishing

/// Records that the tests of encoders share.
enum Samples {
    /// The time 2026-03-20T09:27:25.400Z.
    static let time = Timestamp(nanosecondsSince1970: 1_773_998_845_400_000_000)

    /// A position with all usual values.
    static let location: Location = {
        var location = Location(
            coordinate: Coordinate(latitude: 45.05, longitude: 7.68), timestamp: time, device: "/dev/ttyACM0",
            horizontalAccuracy: 4.2, altitudeMSL: 241.3, speed: 3.9, course: 181.4)
        location.altitudeHAE = 289.3
        location.verticalAccuracy = 7.5
        location.geoidSeparation = 48
        return location
    }()

    /// A position without any optional value, at an extreme of both coordinates.
    static func bare(_ latitude: Double = -90, _ longitude: Double = -180, _ time: Timestamp? = nil) -> Location {
        Location(coordinate: Coordinate(latitude: latitude, longitude: longitude), timestamp: time)
    }

    static func record(
        _ occasion: PublishRecord.Occasion = .moved, _ location: Location? = location, created: Timestamp = time,
        used: Int? = nil
    ) -> PublishRecord {
        PublishRecord(
            occasion, created: created, location: location, sky: used.map { SkyView(satellites: nil, used: $0) })
    }

    /// Texts that end a string, a line or a field somewhere.
    static let hostileNames = [
        "a\"b", "a\\b", "a\\", "a\nb\r\n", "a\0b", "😀 caf\u{e9}", "<&>'\"?", "%7B %{lat} {{ x }}", "\u{202e}abc", "",
    ]

    /// Positions with numbers that are no measurements, or at the ends of the ranges.
    static let hostileLocations: [Location] = {
        let numbers = [
            Double.nan, .infinity, -.infinity, 1e300, -1e300, -0.0, .leastNonzeroMagnitude, -1, 1e9, 359.999, 360,
        ]
        let times: [Timestamp?] = [
            nil, time, Timestamp(nanosecondsSince1970: -1), Timestamp(nanosecondsSince1970: .min),
            Timestamp(nanosecondsSince1970: .max),
        ]
        var locations: [Location] = []
        for (index, number) in numbers.enumerated() {
            for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (-0.0, 0), (1e-300, -1e-300)] {
                var location = bare(latitude, longitude, times[index % times.count])
                location.altitudeMSL = number
                location.altitudeHAE = number
                location.geoidSeparation = number
                location.horizontalAccuracy = number
                location.verticalAccuracy = number
                location.speed = number
                location.course = number
                location.magneticVariation = number
                location.device = hostileNames[index % hostileNames.count]
                location.quality = .other(.min)
                (location[.ecefX], location[.ecefY], location[.ecefZ]) = (number, number, number)
                location.datum = hostileNames[index % hostileNames.count]
                location[.dgpsAge] = number
                location[count: .dgpsStation] = .max
                locations.append(location)
            }
        }
        return locations
    }()

    /// Hostile records on every occasion.
    static let hostileRecords: [PublishRecord] = hostileLocations.flatMap { location in
        var occasions: [PublishRecord.Occasion] = [.moved, .heartbeat, .manual, .found, .lost]
        occasions += hostileNames.map { .fence(.enter, name: $0) }
        occasions += [.fence(.exit, name: "x"), .fence(.inside, name: "x"), .fence(.dwell, name: "x")]
        return occasions.map { record($0, location, used: Int.min) }
    }
}

/// The object in bytes of JSON; fails on bytes that are no JSON.
func object(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
}

/// The text of bytes.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
