import LocationCore
import LocationTracks

/// The track of a session in memory of limited size.
struct WebTrack: Sendable {
    /// The points, or `nil` in a fleet, whose machines have no track together.
    private(set) var points: WebPoints? = WebPoints()
    private var assembler = TrackAssembler()
    private var beginsSegment = true

    mutating func process(_ update: TrackedUpdate) {
        if case .update(let source, _) = update, source.subject != nil { points = nil }
        guard points != nil else { return }
        for element in assembler.process(update) {
            switch element {
            case .point(let point):
                points?.append(WebPoint(point, beginsSegment: beginsSegment))
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
    var latitude: Double
    var longitude: Double
    var time: Timestamp?
    var altitude: Float
    var horizontalError: Float
    private var verticalError: Float
    var speed: Float
    private var course: Float
    private var fix: FixKind
    private var seen: UInt8?
    /// The number of satellites that the fix uses, if it is known.
    private(set) var used: UInt8?
    var beginsSegment: Bool

    init(_ point: TrackPoint, beginsSegment: Bool) {
        func short(_ value: Double?) -> Float { Float(value ?? .nan) }
        let location = point.location
        latitude = location.coordinate.latitude
        longitude = location.coordinate.longitude
        time = location.timestamp
        altitude = short(location.altitudeMSL)
        horizontalError = short(location.horizontalAccuracy)
        verticalError = short(location.verticalAccuracy)
        speed = short(location.speed)
        course = short(location.course)
        fix = location.fix
        seen = point.seen.map(UInt8.init(clamping:))
        used = point.used.map(UInt8.init(clamping:))
        self.beginsSegment = beginsSegment
    }

    /// The point with the fields of a report.
    var full: TrackPoint {
        var location = Location(
            coordinate: Coordinate(latitude: latitude, longitude: longitude), fix: fix, timestamp: time,
            horizontalAccuracy: horizontalError.rounded, altitudeMSL: altitude.rounded,
            speed: speed.rounded, course: course.rounded)
        location.verticalAccuracy = verticalError.rounded
        return TrackPoint(
            location, seen: seen.map(Int.init), used: used.map(Int.init), dilution: DilutionOfPrecision())
    }
}

extension Float {
    /// The number with three decimals, or `nil` if it is not finite.
    var rounded: Double? { isFinite ? (Double(self) * 1000).rounded() / 1000 : nil }
}
