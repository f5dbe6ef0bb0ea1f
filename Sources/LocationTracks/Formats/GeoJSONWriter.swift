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
    private var last: GeoJSONVertex?

    /// The current feature.
    private struct Line {
        var coordinates: [UInt8] = []
        var coordTimes: [UInt8] = []
        var count = 0
        /// Whether its first point is the last one of the feature before.
        var isCarried = false
        var crosses = (first: false, last: false)
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
        bytes.append(GeoJSONLineText.header)
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
        bytes.append(GeoJSONLineText.trailer)
    }

    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
        let vertex = GeoJSONVertex(point.location)
        if pointFeatures {
            last = vertex
            return appendFeature(point, vertex, &bytes)
        }
        if let last {
            if let crossing = last.crossing(to: vertex) {
                // The line ends at the antimeridian, and the next one begins on the other side.
                if let end = crossing.end { append(end) }
                line.crosses.last = crossing.end != nil
                closeLine(&bytes)
                if let start = crossing.start { append(start) }
                line.crosses.first = crossing.start != nil
            } else if line.count >= pointsPerFeature {
                closeLine(&bytes)
                carry(last)
            }
        }
        append(vertex)
        last = vertex
    }

    /// Begins a feature with the last point of the one before.
    private mutating func carry(_ vertex: GeoJSONVertex) {
        append(vertex)
        line.isCarried = true
    }

    private mutating func append(_ vertex: GeoJSONVertex) {
        if line.count > 0 {
            line.coordinates.append(UInt8(ascii: ","))
            line.coordTimes.append(UInt8(ascii: ","))
        }
        vertex.appendPosition(to: &line.coordinates)
        vertex.appendTime(to: &line.coordTimes)
        line.count += 1
    }

    private mutating func closeLine(_ bytes: inout [UInt8]) {
        defer {
            line.coordinates.removeAll(keepingCapacity: true)
            line.coordTimes.removeAll(keepingCapacity: true)
            line.count = 0
            line.isCarried = false
            line.crosses = (false, false)
        }
        guard line.count > (line.isCarried ? 1 : 0) else { return }
        let text = GeoJSONLineText(isLine: line.count > 1, segment: segment, device: device, crosses: line.crosses)
        text.beginPositions(isFirst: !hasFeatures, to: &bytes)
        hasFeatures = true
        bytes.append(contentsOf: line.coordinates)
        text.beginTimes(to: &bytes)
        bytes.append(contentsOf: line.coordTimes)
        text.end(to: &bytes)
    }

    private mutating func appendFeature(_ point: TrackPoint, _ vertex: GeoJSONVertex, _ bytes: inout [UInt8]) {
        let location = point.location
        GeoJSONLineText.beginFeature(isFirst: !hasFeatures, to: &bytes)
        hasFeatures = true
        bytes.append("{\"type\":\"Point\",\"coordinates\":")
        vertex.appendPosition(to: &bytes)
        bytes.append("},\"properties\":{\"segment\":")
        DecimalText.append(segment, to: &bytes)
        bytes.append(",\"time\":")
        vertex.appendTime(to: &bytes)
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
}
