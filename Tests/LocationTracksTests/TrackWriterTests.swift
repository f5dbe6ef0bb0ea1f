import LocationCore
@testable import LocationTracks
import Testing

@Suite struct TrackWriterTests {
    /// A reader of others, what it reads, and to what it rounds.
    struct Reading: CustomTestStringConvertible, Sendable {
        var reader: String
        var format: TrackFormat
        var pointFeatures = false
        var degrees = 0.0
        var metres = 0.0
        var tellsSegments = true
        /// gpsd spends the first epoch on learning where an epoch ends.
        var learnsFrom = 0
        var tellsTimes = true
        var testDescription: String { "\(format.rawValue)\(pointFeatures ? " points" : "") by \(reader)" }
    }

    static let readings = [
        Reading(reader: "gpxpy", format: .gpx),
        Reading(reader: "gdal", format: .gpx, tellsTimes: false),
        Reading(reader: "gpsbabel-gpx", format: .gpx, degrees: 1e-9, metres: 0.002),
        Reading(reader: "json", format: .geojson),
        Reading(reader: "json", format: .geojson, pointFeatures: true),
        Reading(reader: "gdal", format: .geojson, tellsTimes: false),
        Reading(reader: "gpsbabel-kml", format: .kml, degrees: 1e-9, metres: 0.002),
        Reading(reader: "csv", format: .csv),
        Reading(reader: "gpsbabel-nmea", format: .nmea, degrees: 2e-8, metres: 0.002, tellsSegments: false),
        Reading(
            reader: "gpsdecode", format: .nmea, degrees: 1.5e-8, metres: 0.002, tellsSegments: false, learnsFrom: 1),
        Reading(reader: "tpv", format: .gpsd),
    ]

    @Test(arguments: readings)
    func `readers of others find the same points in the same segments`(_ reading: Reading) throws {
        let track = SampleTrack.drive()
        let scratch = try Scratch()
        let file = try scratch.write(
            SampleTrack.written(track, as: reading.format, .init(pointFeatures: reading.pointFeatures)),
            to: "track.\(reading.format.rawValue)")
        let found = try Oracle.read(file, by: reading.reader)
        let points = SampleTrack.points(track).dropFirst(reading.learnsFrom)
        try #require(found.count == points.count)
        if reading.tellsSegments { #expect(found.map(\.segment) == SampleTrack.segments(track)) }
        let places = points.map(\.location.coordinate)
        #expect(zip(found, places).allSatisfy { abs($0.latitude - $1.latitude) <= reading.degrees })
        #expect(zip(found, places).allSatisfy { abs($0.longitude - $1.longitude) <= reading.degrees })
        let altitudes = zip(found, points).map { ($0.altitude ?? .nan) - ($1.location.altitudeMSL ?? .nan) }
        #expect(altitudes.allSatisfy { abs($0) <= reading.metres })
        if reading.tellsTimes {
            #expect(found.map(\.time) == points.map { $0.location.timestamp?.formatted(fractionDigits: 3) ?? "" })
        }
    }

    @Test(arguments: TrackFormat.allCases)
    func `a track without a point is a right file`(_ format: TrackFormat) throws {
        let scratch = try Scratch()
        let file = try scratch.write(SampleTrack.written([], as: format), to: "none.\(format.rawValue)")
        switch format {
        case .gpx: #expect(try Oracle.read(file, by: "gpxpy").isEmpty)
        case .geojson: #expect(try Oracle.read(file, by: "json").isEmpty)
        case .kml: #expect(try Oracle.run(["xmllint", "--noout", file]).isEmpty)
        case .csv: #expect(try Oracle.read(file, by: "csv").isEmpty)
        case .nmea: #expect(SampleTrack.written([], as: format).isEmpty)
        case .gpsd: #expect(try Oracle.read(file, by: "tpv").isEmpty)
        }
    }

    @Test(arguments: [
        (TrackFormat.gpx, "gpxpy"), (.geojson, "json"), (.geojson, "gdal"), (.kml, "gpsbabel-kml"),
        (.csv, "csv"), (.nmea, "gpsbabel-nmea"), (.gpsd, "tpv"),
    ])
    func `a track of one point has that point`(_ format: TrackFormat, _ reader: String) throws {
        let track = SampleTrack.drive(segments: 1, points: 1)
        let scratch = try Scratch()
        let file = try scratch.write(SampleTrack.written(track, as: format), to: "one.\(format.rawValue)")
        let found = try Oracle.read(file, by: reader)
        #expect(found.count == 1)
        let place = try #require(SampleTrack.points(track).first).location.coordinate
        #expect(abs((found.first?.latitude ?? .nan) - place.latitude) < 2e-8)
    }

    @Test func `a later report of an instant replaces the point`() {
        var draw = SeededDraw(seed: 1)
        let flat = SampleTrack.point(Coordinate(latitude: 1, longitude: 2), SampleTrack.start, using: &draw)
        let better = SampleTrack.point(Coordinate(latitude: 3, longitude: 4), SampleTrack.start, using: &draw)
        #expect(
            SampleTrack.written([.point(flat), .revision(better)], as: .csv)
                == SampleTrack.written([.point(better)], as: .csv))
    }

    @Test func `GeoJSON cuts a line at the antimeridian and keeps every point`() throws {
        let track = SampleTrack.drive(segments: 1, points: 60, from: Coordinate(latitude: -17, longitude: 179.9985))
        let scratch = try Scratch()
        let file = try scratch.write(SampleTrack.written(track, as: .geojson), to: "line.geojson")
        let found = try Oracle.read(file, by: "json")
        let edges = found.filter { abs($0.longitude) == 180 }
        #expect(edges.map(\.longitude) == [180, -180])
        #expect(edges.first?.latitude == edges.last?.latitude)
        #expect(
            found.filter { abs($0.longitude) < 180 }.map(\.longitude)
                == SampleTrack.points(track).map(\.location.coordinate.longitude))
        let lines = SampleTrack.written(track, as: .geojson).split(separator: 10).count {
            $0.starts(with: "{\"type\":\"Feature\",".utf8)
        }
        #expect(lines == 2)
    }

    @Test func `GeoJSON makes several features of a long segment, each from where the last one ended`() throws {
        let track = SampleTrack.drive(segments: 1, points: 25)
        var writer = GeoJSONWriter(pointsPerFeature: 10)
        var bytes: [UInt8] = []
        writer.header(to: &bytes)
        for point in SampleTrack.points(track) { writer.append(point, to: &bytes) }
        writer.trailer(to: &bytes)
        let scratch = try Scratch()
        let found = try Oracle.read(try scratch.write(bytes, to: "long.geojson"), by: "json").map(\.time)
        let times = SampleTrack.points(track).map { $0.location.timestamp?.formatted(fractionDigits: 3) ?? "" }
        #expect(found == Array(times[..<10] + times[9..<19] + times[18...]))
    }

    @Test(arguments: [(90.0, 0.0), (-90, 180), (0, -180), (0, 180), (0, 0), (-1e-9, 1e-7)])
    func `GPX and GeoJSON write every place that there is`(_ latitude: Double, _ longitude: Double) throws {
        var draw = SeededDraw(seed: 1)
        let place = Coordinate(latitude: latitude, longitude: longitude)
        let track = [TrackElement.point(SampleTrack.point(place, nil, using: &draw))]
        let scratch = try Scratch()
        let gpx = try Oracle.read(try scratch.write(SampleTrack.written(track, as: .gpx), to: "a.gpx"), by: "gpxpy")
        let json = try Oracle.read(
            try scratch.write(SampleTrack.written(track, as: .geojson), to: "a.geojson"), by: "json")
        #expect(gpx.map(\.latitude) == [latitude] && json.map(\.latitude) == [latitude])
        #expect(gpx.map(\.longitude) == [longitude == 180 ? -180 : longitude] && json.map(\.longitude) == [longitude])
        #expect(gpx.map(\.time) == ["-"] && json.map(\.time) == ["-"])
    }

    @Test func `a name with everything in it stays one name`() throws {
        let name = "a<b>&\"c\"'d'?>--]]>\u{7}é🛰"
        let scratch = try Scratch()
        for format in [TrackFormat.gpx, .kml] {
            let bytes = SampleTrack.written([], as: format, .init(name: name))
            let file = try scratch.write(bytes, to: "name.\(format.rawValue)")
            let read = try Oracle.run(["xmllint", "--xpath", "string(//*[local-name()='name'])", file])
            #expect(read == "a<b>&\"c\"'d'?>--]]>\\x07é🛰\n")
        }
    }

    @Test func `GPX holds the fix, the satellites, the dilutions, the speed and the course where the schema has them`()
    {
        let text = String(
            decoding: SampleTrack.written(SampleTrack.drive(segments: 1, points: 1), as: .gpx), as: UTF8.self)
        let names = text.split(separator: "<").compactMap {
            $0.first == "/" ? nil : $0.split(whereSeparator: { "> ".contains($0) }).first
        }
        #expect(
            names.drop { $0 != "trkpt" }.map(String.init) == [
                "trkpt", "ele", "time", "magvar", "geoidheight", "fix", "sat", "hdop", "vdop", "pdop", "extensions",
                "gpxtpx:TrackPointExtension", "gpxtpx:speed", "gpxtpx:course",
            ])
        #expect(text.contains("<fix>3d</fix><sat>9</sat><hdop>0.9</hdop><vdop>1.4</vdop><pdop>1.7</pdop>"))
        #expect(text.contains("<magvar>357.5</magvar>"))
    }
}
