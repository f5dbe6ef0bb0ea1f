import Foundation
import FoundationXML
package import LocationTracks

/// The points in the bytes of a track file.
package enum TrackPoints {
    /// Returns the number of points, or `nil` if the file is not well-formed or the format is unknown here.
    package static func count(_ bytes: [UInt8], _ format: TrackFormat) -> Int? {
        TrackOracle.all.first { $0.format == format }?.count(bytes)
    }

    static func gpx(_ bytes: [UInt8]) -> Int? { XMLCount.elements(named: "trkpt", in: bytes) }

    /// Returns the number of points if each gx:Track has its times before its positions, and as many.
    ///
    /// The first point of a track does not count if it is the last one of the track before.
    static func kml(_ bytes: [UInt8]) -> Int? { KMLTracks.points(in: bytes) }

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

    static func csv(_ bytes: [UInt8]) -> Int? {
        lines(bytes).count { $0.first != UInt8(ascii: "t") && $0.last == 13 }
    }

    static func nmea(_ bytes: [UInt8]) -> Int? {
        lines(bytes).count { $0.starts(with: "$GPGGA".utf8) && String(decoding: $0, as: UTF8.self).contains(",N,") }
    }

    static func json(_ bytes: [UInt8]) -> Int? {
        lines(bytes).count {
            $0.starts(with: "{\"class\":\"TPV\"".utf8) && String(decoding: $0, as: UTF8.self).contains("\"mode\":3")
        }
    }

    /// Returns the complete lines.
    private static func lines(_ bytes: [UInt8]) -> ArraySlice<ArraySlice<UInt8>> {
        bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast()
    }
}

/// A counter of elements that uses Foundation's parser.
private final class XMLCount: NSObject, XMLParserDelegate {
    private let name: String
    private var count = 0

    private init(_ name: String) { self.name = name }

    /// Returns the number of elements, or `nil` if the document is not well-formed.
    static func elements(named name: String, in bytes: [UInt8]) -> Int? {
        let counter = XMLCount(name)
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = counter
        return parser.parse() ? counter.count : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
    ) {
        if elementName == name { count += 1 }
    }
}

/// A reader of the gx:Track elements of KML that uses Foundation's parser.
private final class KMLTracks: NSObject, XMLParserDelegate {
    private var times: [String] = []
    private var positions: [String] = []
    private var last: [String] = []
    private var text = ""
    private var count = 0
    private var isValid = true

    /// Returns the number of points, or `nil` if the document is not well-formed or a track is not valid.
    static func points(in bytes: [UInt8]) -> Int? {
        let tracks = KMLTracks()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = tracks
        return parser.parse() && tracks.isValid ? tracks.count : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
    ) {
        text = ""
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
