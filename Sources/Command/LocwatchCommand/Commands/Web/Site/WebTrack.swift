import LocationCore
import LocationTracks

/// The track of a session in memory of limited size.
struct WebTrack: Sendable {
    var points = WebPoints()
    private var assembler = TrackAssembler()
    private var beginsSegment = true
    /// Whether the session is about machines with names, which have no track together.
    private(set) var isOfMany = false

    mutating func process(_ update: TrackedUpdate) {
        if !isOfMany, case .update(let update, _) = update, update.subject != nil {
            (isOfMany, points) = (true, WebPoints())
        }
        guard !isOfMany else { return }
        for element in assembler.process(update) {
            switch element {
            case .point(let point):
                points.append(WebPoint(point, beginsSegment: beginsSegment))
                beginsSegment = false
            case .gap: beginsSegment = true
            }
        }
    }
}

/// The points of a track, of which the older half loses every second one when there are too many.
struct WebPoints: Sendable {
    /// The number of points, four hours at one a second.
    static let limit = 14_400

    private(set) var list: [WebPoint] = []

    init() { list.reserveCapacity(Self.limit) }

    mutating func append(_ point: WebPoint) {
        if list.count >= Self.limit { thin() }
        list.append(point)
    }

    private mutating func thin() {
        var kept: [WebPoint] = []
        kept.reserveCapacity(Self.limit)
        var begins = false
        for (place, point) in list.enumerated() {
            var point = point
            // A segment whose first point is dropped begins with its next one.
            point.beginsSegment = point.beginsSegment || begins
            begins = place < list.count / 2 && place % 2 == 1 && point.beginsSegment
            if place >= list.count / 2 || place % 2 == 0 { kept.append(point) }
        }
        list = kept
    }
}

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
