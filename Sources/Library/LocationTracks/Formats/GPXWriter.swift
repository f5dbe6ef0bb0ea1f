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

    func beginFile(into out: inout TextBuffer) {
        out.put(
            #"""
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="
            """#)
        out.put(xml: creator)
        out.put(
            #"""
            " xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \#
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \#
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd \#
            http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \#
            https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">

            """#)
    }

    func beginTrack(into out: inout TextBuffer) {
        out.put("<trk>\n")
        if let name {
            out.put("<name>")
            out.put(xml: name)
            // The tracks of one file begin at the same time.
            if let device {
                out.put(", ")
                out.put(xml: device)
            }
            out.put("</name>\n")
        }
        if let device {
            out.put("<src>")
            out.put(xml: device)
            out.put("</src>\n")
        }
        out.put("<trkseg>\n")
    }

    // A new segment begins with its first point, so that the trailer is always the same and no segment is empty.
    mutating func gap(_ gap: TrackGap, into out: inout TextBuffer) {
        breaks = segmentHasPoints || gap == .continued
    }

    func endTrack(into out: inout TextBuffer) { out.put("</trkseg>\n</trk>\n") }

    func endFile(into out: inout TextBuffer) { out.put("</gpx>\n") }

    func endOfLastPoint(in ending: [UInt8]) -> Int? {
        ending.endOfLast("</trkpt>\n") ?? ending.endOfLast("<trkseg>\n")
    }

    var closing: StaticString { "</gpx>" }

    // The elements are in the order of the schema.
    mutating func append(_ point: TrackPoint, into out: inout TextBuffer) {
        if breaks { out.put("</trkseg>\n<trkseg>\n") }
        breaks = false
        segmentHasPoints = true
        let location = point.location
        out.put("<trkpt lat=\"")
        out.put(shortest: location.coordinate.latitude)
        out.put("\" lon=\"")
        // Longitudes are below 180 in the schema.
        let longitude = location.coordinate.longitude
        out.put(shortest: longitude == 180 ? -180 : longitude)
        out.put("\">")
        if let altitude = location.altitudeMSL { number("<ele>", altitude, "</ele>", &out) }
        if let time = location.timestamp {
            out.put("<time>")
            out.put(exact: time)
            out.put("</time>")
        }
        if let variation = location.magneticVariation, let turned = CompassDirection.turned(variation) {
            number("<magvar>", turned, "</magvar>", &out)
        }
        if let separation = location.geoidSeparation { number("<geoidheight>", separation, "</geoidheight>", &out) }
        out.put("<fix>")
        out.put(fix(location))
        out.put("</fix>")
        if let used = point.used, used >= 0 {
            out.put("<sat>")
            out.put(used)
            out.put("</sat>")
        }
        if let hdop = point.dilution.horizontal { number("<hdop>", hdop, "</hdop>", &out) }
        if let vdop = point.dilution.vertical { number("<vdop>", vdop, "</vdop>", &out) }
        if let pdop = point.dilution.position { number("<pdop>", pdop, "</pdop>", &out) }
        if let details = location.details {
            if let age = details.dgpsAge { number("<ageofdgpsdata>", age, "</ageofdgpsdata>", &out) }
            if let station = details.dgpsStation, 0...1023 ~= station {
                number("<dgpsid>", Double(station), "</dgpsid>", &out)
            }
        }
        motion(location, &out)
        out.put("</trkpt>\n")
    }

    private func motion(_ location: Location, _ out: inout TextBuffer) {
        let course = location.course.flatMap(CompassDirection.turned)
        guard location.speed != nil || course != nil else { return }
        out.put("<extensions><gpxtpx:TrackPointExtension>")
        if let speed = location.speed { number("<gpxtpx:speed>", speed, "</gpxtpx:speed>", &out) }
        if let course { number("<gpxtpx:course>", course, "</gpxtpx:course>", &out) }
        out.put("</gpxtpx:TrackPointExtension></extensions>")
    }

    private func fix(_ location: Location) -> StaticString {
        switch location.quality {
        case .differential, .rtkFixed, .rtkFloat: "dgps"
        case .precisionCode: "pps"
        default: location.fix == .threeD ? "3d" : "2d"
        }
    }

    // Decimals have no exponent in the schema, and neither has the shortest text.
    private func number(_ opening: StaticString, _ value: Double, _ closing: StaticString, _ out: inout TextBuffer) {
        out.put(opening)
        out.put(shortest: value)
        out.put(closing)
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
