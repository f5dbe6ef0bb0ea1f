import LocationCore

extension TrackFormat {
    /// GeoJSON (RFC 7946), for web maps and GIS.
    public static let geojson = TrackFormat(
        "geojson", title: "GeoJSON", summary: "GeoJSON (RFC 7946), for web maps and GIS", form: .features,
        writer: GeoJSONWriter.self)
}

/// GeoJSON (RFC 7946): a FeatureCollection of a LineString per segment with the times of its points, or of a Point per
/// point.
///
/// A line that crosses the antimeridian is cut there into two features, as the RFC recommends. To bound memory, a very
/// long segment consists of several features, each of which begins with the last point of the one before.
struct GeoJSONWriter: TrackWriter {
    private let pointFeatures: Bool
    private let pointsPerFeature: Int
    /// Whether the list already holds a feature.
    var hasFeatures = false
    /// The receiver named in the features, if any.
    private let device: String?
    private var segment = 1
    private var line = Line()
    private var last: Vertex?

    /// A position on a line, and its time.
    private struct Vertex {
        var longitude: Double
        var latitude: Double
        var altitude: Double?
        var time: Timestamp?
    }

    /// The current feature.
    private struct Line {
        var coordinates: [UInt8] = []
        var coordTimes: [UInt8] = []
        var count = 0
        /// Whether its first point is the last one of the feature before.
        var isCarried = false
    }

    init(pointFeatures: Bool = false, pointsPerFeature: Int = 65_536, device: String? = nil) {
        self.device = device
        self.pointFeatures = pointFeatures
        self.pointsPerFeature = max(2, pointsPerFeature)
    }

    init(_ options: TrackFormat.Options) {
        self.init(pointFeatures: options.pointFeatures, device: options.device)
    }

    mutating func header(to bytes: inout [UInt8]) {
        bytes.append("{\"type\":\"FeatureCollection\",\"features\":[")
    }

    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8]) {
        guard last != nil || gap == .continued else { return }
        closeLine(&bytes)
        last = nil
        segment += 1
    }

    /// Ends the current feature and begins the next with its last point, unless it has only one.
    mutating func endFeature(to bytes: inout [UInt8]) -> Bool {
        if line.isCarried, line.count == 1 { return true }
        guard line.count != 1 else { return false }
        closeLine(&bytes)
        if let last, !pointFeatures { carry(last) }
        return true
    }

    /// Resumes after features that end with these bytes, with the segment after the last of them.
    mutating func resume(after ending: [UInt8]) {
        hasFeatures = true
        let name = Array("\"segment\":".utf8)
        for start in ending.indices.reversed() where ending[start...].starts(with: name) {
            guard let last = SegmentNumber.read(ending[(start + name.count)...].prefix { 48...57 ~= $0 }) else {
                continue
            }
            segment = last + 1
            break
        }
    }

    mutating func endTrack(to bytes: inout [UInt8]) { closeLine(&bytes) }

    func trailer(to bytes: inout [UInt8]) {
        var copy = self
        copy.closeLine(&bytes)
        bytes.append("\n]}\n")
    }

    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
        let location = point.location
        let vertex = Vertex(
            longitude: location.coordinate.longitude, latitude: location.coordinate.latitude,
            altitude: location.altitudeMSL, time: location.timestamp)
        if pointFeatures {
            last = vertex
            return appendFeature(point, vertex, &bytes)
        }
        if let last {
            if abs(vertex.longitude - last.longitude) > 180 {
                cross(from: last, to: vertex, &bytes)
            } else if line.count >= pointsPerFeature {
                closeLine(&bytes)
                carry(last)
            }
        }
        append(vertex)
        last = vertex
    }

    /// Ends the line at the antimeridian and begins the next one on the other side.
    private mutating func cross(from start: Vertex, to end: Vertex, _ bytes: inout [UInt8]) {
        let side: Double = start.longitude > 0 ? 180 : -180
        let there = 180 - abs(start.longitude)
        let all = there + 180 - abs(end.longitude)
        let share = all > 0 ? there / all : 0
        var edge = Vertex(
            longitude: side, latitude: start.latitude + share * (end.latitude - start.latitude),
            altitude: nil, time: nil)
        if let low = start.altitude, let high = end.altitude { edge.altitude = low + share * (high - low) }
        if let first = start.time, let second = end.time {
            edge.time = first.advanced(by: second.since(first) * share)
        }
        if there > 0 { append(edge) }
        closeLine(&bytes)
        edge.longitude = -side
        if abs(end.longitude) < 180 { append(edge) }
    }

    /// Begins a feature with the last point of the one before.
    private mutating func carry(_ vertex: Vertex) {
        append(vertex)
        line.isCarried = true
    }

    private mutating func append(_ vertex: Vertex) {
        if line.count > 0 {
            line.coordinates.append(UInt8(ascii: ","))
            line.coordTimes.append(UInt8(ascii: ","))
        }
        Self.append(vertex, &line.coordinates)
        Self.append(vertex.time, &line.coordTimes)
        line.count += 1
    }

    private mutating func closeLine(_ bytes: inout [UInt8]) {
        defer {
            line.coordinates.removeAll(keepingCapacity: true)
            line.coordTimes.removeAll(keepingCapacity: true)
            line.count = 0
            line.isCarried = false
        }
        guard line.count > (line.isCarried ? 1 : 0) else { return }
        beginFeature(&bytes)
        // A LineString has at least two positions, so a segment of one point is a Point.
        if line.count > 1 {
            bytes.append("{\"type\":\"LineString\",\"coordinates\":[")
            bytes.append(contentsOf: line.coordinates)
            bytes.append("]},\"properties\":{\"coordTimes\":[")
            bytes.append(contentsOf: line.coordTimes)
            bytes.append("],\"segment\":")
            DecimalText.append(segment, to: &bytes)
            nameReceiver(&bytes)
            bytes.append("}}")
        } else {
            bytes.append("{\"type\":\"Point\",\"coordinates\":")
            bytes.append(contentsOf: line.coordinates)
            bytes.append("},\"properties\":{\"segment\":")
            DecimalText.append(segment, to: &bytes)
            bytes.append(",\"time\":")
            bytes.append(contentsOf: line.coordTimes)
            nameReceiver(&bytes)
            bytes.append("}}")
        }
    }

    private func nameReceiver(_ bytes: inout [UInt8]) {
        guard let device else { return }
        bytes.append(",\"device\":")
        bytes.append(json: device)
    }

    private mutating func beginFeature(_ bytes: inout [UInt8]) {
        bytes.append(hasFeatures ? ",\n" : "\n")
        hasFeatures = true
        bytes.append("{\"type\":\"Feature\",\"geometry\":")
    }

    private mutating func appendFeature(_ point: TrackPoint, _ vertex: Vertex, _ bytes: inout [UInt8]) {
        let location = point.location
        beginFeature(&bytes)
        bytes.append("{\"type\":\"Point\",\"coordinates\":")
        Self.append(vertex, &bytes)
        bytes.append("},\"properties\":{\"segment\":")
        DecimalText.append(segment, to: &bytes)
        bytes.append(",\"time\":")
        Self.append(location.timestamp, &bytes)
        if let device = location.device {
            bytes.append(",\"device\":")
            bytes.append(json: device)
        }
        JSONMember.append("mode", Double(location.fix.rawValue), to: &bytes)
        JSONMember.append("status", Double(location.quality.gpsdStatus), to: &bytes)
        JSONMember.append(location, to: &bytes)
        JSONMember.append("nSat", point.seen.map(Double.init), to: &bytes)
        JSONMember.append("uSat", point.used.map(Double.init), to: &bytes)
        JSONMember.append(point.dilution, to: &bytes)
        bytes.append("}}")
    }

    private static func append(_ vertex: Vertex, _ bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        DecimalText.append(shortest: vertex.longitude, to: &bytes)
        bytes.append(UInt8(ascii: ","))
        DecimalText.append(shortest: vertex.latitude, to: &bytes)
        if let altitude = vertex.altitude {
            bytes.append(UInt8(ascii: ","))
            DecimalText.append(shortest: altitude, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func append(_ time: Timestamp?, _ bytes: inout [UInt8]) {
        guard let time else { return bytes.append("null") }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(time: time)
        bytes.append(UInt8(ascii: "\""))
    }
}
