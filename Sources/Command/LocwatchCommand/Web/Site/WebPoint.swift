import LocationCore
import LocationTracks

/// A point of a track in few bytes.
struct WebPoint: Sendable {
    /// The place of a count that is not known.
    private static let unknown = UInt8.max

    var latitude: Double
    var longitude: Double
    var time: Timestamp?
    var altitude: Float
    var horizontalError: Float
    private var verticalError: Float
    var speed: Float
    private var course: Float
    private var mode: UInt8
    private var seen: UInt8
    private var usedCount: UInt8
    var beginsSegment: Bool

    init(_ point: TrackPoint, beginsSegment: Bool) {
        func short(_ value: Double?) -> Float { Float(value ?? .nan) }
        func small(_ count: Int?) -> UInt8 { count.map { UInt8(clamping: min(max(0, $0), 254)) } ?? Self.unknown }
        let location = point.location
        latitude = location.coordinate.latitude
        longitude = location.coordinate.longitude
        time = location.timestamp
        altitude = short(location.altitudeMSL)
        horizontalError = short(location.horizontalAccuracy)
        verticalError = short(location.verticalAccuracy)
        speed = short(location.speed)
        course = short(location.course)
        mode = UInt8(clamping: location.fix.rawValue)
        seen = small(point.seen)
        usedCount = small(point.used)
        self.beginsSegment = beginsSegment
    }

    /// The number of satellites that the fix uses, if it is known.
    var used: Int? { usedCount == Self.unknown ? nil : Int(usedCount) }

    /// The point with the fields of a report.
    var full: TrackPoint {
        var location = Location(
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            fix: FixKind(rawValue: Int(mode)) ?? .twoD, timestamp: time,
            horizontalAccuracy: horizontalError.rounded, altitudeMSL: altitude.rounded,
            speed: speed.rounded, course: course.rounded)
        location.verticalAccuracy = verticalError.rounded
        return TrackPoint(
            location, seen: seen == Self.unknown ? nil : Int(seen), used: used, dilution: DilutionOfPrecision())
    }
}

extension Float {
    /// The number with three decimals, or `nil` if it is not finite.
    var rounded: Double? { isFinite ? (Double(self) * 1000).rounded() / 1000 : nil }
}
