import LocationCore

extension TrackFormat {
    /// KML 2.2, for Google Earth.
    public static let kml = TrackFormat(
        name: "kml", title: "KML", summary: "KML 2.2, for Google Earth", receivers: .inTracks,
        type: KMLWriter.self)
}

/// KML 2.2: a gx:Track per segment in one gx:MultiTrack, or in one for each track of the file that is read.
///
/// The schema requires all times of a gx:Track before all of its positions. To bound memory, a very long segment consists
/// of several tracks, each of which begins with the last point of the one before, so that the line has no gap; readers of
/// this package join them. Positions are clamped to the ground, because few receivers' altitudes agree with the drawn
/// ground.
struct KMLWriter: TrackWriter {
    private var options: TrackFormat.Options
    private let pointsPerTrack: Int
    private var track = Track()
    private var last: TrackVertex?
    /// The name, or none, of a track that begins with the next point.
    private var nextTrack: String??

    /// The current gx:Track.
    private struct Track {
        var times = TextBuffer()
        var positions = TextBuffer()
        var count = 0
        /// Whether its first point is the last one of the track before.
        var isCarried = false
    }

    init(_ options: TrackFormat.Options) { self.init(options, pointsPerTrack: 65_536) }

    init(_ options: TrackFormat.Options = .init(), pointsPerTrack: Int) {
        self.options = options
        self.pointsPerTrack = max(2, pointsPerTrack)
    }

    func beginFile(into out: inout TextBuffer) {
        out.put(
            #"""
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document>
            <Style id="track"><LineStyle><color>ffb27200</color><width>4</width></LineStyle></Style>

            """#)
    }

    func beginTrack(into out: inout TextBuffer) {
        out.put("<Placemark>\n")
        if let name = options.trackName ?? options.device ?? options.name { out.put("<name>", xml: name, "</name>\n") }
        out.put("<styleUrl>#track</styleUrl>\n")
        if let device = options.device {
            out.put(
                "<ExtendedData><Data name=\"device\"><value>", xml: device, "</value></Data></ExtendedData>\n")
        }
        out.put("<gx:MultiTrack>\n")
    }

    mutating func gap(_ gap: TrackGap, into out: inout TextBuffer) {
        endSegment(into: &out)
        if case .track(let name) = gap { nextTrack = .some(name) }
    }

    /// Ends the current gx:Track; the next one begins with its last point.
    mutating func flush(into out: inout TextBuffer) {
        guard track.count > 0, let last else { return }
        endSegment(into: &out)
        append(last)
        track.isCarried = true
    }

    mutating func endSegment(into out: inout TextBuffer) {
        defer { track = Track() }
        guard track.count > (track.isCarried ? 1 : 0) else { return }
        out.put("<gx:Track>\n")
        out.put(track.times.written)
        out.put(track.positions.written)
        out.put("</gx:Track>\n")
    }

    func endOfLastPoint(in ending: [UInt8]) -> Int? {
        ending.endOfLast("</gx:Track>\n") ?? ending.endOfLast("<gx:MultiTrack>\n")
    }

    var closing: StaticString { "</kml>" }

    func endTrack(into out: inout TextBuffer) { out.put("</gx:MultiTrack>\n</Placemark>\n") }

    func endFile(into out: inout TextBuffer) { out.put("</Document>\n</kml>\n") }

    mutating func append(_ point: TrackPoint, into out: inout TextBuffer) {
        if let name = nextTrack.take() {
            endTrack(into: &out)
            (options.name, options.trackName) = (nil, name)
            beginTrack(into: &out)
        }
        if track.count >= pointsPerTrack { flush(into: &out) }
        let vertex = TrackVertex(point.location)
        append(vertex)
        last = vertex
    }

    private mutating func append(_ vertex: TrackVertex) {
        track.count += 1
        if let time = vertex.time {
            track.times.put("<when>")
            track.times.put(exact: time)
            track.times.put("</when>\n")
        } else {
            // Without an empty element the times of all later points would belong to the wrong positions.
            track.times.put("<when/>\n")
        }
        track.positions.put("<gx:coord>")
        track.positions.put(shortest: vertex.longitude)
        track.positions.put(UInt8(ascii: " "))
        track.positions.put(shortest: vertex.latitude)
        track.positions.put(UInt8(ascii: " "))
        // The format requires an altitude, which is not used for positions on the ground. Programs write 0 for an unknown one, and readers
        // take it for that, so one that is known to be 0 is a millimetre higher.
        track.positions.put(shortest: vertex.altitude.map { $0 == 0 ? 0.001 : $0 } ?? 0)
        track.positions.put("</gx:coord>\n")
    }
}
