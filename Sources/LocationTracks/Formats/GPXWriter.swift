import LocationCore

extension TrackFormat {
    /// GPX 1.1, for nearly every program that reads tracks.
    public static let gpx = TrackFormat(
        "gpx", title: "GPX", summary: "GPX 1.1, for nearly every program that reads tracks",
        receivers: .inTracks, writer: GPXWriter.self)
}

/// GPX 1.1: one track with a segment between gaps; speed and course are in Garmin's TrackPointExtension v2.
struct GPXWriter: TrackWriter {
    private let creator: String
    private let name: String?
    private let device: String?
    private var segmentHasPoints = false
    private var breaks = false

    init(_ options: TrackFormat.Options) {
        creator = options.creator
        name = options.name
        device = options.device
    }

    func beginFile(to bytes: inout [UInt8]) {
        bytes.append(
            #"""
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="
            """#)
        bytes.append(xml: creator)
        bytes.append(
            #"""
            " xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \#
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \#
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd \#
            http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \#
            https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">

            """#)
    }

    func beginTrack(to bytes: inout [UInt8]) {
        bytes.append("<trk>\n")
        if let name {
            bytes.append("<name>")
            bytes.append(xml: name)
            // The tracks of one file begin at the same time.
            if let device {
                bytes.append(", ")
                bytes.append(xml: device)
            }
            bytes.append("</name>\n")
        }
        if let device {
            bytes.append("<src>")
            bytes.append(xml: device)
            bytes.append("</src>\n")
        }
        bytes.append("<trkseg>\n")
    }

    // A new segment begins with its first point, so that the trailer is always the same and no segment is empty.
    mutating func gap(_ gap: TrackGap, to bytes: inout [UInt8]) {
        breaks = segmentHasPoints || gap == .continued
    }

    func endTrack(to bytes: inout [UInt8]) { bytes.append("</trkseg>\n</trk>\n") }

    func endFile(to bytes: inout [UInt8]) { bytes.append("</gpx>\n") }

    func endOfLastPoint(in ending: [UInt8]) -> Int? {
        ending.endOfLast("</trkpt>\n") ?? ending.endOfLast("<trkseg>\n")
    }

    var closing: StaticString { "</gpx>" }

    // The elements are in the order of the schema.
    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
        if breaks { bytes.append("</trkseg>\n<trkseg>\n") }
        breaks = false
        segmentHasPoints = true
        let location = point.location
        bytes.append("<trkpt lat=\"")
        DecimalText.append(shortest: location.coordinate.latitude, to: &bytes)
        bytes.append("\" lon=\"")
        // Longitudes are below 180 in the schema.
        let longitude = location.coordinate.longitude
        DecimalText.append(shortest: longitude == 180 ? -180 : longitude, to: &bytes)
        bytes.append("\">")
        if let altitude = location.altitudeMSL { number("<ele>", altitude, "</ele>", &bytes) }
        if let time = location.timestamp {
            bytes.append("<time>")
            bytes.append(time: time)
            bytes.append("</time>")
        }
        if let variation = location.magneticVariation, let turned = CompassDirection.turned(variation) {
            number("<magvar>", turned, "</magvar>", &bytes)
        }
        if let separation = location.geoidSeparation { number("<geoidheight>", separation, "</geoidheight>", &bytes) }
        bytes.append("<fix>")
        bytes.append(fix(location))
        bytes.append("</fix>")
        if let used = point.used, used >= 0 {
            bytes.append("<sat>")
            DecimalText.append(used, to: &bytes)
            bytes.append("</sat>")
        }
        if let hdop = point.dilution.horizontal { number("<hdop>", hdop, "</hdop>", &bytes) }
        if let vdop = point.dilution.vertical { number("<vdop>", vdop, "</vdop>", &bytes) }
        if let pdop = point.dilution.position { number("<pdop>", pdop, "</pdop>", &bytes) }
        if let details = location.details {
            if let age = details.dgpsAge { number("<ageofdgpsdata>", age, "</ageofdgpsdata>", &bytes) }
            if let station = details.dgpsStation, 0...1023 ~= station {
                number("<dgpsid>", Double(station), "</dgpsid>", &bytes)
            }
        }
        motion(location, &bytes)
        bytes.append("</trkpt>\n")
    }

    private func motion(_ location: Location, _ bytes: inout [UInt8]) {
        let course = location.course.flatMap(CompassDirection.turned)
        guard location.speed != nil || course != nil else { return }
        bytes.append("<extensions><gpxtpx:TrackPointExtension>")
        if let speed = location.speed { number("<gpxtpx:speed>", speed, "</gpxtpx:speed>", &bytes) }
        if let course { number("<gpxtpx:course>", course, "</gpxtpx:course>", &bytes) }
        bytes.append("</gpxtpx:TrackPointExtension></extensions>")
    }

    private func fix(_ location: Location) -> StaticString {
        switch location.quality {
        case .differential, .rtkFixed, .rtkFloat: "dgps"
        case .precisionCode: "pps"
        default: location.fix == .threeD ? "3d" : "2d"
        }
    }

    // Decimals have no exponent in the schema, and neither has the shortest text.
    private func number(_ opening: StaticString, _ value: Double, _ closing: StaticString, _ bytes: inout [UInt8]) {
        bytes.append(opening)
        DecimalText.append(shortest: value, to: &bytes)
        bytes.append(closing)
    }
}

/// Compass directions.
enum CompassDirection {
    /// Returns a direction normalized to 0 ..< 360, or `nil` if its magnitude exceeds 720 degrees.
    static func turned(_ degrees: Double) -> Double? {
        guard abs(degrees) <= 720 else { return nil }
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        let turned = rest < 0 ? rest + 360 : rest
        return turned >= 360 ? 0 : turned
    }
}
