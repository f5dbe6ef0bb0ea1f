import Foundation
import LocationCore
import GPSDProtocol
import LocwatchSupport
import Testing

@testable import LocationTracks

struct TrackConversionTests {
    /// A track with two segments, a point without a fix, and values that are out of range.
    private static let track = """
        <gpx version="1.1" creator="locwatch 1" xmlns="http://www.topografix.com/GPX/1/1"><trk><src>/dev/ttyACM0</src>
        <trkseg><trkpt lat="48.123456789012" lon="-16.1"><ele>-0.0</ele><time>2026-11-20T09:00:00.25Z</time>
        <magvar>3.5</magvar><geoidheight>1e9</geoidheight><fix>dgps</fix><sat>7</sat><hdop>1.5</hdop><vdop>1e6</vdop>
        <ageofdgpsdata>2.5</ageofdgpsdata><dgpsid>12</dgpsid></trkpt>
        <trkpt lat="48.2" lon="16"><time>2026-11-20T09:00:01Z</time><fix>none</fix><sat>2</sat></trkpt>
        <trkpt lat="48.3" lon="16"/></trkseg>
        <trkseg><trkpt lat="49" lon="16"><time>2026-11-20T09:00:09Z</time></trkpt></trkseg></trk></gpx>
        """

    /// Returns the updates of a track.
    private func updates(
        of bytes: [UInt8], named name: String, speed: Double? = nil, includesLines: Bool = false
    ) throws -> [LocationUpdate] {
        let kind = try #require(bytes.withUnsafeBytes { TrackKind(beginning: $0, name: name) })
        let times = TimelessPoints(speed: speed, start: ReadTrack.start)
        let conversion = try TrackConversion(kind, times: times, name: name)
        var updates = ReusedQueue<LocationUpdate>()
        for piece in [bytes, []] {
            try piece.withUnsafeBufferPointer { (piece) throws(LocationError) in
                try conversion.convert(UnsafeRawBufferPointer(piece), includesLines: includesLines, into: &updates)
                while conversion.hasMore { try conversion.resume(includesLines: includesLines, into: &updates) }
            }
        }
        return Array(updates)
    }

    private func updates(of text: String, named name: String = "track.gpx") throws -> [LocationUpdate] {
        try updates(of: Array(text.utf8), named: name)
    }

    /// Returns the updates of a CSV, whose lines have a second, a receiver, and optionally other values.
    private func updates(ofLines lines: [String], columns: String = "") throws -> [LocationUpdate] {
        let points = lines.map { line in
            let words = line.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
            let time = ReadTrack.start.advanced(by: .seconds(Int(words[0]) ?? 0))
            return "\(time),48,16,\(words[1])"
        }
        let text = (["time,lat,lon,device\(columns)"] + points).joined(separator: "\n") + "\n"
        return try updates(of: text, named: "x.csv")
    }

    /// Returns what a session of gpsd says of the positions, the satellites, the receivers and the time of currency; it has no tracks.
    private func content(of updates: [LocationUpdate]) -> [LocationEvent] {
        updates.map(\.event).filter {
            switch $0 {
            case .notice(let notice):
                switch notice.content {
                case .track, .leftOut: false
                default: true
                }
            case .location, .satellites, .device: true
            default: false
            }
        }
    }

    @Test(arguments: [
        nil, "gdal-points.geojson", "gdal.gpx", "gpsbabel-points.kml", "gpsbabel-track.kml", "gpsbabel-untimed.geojson",
        "gpsbabel.gpx", "gpxpy-1.0.gpx", "gpxpy-1.1.gpx",
    ])
    func `the lines of a track give the same positions and satellites as the track`(file: String?) throws {
        let name = file ?? "track.gpx"
        let data = try file.map { try Data(contentsOf: ReadTrack.folder.appending(path: $0)) } ?? Data(Self.track.utf8)
        let bytes = Array(data)
        let withLines = try updates(of: bytes, named: name, speed: 2, includesLines: true)
        let withoutLines = try updates(of: bytes, named: name, speed: 2)
        #expect(withLines.filter { $0.line == nil } == withoutLines)
        let lines = withLines.compactMap(\.line).flatMap { $0 + Array("\n".utf8) }
        var stream = GPSDStream()
        lines.withUnsafeBytes { stream.feed($0) }
        stream.finish()
        var played: [LocationUpdate] = []
        while let update = stream.next() { played.append(update) }
        #expect(content(of: played) == content(of: withoutLines))
        #expect(stream.tally.faults == 0)
    }

    @Test func `each point is an epoch at its own moment, with its satellites before it`() throws {
        let updates = try updates(of: Self.track)
        #expect(
            updates.map(\.event.name) == [
                "notice", "notice", "device", "satellites", "location", "searching", "searching", "location",
            ])
        #expect(updates.map(\.moment.elapsed) == [0, 0, 0, 0, 0, 0.75, 1.75, 8.75].map { .seconds($0) })
        let positions = updates.filter { $0.location != nil }
        #expect(positions.map(\.location?.timestamp) == positions.map(\.moment.wall))
        #expect(updates.compactMap(\.location).allSatisfy { $0.received == $0.timestamp })
    }

    @Test func `a value out of range is left out`() throws {
        let updates = try updates(ofLines: ["0,a,361,1e9,1e6", "1,b,5,-1,2"], columns: ",course,altMSL,hdop")
        let locations = updates.compactMap(\.location)
        #expect(locations.map(\.course) == [nil, 5] && locations.map(\.altitudeMSL) == [nil, -1])
        #expect(updates.filter { if case .satellites = $0.event { true } else { false } }.count == 1)
    }

    @Test func `the course from magnetic north is that of the course and the variation`() throws {
        let updates = try updates(ofLines: ["0,,10,15.5"], columns: ",course,magvar")
        #expect(updates.compactMap(\.location).map(\.courseMagnetic) == [354.5])
    }

    @Test func `a variation to the west, which GPX counts from 360°, is negative`() throws {
        let point = "<trkpt lat='1' lon='2'><time>2026-11-20T09:00:00Z</time><magvar>347.5</magvar></trkpt>"
        let updates = try self.updates(of: ReadTrack.gpx("<trk><trkseg>\(point)</trkseg></trk>"))
        #expect(updates.compactMap(\.location).map(\.magneticVariation) == [-12.5])
    }

    @Test func `a receiver that begins in the past adds no time until it has caught up`() throws {
        let updates = try updates(ofLines: ["0,a", "600,a", "300,c", "600,c", "620,c", "630,a", "630,c"])
        let positions = updates.filter { $0.location != nil }
        #expect(positions.map(\.moment.elapsed) == [0, 600, 600, 600, 620, 630, 630].map { .seconds($0) })
        #expect(positions.last?.moment.wall == ReadTrack.start.advanced(by: .seconds(630)))
    }

    @Test func `a segment in the past adds its own time, and its points are late`() throws {
        let updates = try updates(ofLines: ["0,a", "600,a", "100,a", "110,a"])
        let positions = updates.filter { $0.location != nil }
        #expect(positions.map(\.moment.elapsed) == [0, 600, 600, 610].map { .seconds($0) })
        #expect(positions.compactMap(\.location).map(\.isLate) == [false, false, true, false])
    }

    @Test func `a search tells the satellites that were last seen, of which none is used`() throws {
        let updates = try updates(ofLines: ["0,a,3,9,7", "1,a,1,,"], columns: ",mode,nSat,uSat")
        #expect(updates.last?.event == .searching(.noFix(seen: 9, used: nil, best: nil), device: "a"))
    }

    @Test func `the points of receivers beyond the limit are skipped, with one message`() throws {
        let updates = try updates(ofLines: (0..<300).map { "\($0),r\($0)" })
        #expect(updates.compactMap(\.location).count == 256)
        let messages = updates.compactMap { if case .message(let text) = $0.event.notice { text } else { nil } }
        #expect(messages == ["44 points of more than 256 receivers were skipped"])
    }
}

extension LocationUpdate {
    fileprivate var line: [UInt8]? { if case .line(let line) = event { line } else { nil } }
}
