import LocationCore

/// A feature of GeoJSON that is read: its positions, and the properties that belong to a track.
struct GeoJSONFeature {
    /// A position of a geometry.
    private struct Vertex {
        var longitude: Double
        var latitude: Double
        var altitude: Double?
    }

    /// The limit of the positions of a feature, whose times follow after all of them.
    static let limit = 1_000_000

    /// The geometry's type, such as `LineString`.
    var type = ""
    /// The time of the feature as a whole.
    var time: Timestamp?
    /// Whether the feature has a time, which may be unknown.
    var hasTime = false
    /// The number of the segment in the files that locwatch writes.
    var segment: Int?
    /// Whether the first and the last position are where the line crosses the antimeridian, as locwatch writes it.
    var crosses = (first: false, last: false)
    /// The properties of a point.
    var point = TrackPoint(Location(coordinate: Coordinate(latitude: 0, longitude: 0), fix: .none))
    /// Whether a property gives the dimensions of the fix.
    var isFixKnown = false
    private var vertices: [Vertex] = []
    /// The indices of the vertices that begin a line.
    private var starts: [Int] = [0]
    private var times: [Timestamp?] = []
    private(set) var invalid = 0

    var isFull: Bool { vertices.count > Self.limit || times.count > Self.limit }

    /// Appends a position: a longitude, a latitude, and an altitude if known.
    mutating func append(position: [Double?]) {
        guard position.count >= 2, let longitude = position[0], let latitude = position[1],
            Coordinate(checking: latitude, longitude) != nil
        else {
            invalid += 1
            // The place in the list of times stays taken.
            vertices.append(Vertex(longitude: .nan, latitude: .nan))
            return
        }
        vertices.append(
            Vertex(longitude: longitude, latitude: latitude, altitude: position.count > 2 ? position[2] : nil))
    }

    mutating func append(time: Timestamp?) { times.append(time) }

    /// Whether a list has given the times of the positions.
    var hasTimes: Bool { !times.isEmpty }

    /// Ends a line; the next position begins another.
    mutating func endLine() {
        if starts.last != vertices.count { starts.append(vertices.count) }
    }

    /// The points of a complete feature, which are emitted some at a time.
    struct Points {
        /// The number of points that are emitted at a time.
        private static let step = 4096

        private let feature: GeoJSONFeature
        private let isLine: Bool
        /// Whether the first point begins a segment.
        private let isNew: Bool
        private var index = 0
        private var nextStart = 0

        /// Creates the points, or returns `nil` if the geometry has none of a track.
        ///
        /// - Parameter lastSegment: The number of the segment of the feature before.
        init?(of feature: GeoJSONFeature, after lastSegment: Int?) {
            switch feature.type {
            case "Point": isLine = false
            case "LineString", "MultiLineString", "MultiPoint": isLine = true
            default: return nil
            }
            self.feature = feature
            // A feature with the same number continues the segment.
            isNew = feature.segment.map { $0 != lastSegment } ?? isLine
        }

        /// Adds the next points to a collector; returns whether there are more.
        mutating func emit(to collector: PointCollector) -> Bool {
            let hasTimes = !feature.times.isEmpty && feature.times.count == feature.vertices.count
            let isTimed = hasTimes || !isLine && feature.hasTime
            let kind: PointCollector.Kind =
                isTimed ? .track : isLine && feature.type != "MultiPoint" ? .line : .waypoint
            let end = min(index + Self.step, feature.vertices.count)
            while index < end {
                defer { index += 1 }
                let vertex = feature.vertices[index]
                var starts = false
                if nextStart < feature.starts.count, feature.starts[nextStart] == index {
                    starts = index > 0 ? isLine : isNew
                    nextStart += 1
                }
                let isLast = index + 1 == feature.vertices.count
                if isLine, index == 0 && feature.crosses.first || isLast && feature.crosses.last { continue }
                guard let coordinate = Coordinate(checking: vertex.latitude, vertex.longitude) else {
                    collector.skip("its longitude and latitude are not numbers in range")
                    continue
                }
                var point = feature.point
                point.location = Location(
                    replacing: point.location, coordinate, altitude: vertex.altitude,
                    time: hasTimes ? feature.times[index] : isLine ? nil : feature.time)
                if !feature.isFixKnown {
                    point.location.fix = point.location.altitudeMSL == nil ? .twoD : .threeD
                }
                collector.add(point, kind, startsSegment: starts)
            }
            return end < feature.vertices.count
        }
    }
}

extension Location {
    /// Creates a location with the place, the altitude and the time of a vertex, and the other values of `location`.
    fileprivate init(
        replacing location: Location, _ coordinate: Coordinate, altitude: Double?, time: Timestamp?
    ) {
        self = location
        self.coordinate = coordinate
        altitudeMSL = altitude ?? location.altitudeMSL
        timestamp = time
    }
}
