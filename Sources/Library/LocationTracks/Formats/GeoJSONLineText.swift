import LocationCore

/// The text of a GeoJSON feature around the positions and the times of a line.
///
/// A LineString has at least two positions, so a line of one vertex is a Point.
struct GeoJSONLineText {
    /// The text before the first feature of a file.
    static let header: StaticString = "{\"type\":\"FeatureCollection\",\"features\":["
    /// The text after the last feature of a file.
    static let trailer: StaticString = "\n]}\n"

    /// Whether the line has more than one vertex.
    let isLine: Bool
    let segment: Int
    /// The receiver named in the feature, if any.
    let device: String?
    /// Whether the first and the last position are where the line crosses the antimeridian, and not the receiver's.
    let crosses: (first: Bool, last: Bool)

    /// Appends the text before any feature.
    static func beginFeature(isFirst: Bool, into out: inout TextBuffer) {
        out.put(isFirst ? "\n" : ",\n")
        out.put("{\"type\":\"Feature\",\"geometry\":")
    }

    /// Appends the text before the positions.
    func beginPositions(isFirst: Bool, into out: inout TextBuffer) {
        Self.beginFeature(isFirst: isFirst, into: &out)
        out.put(
            isLine ? "{\"type\":\"LineString\",\"coordinates\":[" : "{\"type\":\"Point\",\"coordinates\":")
    }

    /// Appends the text between the positions and the times.
    func beginTimes(into out: inout TextBuffer) {
        guard !isLine else { return out.put("]},\"properties\":{\"coordTimes\":[") }
        out.put("},\"properties\":{\"segment\":")
        out.put(segment)
        out.put(",\"time\":")
    }

    /// Appends the text after the times.
    func end(into out: inout TextBuffer) {
        if isLine {
            out.put("],\"segment\":")
            out.put(segment)
        }
        if crosses.first { out.put(",\"addedFirst\":1") }
        if crosses.last { out.put(",\"addedLast\":1") }
        out.member("device", device)
        out.put("}}")
    }
}
