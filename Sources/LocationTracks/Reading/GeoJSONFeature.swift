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
    /// The number of the segment in the files that locwatch writes.
    var segment: Int?
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

    /// Ends a line; the next position begins another.
    mutating func endLine() {
        if starts.last != vertices.count { starts.append(vertices.count) }
    }

    /// Adds the points to a collector.
    ///
    /// - Parameter lastSegment: The number of the segment of the feature before.
    func add(to collector: PointCollector, after lastSegment: Int?) {
        let isLine: Bool
        switch type {
        case "Point": isLine = false
        case "LineString", "MultiLineString", "MultiPoint": isLine = true
        default: return
        }
        let hasTimes = !times.isEmpty && times.count == vertices.count
        let isTimed = hasTimes || !isLine && time != nil
        // A feature with the same number continues the segment.
        let isNew = segment.map { $0 != lastSegment } ?? isLine
        var nextStart = 0
        for (index, vertex) in vertices.enumerated() {
            var starts = false
            if nextStart < self.starts.count, self.starts[nextStart] == index {
                starts = index > 0 ? isLine : isNew
                nextStart += 1
            }
            guard let coordinate = Coordinate(checking: vertex.latitude, vertex.longitude) else {
                collector.skip("its longitude and latitude are not numbers in range")
                continue
            }
            var point = self.point
            point.location = Location(
                replacing: point.location, coordinate, altitude: vertex.altitude,
                time: hasTimes ? times[index] : isLine ? nil : time)
            if !isFixKnown { point.location.fix = point.location.altitudeMSL == nil ? .twoD : .threeD }
            collector.add(
                point, isTimed ? .track : isLine && type != "MultiPoint" ? .line : .waypoint, startsSegment: starts)
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
