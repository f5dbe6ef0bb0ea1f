import Foundation
import LocationCore
import LocationPublishing

/// Records and helpers for the tests of targets.
enum Records {
    /// 2026-03-01 12:00:00.250 UTC.
    static let time = Timestamp(nanosecondsSince1970: 1_772_366_400_250_000_000)

    static func location() -> Location {
        var location = Location(coordinate: Coordinate(latitude: 45.12345678, longitude: -7.5), timestamp: time)
        location.horizontalAccuracy = 4.24
        location.verticalAccuracy = 7.5
        location.altitudeMSL = 241.26
        location.altitudeHAE = 289.3
        location.speed = 13.9
        location.course = 181.04
        location.device = "/dev/ttyACM0"
        return location
    }

    static func record(
        _ occasion: PublishRecord.Occasion = .moved, _ location: Location? = location(), after delay: Duration = .zero
    ) -> PublishRecord {
        PublishRecord(occasion, created: time.advanced(by: delay), location: location, satellitesUsed: 12)
    }

    /// A record whose numbers are unknown or nonsense, and whose names are hostile.
    static func hostile(_ occasion: PublishRecord.Occasion = .moved) -> PublishRecord {
        var location = Location(coordinate: Coordinate(latitude: -90, longitude: 180))
        location.horizontalAccuracy = .infinity
        location.verticalAccuracy = .nan
        location.altitudeMSL = -.infinity
        location.altitudeHAE = .nan
        location.speed = 1e300
        location.course = .nan
        location.device = name
        return PublishRecord(
            occasion, created: Timestamp(nanosecondsSince1970: -1_500_000_000), location: location, satellitesUsed: -1)
    }

    static let name = "a\"b\\c\n\u{0}\u{1B}[31m<&>'\u{202E}🚐"

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Parses JSON, and fails if it is none.
    static func json(_ bytes: [UInt8]) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    }
}
