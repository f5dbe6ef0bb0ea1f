import LocationCore

extension TrackFormat {
    /// GPX 1.1, for nearly every program that reads tracks.
    public static let gpx = TrackFormat(
        name: "gpx", title: "GPX", summary: "GPX 1.1, for nearly every program that reads tracks",
        receivers: .inTracks, type: GPXWriter.self)
}

/// GPX 1.1: a track, or those of the file that is read, with a segment between gaps; speed and course are in Garmin's TrackPointExtension v2.
struct GPXWriter: TrackWriter {
    private var options: TrackFormat.Options
    private var segmentHasPoints = false
    private var breaks = false
    /// The name, or none, of a track that begins with the next point.
    private var nextTrack: String??

    init(_ options: TrackFormat.Options) { self.options = options }

    func beginFile(into out: inout TextBuffer) {
        out.put(
            #"""
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="
            """#)
        out.put(xml: options.creator)
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
        let device = options.device
        // The tracks of one file begin at the same time.
        let own = options.name.map { name in device.map { "\(name), \($0)" } ?? name }
        if let name = options.trackName ?? own { out.put("<name>", xml: name, "</name>\n") }
        if let device { out.put("<src>", xml: device, "</src>\n") }
        out.put("<trkseg>\n")
    }

    // A new segment begins with its first point, so that the trailer is always the same and no segment is empty.
    mutating func gap(_ gap: TrackGap, into out: inout TextBuffer) {
        breaks = segmentHasPoints || gap == .continued
        if case .track(let name) = gap { nextTrack = .some(name) }
    }

    func endTrack(into out: inout TextBuffer) { out.put("</trkseg>\n</trk>\n") }

    func endFile(into out: inout TextBuffer) { out.put("</gpx>\n") }

    func endOfLastPoint(in ending: [UInt8]) -> Int? {
        ending.endOfLast("</trkpt>\n") ?? ending.endOfLast("<trkseg>\n")
    }

    var closing: StaticString { "</gpx>" }

    // The elements are in the order of the schema.
    mutating func append(_ point: TrackPoint, into out: inout TextBuffer) {
        if let name = nextTrack.take() {
            endTrack(into: &out)
            (options.name, options.trackName) = (nil, name)
            beginTrack(into: &out)
        } else if breaks {
            out.put("</trkseg>\n<trkseg>\n")
        }
        breaks = false
        segmentHasPoints = true
        let location = point.location
        out.put("<trkpt lat=\"", shortest: location.coordinate.latitude, "\" lon=\"")
        // Longitudes are below 180 in the schema.
        let longitude = location.coordinate.longitude
        out.put("", shortest: longitude == 180 ? -180 : longitude, "\">")
        number("<ele>", location.altitudeMSL, "</ele>", &out)
        if let time = location.timestamp {
            out.put("<time>")
            out.put(exact: time)
            out.put("</time>")
        }
        number("<magvar>", location.magneticVariation.flatMap(Self.turned), "</magvar>", &out)
        number("<geoidheight>", location.geoidSeparation, "</geoidheight>", &out)
        out.put("<fix>")
        out.put(fix(location))
        out.put("</fix>")
        if let used = point.used, used >= 0 {
            out.put("<sat>")
            out.put(used)
            out.put("</sat>")
        }
        number("<hdop>", point.dilution.horizontal, "</hdop>", &out)
        number("<vdop>", point.dilution.vertical, "</vdop>", &out)
        number("<pdop>", point.dilution.position, "</pdop>", &out)
        number("<ageofdgpsdata>", location[.dgpsAge], "</ageofdgpsdata>", &out)
        if let station = location[.dgpsStation], 0...1023 ~= station {
            number("<dgpsid>", station, "</dgpsid>", &out)
        }
        motion(location, &out)
        out.put("</trkpt>\n")
    }

    private func motion(_ location: Location, _ out: inout TextBuffer) {
        let course = location.course.flatMap(Self.turned)
        guard location.speed != nil || course != nil else { return }
        out.put("<extensions><gpxtpx:TrackPointExtension>")
        number("<gpxtpx:speed>", location.speed, "</gpxtpx:speed>", &out)
        number("<gpxtpx:course>", course, "</gpxtpx:course>", &out)
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
    @inline(__always)
    private func number(_ opening: StaticString, _ value: Double?, _ closing: StaticString, _ out: inout TextBuffer) {
        if let value { out.put(opening, shortest: value, closing) }
    }

    /// Returns a direction normalized to 0 ..< 360, or `nil` if its magnitude exceeds 720 degrees.
    private static func turned(_ degrees: Double) -> Double? {
        guard abs(degrees) <= 720 else { return nil }
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        let turned = rest < 0 ? rest + 360 : rest
        return turned >= 360 ? 0 : turned
    }
}
