import Foundation
import FoundationXML
package import LocationTracks

package enum TrackPoints {
    /// Returns the number of points, or `nil` if the file is not well-formed or the format is unknown here.
    package static func count(_ bytes: [UInt8], _ format: TrackFormat) -> Int? {
        TrackOracle.all.first { $0.format == format }?.count(bytes)
    }

    /// Returns the number of points of GPX, or of KML if each gx:Track has its times before its positions, and as many.
    ///
    /// The first point of a gx:Track does not count if it is the last one of the track before.
    static func xml(_ bytes: [UInt8]) -> Int? { XMLPoints.count(in: bytes) }

    /// Returns the number of points; the first one of a feature does not count if it is the last one of the feature before.
    static func geojson(_ bytes: [UInt8]) -> Int? {
        let collection = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        guard let features = collection?["features"] as? [[String: Any]] else { return nil }
        let points = features.flatMap { feature in
            let properties = feature["properties"] as? [String: Any]
            let places = (feature["geometry"] as? [String: Any])?["coordinates"] as? [Any]
            guard let times = properties?["coordTimes"] as? [Any] else {
                return ["\(places ?? []) \(properties?["time"] ?? "")"]
            }
            return zip(places ?? [], times).map { "\($0) \($1)" }
        }
        return points.indices.count { $0 == 0 || points[$0] != points[$0 - 1] }
    }
}

/// A reader of the points of GPX and of the gx:Track elements of KML that uses Foundation's parser.
private final class XMLPoints: NSObject, XMLParserDelegate {
    private var times: [String] = []
    private var positions: [String] = []
    private var last: [String] = []
    private var text = ""
    private var count = 0
    private var isValid = true

    /// Returns the number of points, or `nil` if the document is not well-formed or a track is not valid.
    static func count(in bytes: [UInt8]) -> Int? {
        let points = XMLPoints()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = points
        return parser.parse() && points.isValid ? points.count : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
    ) {
        text = ""
        if elementName == "trkpt" { count += 1 }
        if elementName == "gx:Track" { (times, positions) = ([], []) }
        if elementName == "when", !positions.isEmpty { isValid = false }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?
    ) {
        switch elementName {
        case "when": times.append(text)
        case "gx:coord": positions.append(text)
        case "gx:Track":
            guard times.count == positions.count, let time = times.first, let position = positions.first else {
                isValid = false
                return
            }
            count += times.count - (last == [time, position] ? 1 : 0)
            last = [times.last ?? "", positions.last ?? ""]
        default: break
        }
    }
}
