import LocationCore

/// A feature of GeoJSON that is read: its positions, and the properties that belong to a track.
struct GeoJSONFeature {
    /// A position of a geometry.
    private struct Vertex {
        var longitude: Double
        var latitude: Double
        var altitude: Double?
        var beginsLine: Bool
    }

    /// The geometry's type, such as `LineString`.
    var type = ""
    var hasTime = false
    /// Whether the first and the last position are where the line crosses the antimeridian, as locwatch writes it.
    var crosses = (first: false, last: false)
    /// The properties of each point, with the time of the feature as a whole.
    var draft = PointDraft()
    private var vertices: [Vertex] = []
    private var beginsLine = true
    private var times: [Timestamp?] = []

    /// The number of its positions, or of the times that follow after all of them.
    var count: Int { max(vertices.count, times.count) }

    /// Appends a position: a longitude, a latitude, and an altitude if known.
    ///
    /// One that is not valid has its place too, because the times are those of all positions.
    mutating func append(position: [Double?]) {
        func number(_ place: Int) -> Double? { place < position.count ? position[place] : nil }
        vertices.append(
            Vertex(
                longitude: number(0) ?? .nan, latitude: number(1) ?? .nan, altitude: number(2), beginsLine: beginsLine))
        beginsLine = false
    }

    mutating func append(time: Timestamp?) { times.append(time) }

    /// Whether a list has given the times of the positions.
    var hasTimes: Bool { !times.isEmpty }

    /// Ends a line; the next position begins another.
    mutating func endLine() { beginsLine = true }

    /// The points of a complete feature, which are emitted some at a time.
    struct Points {
        /// The number of points that are emitted at a time.
        private static let step = 4096

        private let feature: GeoJSONFeature
        private let isLine: Bool
        private let isNew: Bool
        private var index = 0

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
            isNew = feature.draft.segment.map { $0 != lastSegment } ?? isLine
        }

        /// Adds the next points to a collector; returns whether there are more.
        mutating func emit(to collector: PointCollector) -> Bool {
            let hasTimes = !feature.times.isEmpty && feature.times.count == feature.vertices.count
            let isTimed = hasTimes || !isLine && feature.hasTime
            let kind: PointCollector.ElementKind =
                if isTimed { .track } else if isLine, feature.type != "MultiPoint" { .line } else { .waypoint }
            let end = min(index + Self.step, feature.vertices.count)
            while index < end {
                defer { index += 1 }
                let vertex = feature.vertices[index]
                let starts = vertex.beginsLine && (index > 0 ? isLine : isNew)
                let isLast = index + 1 == feature.vertices.count
                if isLine, index == 0 && feature.crosses.first || isLast && feature.crosses.last { continue }
                guard let place = Coordinate(checking: vertex.latitude, vertex.longitude) else {
                    collector.skip("its longitude and latitude are not numbers in range")
                    continue
                }
                var point = feature.draft.finished(at: place, altitude: vertex.altitude)
                if hasTimes || isLine { point.location.timestamp = hasTimes ? feature.times[index] : nil }
                collector.add(point, kind, startsSegment: starts)
            }
            return end < feature.vertices.count
        }
    }
}
