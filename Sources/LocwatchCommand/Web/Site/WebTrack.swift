import LocationCore
import LocationTracks

/// The track of a session in memory of limited size, from which files are made on request.
struct WebTrack: Sendable {
    /// A point in few bytes.
    struct Point: Sendable {
        var latitude: Double
        var longitude: Double
        var time: Timestamp?
        var altitude: Float
        var horizontalError: Float
        var verticalError: Float
        var speed: Float
        var course: Float
        var mode: UInt8
        var seen: UInt8
        var used: UInt8
        var beginsSegment: Bool
    }

    /// The number of points, four hours at one a second; beyond it the older half loses every second point.
    static let limit = 14_400
    /// The number of points that the page shows when it is opened, an hour at one a second.
    static let recentLimit = 3600
    /// The place of a count that is not known.
    private static let unknown = UInt8.max

    private(set) var points: [Point] = []
    private var assembler: TrackAssembler
    private var beginsSegment = true

    init(_ settings: Settings) {
        assembler = TrackAssembler(device: settings.device, staleAfter: settings.staleAfter)
    }

    mutating func process(_ update: TrackedUpdate) {
        for element in assembler.process(update) {
            switch element {
            case .point(let point):
                if points.count >= Self.limit { thin() }
                points.append(Self.compact(point, beginsSegment: beginsSegment))
                beginsSegment = false
            case .revision(let point):
                guard let last = points.last else { break }
                points[points.count - 1] = Self.compact(point, beginsSegment: last.beginsSegment)
            case .gap: beginsSegment = true
            }
        }
    }

    private mutating func thin() {
        let half = points.count / 2
        var kept: [Point] = []
        kept.reserveCapacity(Self.limit)
        var begins = false
        for place in 0..<half {
            var point = points[place]
            // A segment whose first point is dropped begins with its second one.
            guard place % 2 == 0 else {
                begins = begins || point.beginsSegment
                continue
            }
            point.beginsSegment = point.beginsSegment || begins
            begins = false
            kept.append(point)
        }
        if begins { points[half].beginsSegment = true }
        points = kept + points[half...]
    }

    private static func compact(_ point: TrackPoint, beginsSegment: Bool) -> Point {
        let location = point.location
        func short(_ value: Double?) -> Float { Float(value ?? .nan) }
        func small(_ count: Int?) -> UInt8 { count.map { UInt8(clamping: min(max(0, $0), 254)) } ?? unknown }
        return Point(
            latitude: location.coordinate.latitude, longitude: location.coordinate.longitude, time: location.timestamp,
            altitude: short(location.altitudeMSL), horizontalError: short(location.horizontalAccuracy),
            verticalError: short(location.verticalAccuracy), speed: short(location.speed),
            course: short(location.course), mode: UInt8(clamping: location.fix.rawValue), seen: small(point.seen),
            used: small(point.used), beginsSegment: beginsSegment)
    }

    /// Returns the track as a file.
    func file(_ format: TrackFormat) -> [UInt8] {
        var stream = TrackStream(format)
        var bytes: [UInt8] = []
        for (place, point) in points.enumerated() {
            if point.beginsSegment, place > 0 { stream.process(.gap(.missing), to: &bytes) }
            stream.process(.point(Self.full(point)), to: &bytes)
        }
        stream.finish(to: &bytes)
        return bytes
    }

    private static func full(_ point: Point) -> TrackPoint {
        func long(_ value: Float) -> Double? { value.rounded }
        var location = Location(
            coordinate: Coordinate(latitude: point.latitude, longitude: point.longitude),
            fix: FixKind(rawValue: Int(point.mode)) ?? .twoD, timestamp: point.time,
            horizontalAccuracy: long(point.horizontalError), altitudeMSL: long(point.altitude),
            speed: long(point.speed), course: long(point.course))
        location.verticalAccuracy = long(point.verticalError)
        return TrackPoint(
            location, seen: point.seen == unknown ? nil : Int(point.seen),
            used: point.used == unknown ? nil : Int(point.used), dilution: DilutionOfPrecision())
    }

    /// The newest points as JSON for the page, each as a list of figures in the order of `columns`.
    var recent: [UInt8] {
        var out = TextBuffer()
        out.put(
            "{\"columns\":[\"time\",\"lat\",\"lon\",\"altMSL\",\"eph\",\"speed\",\"used\",\"segment\"],\"points\":[")
        var separator: StaticString = "\n["
        for point in points.suffix(Self.recentLimit) {
            out.put(separator)
            separator = "],\n["
            if let time = point.time { out.put(Int(time.nanosecondsSince1970 / 1_000_000)) } else { out.put("null") }
            for value in [point.latitude, point.longitude] {
                out.put(UInt8(ascii: ","))
                out.put(trimmed: value, decimals: 7)
            }
            for value in [point.altitude, point.horizontalError, point.speed] {
                out.put(UInt8(ascii: ","))
                if let value = value.rounded { out.put(shortest: value) } else { out.put("null") }
            }
            out.put(UInt8(ascii: ","))
            if point.used == Self.unknown { out.put("null") } else { out.put(Int(point.used)) }
            out.put(point.beginsSegment ? ",1" : ",0")
        }
        if !points.isEmpty { out.put("]") }
        out.put("]}\n")
        return out.bytes
    }
}

extension Float {
    /// The number with three decimals, or `nil` if it is not finite.
    fileprivate var rounded: Double? { isFinite ? (Double(self) * 1000).rounded() / 1000 : nil }
}
