import LocationCore

extension TrackFormat {
    /// KML 2.2, for Google Earth.
    public static let kml = TrackFormat(
        "kml", title: "KML", summary: "KML 2.2, for Google Earth", receivers: .inTracks,
        writer: KMLWriter.self)
}

/// KML 2.2: a gx:Track per segment in one gx:MultiTrack.
///
/// The schema requires all times of a gx:Track before all of its positions. To bound memory, a very long segment consists
/// of several tracks, each of which begins with the last point of the one before, so that the line has no gap; readers of
/// this package join them. Positions are clamped to the ground, because few receivers' altitudes agree with the drawn
/// ground.
struct KMLWriter: TrackWriter {
    private let name: String?
    private let device: String?
    private let pointsPerTrack: Int
    private var track = Track()

    /// The current gx:Track.
    private struct Track {
        var times: [UInt8] = []
        var positions: [UInt8] = []
        var count = 0
        /// Whether its first point is the last one of the track before.
        var isCarried = false
        /// The offsets of the last time and the last position.
        var last = (time: 0, position: 0)

        /// Removes all points but the last.
        mutating func carryLast() {
            times.removeFirst(last.time)
            positions.removeFirst(last.position)
            last = (0, 0)
            (count, isCarried) = (1, true)
        }

        func append(to bytes: inout [UInt8]) {
            guard count > (isCarried ? 1 : 0) else { return }
            bytes.append("<gx:Track>\n")
            bytes.append(contentsOf: times)
            bytes.append(contentsOf: positions)
            bytes.append("</gx:Track>\n")
        }
    }

    init(_ options: TrackFormat.Options) { self.init(options, pointsPerTrack: 65_536) }

    init(_ options: TrackFormat.Options = .init(), pointsPerTrack: Int) {
        name = options.name
        device = options.device
        self.pointsPerTrack = max(2, pointsPerTrack)
    }

    func beginFile(to bytes: inout [UInt8]) {
        bytes.append(
            #"""
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document>
            <Style id="track"><LineStyle><color>ffb27200</color><width>4</width></LineStyle></Style>

            """#)
    }

    func beginTrack(to bytes: inout [UInt8]) {
        bytes.append("<Placemark>\n")
        if let name = device ?? name {
            bytes.append("<name>")
            bytes.append(xml: name)
            bytes.append("</name>\n")
        }
        bytes.append("<styleUrl>#track</styleUrl>\n")
        if let device {
            bytes.append("<ExtendedData><Data name=\"device\"><value>")
            bytes.append(xml: device)
            bytes.append("</value></Data></ExtendedData>\n")
        }
        bytes.append("<gx:MultiTrack>\n")
    }

    /// Ends the current gx:Track; the next one begins with its last point.
    mutating func flush(to bytes: inout [UInt8]) {
        guard track.count > 0 else { return }
        track.append(to: &bytes)
        track.carryLast()
    }

    mutating func endSegment(to bytes: inout [UInt8]) {
        track.append(to: &bytes)
        track = Track()
    }

    func endOfLastPoint(in ending: [UInt8]) -> Int? {
        ending.endOfLast("</gx:Track>\n") ?? ending.endOfLast("<gx:MultiTrack>\n")
    }

    var closing: StaticString { "</kml>" }

    func endTrack(to bytes: inout [UInt8]) { bytes.append("</gx:MultiTrack>\n</Placemark>\n") }

    func endFile(to bytes: inout [UInt8]) { bytes.append("</Document>\n</kml>\n") }

    mutating func append(_ point: TrackPoint, to bytes: inout [UInt8]) {
        if track.count >= pointsPerTrack { flush(to: &bytes) }
        track.count += 1
        track.last = (track.times.count, track.positions.count)
        let location = point.location
        if let time = location.timestamp {
            track.times.append("<when>")
            track.times.append(time: time)
            track.times.append("</when>\n")
        } else {
            // Without an empty element the times of all later points would belong to the wrong positions.
            track.times.append("<when/>\n")
        }
        track.positions.append("<gx:coord>")
        DecimalText.append(shortest: location.coordinate.longitude, to: &track.positions)
        track.positions.append(UInt8(ascii: " "))
        DecimalText.append(shortest: location.coordinate.latitude, to: &track.positions)
        track.positions.append(UInt8(ascii: " "))
        // The format requires an altitude, which is not used for positions on the ground. Programs write 0 for an unknown one, and readers
        // take it for that, so one that is known to be 0 is a millimetre higher.
        DecimalText.append(shortest: location.altitudeMSL.map { $0 == 0 ? 0.001 : $0 } ?? 0, to: &track.positions)
        track.positions.append("</gx:coord>\n")
    }
}
