import GPSDReports
import LocationCore

extension TrackFormat {
    /// GeoJSON (RFC 7946), for web maps and GIS.
    public static let geojson = TrackFormat(
        "geojson", title: "GeoJSON", summary: "GeoJSON (RFC 7946), for web maps and GIS", receivers: .inPoints,
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

    func beginFile(to bytes: inout [UInt8]) {
        bytes.append(GeoJSONLineText.header)
    }

    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8]) {
        guard last != nil || gap == .continued else { return }
        closeLine(&bytes)
        last = nil
        segment += 1
    }

    /// Ends the current feature; the next one begins with its last point.
    mutating func flush(to bytes: inout [UInt8]) {
        closeLine(&bytes)
        if let last, !pointFeatures { carry(last) }
    }

    /// Resumes after features that end with these bytes, with the segment after the last of them.
    mutating func resume(after ending: ArraySlice<UInt8>) {
        hasFeatures = ending.last == UInt8(ascii: "}")
        let name = Array("\"segment\":".utf8)
        for start in ending.indices.reversed() where ending[start...].starts(with: name) {
            guard let last = SegmentNumber.read(ending[(start + name.count)...].prefix { 48...57 ~= $0 }) else {
                continue
            }
            segment = last + 1
            break
        }
    }

    mutating func endSegment(to bytes: inout [UInt8]) { closeLine(&bytes) }

    func endFile(to bytes: inout [UInt8]) { bytes.append(GeoJSONLineText.trailer) }

    // A line end follows, because a file without a feature has one too.
    var beginning: [UInt8] { header + [UInt8(ascii: "\n")] }

    func endOfLastPoint(in ending: [UInt8]) -> Int? {
        // There is no line end within a feature.
        guard let brace = ending.endOfLast("\n{") else { return ending.endOfLast(GeoJSONLineText.header) }
        let start = brace - 1
        if let length = JSONObjectReader.length(ofValueIn: ending[start...]) { return start + length }
        // The feature before a torn one ends in front of the comma, and the header in front of the line end.
        return start > 1 && ending[start - 2] == UInt8(ascii: ",") ? start - 2 : start - 1
    }

    var closing: StaticString { "\n]" }

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
