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
    static func beginFeature(isFirst: Bool, to bytes: inout [UInt8]) {
        bytes.append(isFirst ? "\n" : ",\n")
        bytes.append("{\"type\":\"Feature\",\"geometry\":")
    }

    /// Appends the text before the positions.
    func beginPositions(isFirst: Bool, to bytes: inout [UInt8]) {
        Self.beginFeature(isFirst: isFirst, to: &bytes)
        bytes.append(
            isLine ? "{\"type\":\"LineString\",\"coordinates\":[" : "{\"type\":\"Point\",\"coordinates\":")
    }

    /// Appends the text between the positions and the times.
    func beginTimes(to bytes: inout [UInt8]) {
        guard !isLine else { return bytes.append("]},\"properties\":{\"coordTimes\":[") }
        bytes.append("},\"properties\":{\"segment\":")
        DecimalText.append(segment, to: &bytes)
        bytes.append(",\"time\":")
    }

    /// Appends the text after the times.
    func end(to bytes: inout [UInt8]) {
        if isLine {
            bytes.append("],\"segment\":")
            DecimalText.append(segment, to: &bytes)
        }
        if crosses.first { bytes.append(",\"addedFirst\":1") }
        if crosses.last { bytes.append(",\"addedLast\":1") }
        if let device {
            bytes.append(",\"device\":")
            bytes.append(json: device)
        }
        bytes.append("}}")
    }
}
