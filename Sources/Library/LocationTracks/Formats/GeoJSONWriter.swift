import LocationCore
import GPSDProtocol

extension TrackFormat {
    /// GeoJSON (RFC 7946), for web maps and GIS.
    public static let geojson = TrackFormat(
        name: "geojson", title: "GeoJSON", summary: "GeoJSON (RFC 7946), for web maps and GIS", receivers: .inPoints,
        type: GeoJSONWriter.self)
}

/// GeoJSON (RFC 7946): a FeatureCollection of a LineString per segment with the times of its points, or of a Point per
/// point.
///
/// A line that crosses the antimeridian is cut there into two features, as the RFC recommends. To bound memory, a very
/// long segment consists of several features, each of which begins with the last point of the one before.
struct GeoJSONWriter: TrackWriter {
    private static let header: StaticString = "{\"type\":\"FeatureCollection\",\"features\":["

    private let pointFeatures: Bool
    private let pointsPerFeature: Int
    /// Whether the list already holds a feature.
    var hasFeatures = false
    /// The receiver named in the features, if any.
    private let device: String?
    /// The name of the track in the file that is read, if it has one.
    private var name: String?
    private var segment = 1
    private var line = Line()
    private var last: TrackVertex?

    /// The current feature.
    private struct Line {
        var coordinates = TextBuffer()
        var coordTimes = TextBuffer()
        var count = 0
        /// Whether its first point is the last one of the feature before.
        var isCarried = false
        var crosses = (first: false, last: false)

        mutating func removeAll() {
            coordinates.removeAll()
            coordTimes.removeAll()
            (count, isCarried, crosses) = (0, false, (false, false))
        }
    }

    init(pointFeatures: Bool = false, pointsPerFeature: Int = 65_536, device: String? = nil) {
        self.device = device
        self.pointFeatures = pointFeatures
        self.pointsPerFeature = max(2, pointsPerFeature)
    }

    init(_ options: TrackFormat.Options) {
        self.init(pointFeatures: options.pointFeatures, device: options.device)
        name = options.trackName
    }

    func beginFile(into out: inout TextBuffer) {
        out.put(Self.header)
    }

    mutating func gap(_ gap: TrackGap, into out: inout TextBuffer) {
        defer { if case .track(let name) = gap { self.name = name } }
        guard last != nil || gap == .continued else { return }
        closeLine(&out)
        last = nil
        segment += 1
    }

    /// Ends the current feature; the next one begins with its last point.
    mutating func flush(into out: inout TextBuffer) {
        closeLine(&out)
        if let last, !pointFeatures { carry(last) }
    }

    /// Resumes after features that end with these bytes, with the segment after the last of them.
    mutating func resume(after ending: ArraySlice<UInt8>) {
        hasFeatures = ending.last == UInt8(ascii: "}")
        let name = Array("\"segment\":".utf8)
        for start in ending.indices.reversed() where ending[start...].starts(with: name) {
            guard let last = DigitNumber.read(ending[(start + name.count)...].prefix { 48...57 ~= $0 }) else {
                continue
            }
            segment = last + 1
            break
        }
    }

    mutating func endSegment(into out: inout TextBuffer) { closeLine(&out) }

    func endFile(into out: inout TextBuffer) { out.put("\n]}\n") }

    // A line end follows, because a file without a feature has one too.
    var beginning: [UInt8] { header + [UInt8(ascii: "\n")] }

    func endOfLastPoint(in ending: [UInt8]) -> Int? {
        // There is no line end within a feature.
        guard let brace = ending.endOfLast("\n{") else { return ending.endOfLast(Self.header) }
        let start = brace - 1
        if let length = JSONObjectReader.length(ofValueIn: ending[start...]) { return start + length }
        // The feature before a torn one ends in front of the comma, and the header in front of the line end.
        return start > 1 && ending[start - 2] == UInt8(ascii: ",") ? start - 2 : start - 1
    }

    var closing: StaticString { "\n]" }

    mutating func append(_ point: TrackPoint, into out: inout TextBuffer) {
        let vertex = TrackVertex(point.location)
        if pointFeatures {
            last = vertex
            return appendFeature(point, vertex, &out)
        }
        if let last {
            if let crossing = last.crossing(to: vertex) {
                // The line ends at the antimeridian, and the next one begins on the other side.
                if let end = crossing.end { append(end) }
                line.crosses.last = crossing.end != nil
                closeLine(&out)
                if let start = crossing.start { append(start) }
                line.crosses.first = crossing.start != nil
            } else if line.count >= pointsPerFeature {
                closeLine(&out)
                carry(last)
            }
        }
        append(vertex)
        last = vertex
    }

    /// Begins a feature with the last point of the one before.
    private mutating func carry(_ vertex: TrackVertex) {
        append(vertex)
        line.isCarried = true
    }

    private mutating func append(_ vertex: TrackVertex) {
        if line.count > 0 {
            line.coordinates.put(UInt8(ascii: ","))
            line.coordTimes.put(UInt8(ascii: ","))
        }
        vertex.appendPosition(into: &line.coordinates)
        vertex.appendTime(into: &line.coordTimes)
        line.count += 1
    }

    private mutating func closeLine(_ out: inout TextBuffer) {
        defer { line.removeAll() }
        guard line.count > (line.isCarried ? 1 : 0) else { return }
        // A LineString has at least two positions, so a line of one vertex is a Point.
        if line.count > 1 {
            beginFeature("LineString", &out)
            out.put("[")
            out.put(line.coordinates.written)
            out.put("]},\"properties\":{\"coordTimes\":[")
            out.put(line.coordTimes.written)
            out.put("],\"segment\":")
            out.put(segment)
        } else {
            appendPoint(&out)
        }
        if line.crosses.first { out.put(",\"addedFirst\":1") }
        if line.crosses.last { out.put(",\"addedLast\":1") }
        out.member("device", device)
        out.member("name", name)
        out.put("}}")
    }

    private mutating func beginFeature(_ type: StaticString, _ out: inout TextBuffer) {
        out.put(hasFeatures ? ",\n" : "\n")
        hasFeatures = true
        out.put("{\"type\":\"Feature\",\"geometry\":{\"type\":\"")
        out.put(type)
        out.put("\",\"coordinates\":")
    }

    /// Appends a feature of the line's only vertex without its last properties and its end.
    private mutating func appendPoint(_ out: inout TextBuffer) {
        beginFeature("Point", &out)
        out.put(0..<line.coordinates.written.count, of: line.coordinates)
        out.put("},\"properties\":{\"segment\":")
        out.put(segment)
        out.put(",\"time\":")
        out.put(0..<line.coordTimes.written.count, of: line.coordTimes)
    }

    private mutating func appendFeature(_ point: TrackPoint, _ vertex: TrackVertex, _ out: inout TextBuffer) {
        let location = point.location
        append(vertex)
        appendPoint(&out)
        line.removeAll()
        out.member("device", location.device)
        out.member("name", name)
        out.member("mode", location.fix.rawValue)
        out.member("status", location.quality.gpsdStatus)
        out.members(of: location)
        out.member("nSat", point.seen)
        out.member("uSat", point.used)
        out.members(of: point.dilution)
        out.put("}}")
    }
}
