import LocationCore
import LocationTracks
import LocwatchArguments

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
        assembler = TrackAssembler(device: settings.devicePath, staleAfter: settings.staleAfter)
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

    /// The newest points as JSON for the page, each as a list of figures.
    var recent: [UInt8] {
        let columns: [(name: String, decimals: Int, value: (Point) -> Double?)] = [
            ("time", 0, { $0.time.map { Double($0.nanosecondsSince1970 / 1_000_000) } }),
            ("lat", 7, { $0.latitude }), ("lon", 7, { $0.longitude }), ("altMSL", 3, { $0.altitude.rounded }),
            ("eph", 3, { $0.horizontalError.rounded }), ("speed", 3, { $0.speed.rounded }),
            ("used", 0, { $0.used == Self.unknown ? nil : Double($0.used) }),
            ("segment", 0, { $0.beginsSegment ? 1 : 0 }),
        ]
        var out = TextBuffer()
        out.object { out in
            out.member("columns", columns.map(\.name))
            out.put(key: "points")
            out.list(points.suffix(Self.recentLimit)) { out, point in
                out.put("\n")
                out.list(columns) { out, column in
                    if let value = column.value(point) {
                        out.put(trimmed: value, decimals: column.decimals)
                    } else {
                        out.put("null")
                    }
                }
            }
        }
        out.put("\n")
        return out.bytes
    }
}

extension Float {
    /// The number with three decimals, or `nil` if it is not finite.
    fileprivate var rounded: Double? { isFinite ? (Double(self) * 1000).rounded() / 1000 : nil }
}
