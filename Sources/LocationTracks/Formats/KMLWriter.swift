import LocationCore

/// KML 2.2: a gx:Track a segment in one gx:MultiTrack.
///
/// Each time stands before its place, so that a track of any length needs no memory; readers pair the times and the places
/// in their order. Positions lie on the ground, as few receivers' altitudes agree with the ground that is drawn.
struct KMLWriter: TrackWriter {
    private let name: String?
    private var segmentHasPoints = false
    private var breaks = false

    init(name: String? = nil) {
        self.name = name
    }

    mutating func header(to bytes: inout [UInt8]) {
        bytes.append(
            #"""
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document>
            <Style id="track"><LineStyle><color>ffb27200</color><width>4</width></LineStyle></Style>
            <Placemark>

            """#)
        if let name {
            bytes.append("<name>")
            bytes.append(xml: name)
            bytes.append("</name>\n")
        }
        bytes.append(
            #"""
            <styleUrl>#track</styleUrl>
            <gx:MultiTrack>
            <gx:Track>

            """#)
    }

    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8]) {
        breaks = segmentHasPoints || gap == .continued
    }

    func trailer(to bytes: inout [UInt8]) { bytes.append(Self.trailer) }

    static let trailer: StaticString = "</gx:Track>\n</gx:MultiTrack>\n</Placemark>\n</Document>\n</kml>\n"

    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
        if breaks { bytes.append("</gx:Track>\n<gx:Track>\n") }
        breaks = false
        segmentHasPoints = true
        let location = point.location
        if let time = location.timestamp {
            bytes.append("<when>")
            bytes.append(time: time)
            bytes.append("</when>")
        } else {
            // Without it the times of all points that follow would belong to the wrong places.
            bytes.append("<when/>")
        }
        bytes.append("<gx:coord>")
        DecimalText.append(shortest: location.coordinate.longitude, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        DecimalText.append(shortest: location.coordinate.latitude, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        // The format has no place without an altitude, and on the ground its value is not used.
        DecimalText.append(shortest: location.altitudeMSL ?? 0, to: &bytes)
        bytes.append("</gx:coord>\n")
    }
}
