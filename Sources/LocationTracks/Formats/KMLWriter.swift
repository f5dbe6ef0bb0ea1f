import LocationCore

extension TrackFormat {
    /// KML 2.2, for Google Earth.
    public static let kml = TrackFormat(
        "kml", title: "KML", summary: "KML 2.2, for Google Earth", form: .concealed(pointEnd: "</gx:coord>"),
        writer: KMLWriter.self)
}

/// KML 2.2: a gx:Track per segment in one gx:MultiTrack.
///
/// Each time precedes its position, so that a track of any length needs no memory; readers pair times and positions in
/// their order. Positions are clamped to the ground, because few receivers' altitudes agree with the drawn ground.
struct KMLWriter: TrackWriter {
    private let name: String?
    private let device: String?
    private var segmentHasPoints = false
    private var breaks = false

    init(_ options: TrackFormat.Options) {
        name = options.name
        device = options.device
    }

    mutating func header(to bytes: inout [UInt8]) {
        fileOpening(to: &bytes)
        trackOpening(to: &bytes)
    }

    func fileOpening(to bytes: inout [UInt8]) {
        bytes.append(
            #"""
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document>
            <Style id="track"><LineStyle><color>ffb27200</color><width>4</width></LineStyle></Style>

            """#)
    }

    func trackOpening(to bytes: inout [UInt8]) {
        bytes.append("<Placemark>\n")
        if let name = device ?? name {
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

    func trailer(to bytes: inout [UInt8]) {
        trackClosing(to: &bytes)
        fileClosing(to: &bytes)
    }

    func trackClosing(to bytes: inout [UInt8]) { bytes.append("</gx:Track>\n</gx:MultiTrack>\n</Placemark>\n") }

    func fileClosing(to bytes: inout [UInt8]) { bytes.append("</Document>\n</kml>\n") }

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
            // Without an empty element the times of all later points would belong to the wrong positions.
            bytes.append("<when/>")
        }
        bytes.append("<gx:coord>")
        DecimalText.append(shortest: location.coordinate.longitude, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        DecimalText.append(shortest: location.coordinate.latitude, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        // The format requires an altitude, which is not used for positions on the ground.
        DecimalText.append(shortest: location.altitudeMSL ?? 0, to: &bytes)
        bytes.append("</gx:coord>\n")
    }
}
