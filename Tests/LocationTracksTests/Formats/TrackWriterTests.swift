import Foundation
import LocationCore
@testable import LocationTracks
import TestSupport
import Testing

@Suite struct TrackWriterTests {
    @Test func `every format has an oracle with a reader`() {
        for format in TrackFormat.allCases {
            let oracle = TrackOracle.all.first { $0.format == format }
            #expect(oracle?.readings.contains(where: \.isWhole) == true, "TrackOracle.all has no reader for \(format)")
        }
    }

    @Test(arguments: TrackOracle.all.flatMap(\.readings))
    func `independent readers find the same points in the same segments`(_ reading: TrackOracle.Reading) throws {
        let short = [SampleTrack.drive(segments: 1, points: 1), []]
        for track in [SampleTrack.drive()] + (reading.isWhole ? short : []) {
            let bytes = SampleTrack.written(track, as: reading.format, .init(pointFeatures: reading.pointFeatures))
            #expect(TrackPoints.count(bytes, reading.format) == SampleTrack.points(track).count)
            let scratch = try Scratch()
            let file = try scratch.write(bytes, to: "track.\(reading.format.name)")
            let found = try TrackOracle.read(file, by: reading.reader)
            let points = SampleTrack.points(track).dropFirst(reading.learnsFrom)
            try #require(found.count == points.count)
            if reading.tellsSegments { #expect(found.map(\.segment) == SampleTrack.segments(track)) }
            if reading.tellsTimes {
                #expect(found.map(\.time) == points.map { $0.location.timestamp?.formatted(fractionDigits: 3) ?? "" })
            }
            for (found, location) in zip(found, points.map(\.location)) {
                #expect(abs(found.latitude - location.coordinate.latitude) <= reading.degrees)
                #expect(abs(found.longitude - location.coordinate.longitude) <= reading.degrees)
                #expect(abs((found.altitude ?? .nan) - (location.altitudeMSL ?? .nan)) <= reading.metres)
            }
        }
    }

    @Test func `GeoJSON cuts a line at the antimeridian between the points beside it, and keeps every point`() throws {
        let track = [(0, 179.75, 100, 0), (4, -179.25, 200, 4)].map { latitude, longitude, altitude, second in
            TrackElement.point(
                TrackPoint(
                    Location(
                        coordinate: Coordinate(latitude: latitude, longitude: longitude),
                        timestamp: SampleTrack.start.advanced(by: .seconds(second)), altitudeMSL: altitude)))
        }
        let scratch = try Scratch()
        let bytes = SampleTrack.written(track, as: .geojson)
        #expect(bytes.split(separator: 10).count { $0.starts(with: "{\"type\":\"Feature\",".utf8) } == 2)
        let found = try TrackOracle.read(scratch.write(bytes, to: "line.geojson"), by: "json")
        #expect(found.map(\.longitude) == [179.75, 180, -180, -179.25])
        #expect(found.map(\.latitude) == [0, 1, 1, 4] && found.map(\.altitude) == [100, 125, 125, 200])
        #expect(found.map { $0.time.suffix(7) } == ["00.000Z", "01.000Z", "01.000Z", "04.000Z"])
    }

    @Test(arguments: [TrackFormat.kml, .geojson], [1, 9, 10, 25, 26])
    func `a long line is stored in parts, each of which begins with the last point of the one before`(
        _ format: TrackFormat, _ points: Int
    ) throws {
        let track = SampleTrack.drive(segments: 2, points: points)
        var writer: any TrackWriter =
            format == .kml ? KMLWriter(pointsPerTrack: 9) : GeoJSONWriter(pointsPerFeature: 9)
        var out = TextBuffer()
        out.put(writer.header)
        for element in track {
            switch element {
            case .point(let point): writer.append(point, into: &out)
            case .gap(let gap): writer.gap(gap, into: &out)
            }
        }
        out.put(writer.trailer)
        #expect(TrackPoints.count(out.bytes, format) == 2 * points)
        let read = ReadTrack(out.bytes, named: "x.\(format)")
        #expect(read.points.map(\.location.timestamp) == SampleTrack.points(track).map(\.location.timestamp))
        #expect(read.segments == SampleTrack.segments(track))
        let scratch = try Scratch()
        let file = try scratch.write(out.bytes, to: "long.\(format)")
        let found = try TrackOracle.read(file, by: format == .kml ? "gpsbabel-kml" : "json").map(\.time)
        let times = SampleTrack.points(track).map { $0.location.timestamp?.formatted(fractionDigits: 3) ?? "" }
        #expect(found.withoutRepeats == times && (found.count > times.count) == (points > 9))
    }

    @Test func `KML tells an altitude of 0 from an unknown one`() throws {
        func coordinates(_ altitude: Double?) -> String {
            var (writer, out) = (KMLWriter(pointsPerTrack: 10), TextBuffer())
            let place = Coordinate(latitude: 1, longitude: 2)
            writer.append(TrackPoint(Location(coordinate: place, altitudeMSL: altitude)), into: &out)
            out.put(writer.trailer)
            return out.text
        }
        #expect(coordinates(nil).contains("<gx:coord>2 1 0</gx:coord>"))
        #expect(coordinates(0).contains("<gx:coord>2 1 0.001</gx:coord>"))
        #expect(coordinates(-0.5).contains("<gx:coord>2 1 -0.5</gx:coord>"))
    }

    @Test func `GPX and GeoJSON write extreme coordinates exactly`() throws {
        var draw = SplitMix64(seed: 1)
        let places = [(90.0, 0.0), (-90, 180), (0, -180), (0, 180), (0, 0), (-1e-9, 1e-7)]
        let track = places.map { latitude, longitude in
            let place = Coordinate(latitude: latitude, longitude: longitude)
            return TrackElement.point(SampleTrack.point(place, nil, using: &draw))
        }
        let scratch = try Scratch()
        func read(_ format: TrackFormat, by reader: String) throws -> [TrackOracle.Point] {
            let bytes = SampleTrack.written(track, as: format, .init(pointFeatures: true))
            return try TrackOracle.read(scratch.write(bytes, to: "a.\(format)"), by: reader)
        }
        let (gpx, json) = (try read(.gpx, by: "gpxpy"), try read(.geojson, by: "json"))
        for points in [gpx, json] {
            #expect(points.map(\.latitude) == places.map(\.0) && points.allSatisfy { $0.time == "-" })
        }
        #expect(gpx.map(\.longitude) == places.map { $0.1 == 180 ? -180 : $0.1 })
        #expect(json.map(\.longitude) == places.map(\.1))
    }

    @Test func `a name with special characters is read back`() throws {
        let name = "a<b>&\"c\"'d'?>--]]>\u{7}é🛰"
        let scratch = try Scratch()
        for format in [TrackFormat.gpx, .kml] {
            let bytes = SampleTrack.written([], as: format, .init(name: name))
            let file = try scratch.write(bytes, to: "name.\(format.name)")
            let read = try OracleProgram.run(["xmllint", "--xpath", "string(//*[local-name()='name'])", file])
            #expect(read == "a<b>&\"c\"'d'?>--]]>\\x07é🛰\n")
        }
    }

    @Test func `GPX has the elements of a point in the order of the schema`() {
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

    /// Returns a track with the same satellites at every point.
    private func track(under satellites: [Satellite]) -> [TrackElement] {
        SampleTrack.drive(segments: 1, points: 4).map { element in
            guard case .point(var point) = element else { return element }
            point.satellites = satellites
            return .point(point)
        }
    }

    private static let satellites = [
        Satellite(constellation: .gps, number: 5, elevation: 45, azimuth: 120, signal: 40, isUsed: true),
        // A second signal of the same satellite.
        Satellite(constellation: .gps, number: 5, elevation: 45, azimuth: 120, signal: 35, isUsed: true),
        Satellite(constellation: .sbas, number: 123, elevation: 30, azimuth: 180, signal: 31),
        Satellite(constellation: .glonass, number: 6, elevation: 20, azimuth: 359.8, signal: 33, isUsed: true),
        Satellite(constellation: .galileo, number: 3, elevation: 10, azimuth: 10, signal: 30, isUsed: true),
        Satellite(constellation: .beidou, number: 11, elevation: 60, azimuth: 90, signal: nil),
        Satellite(constellation: .beidou, number: 999, elevation: 60, azimuth: 90, signal: 50),
        Satellite(prn: 66, elevation: 5, azimuth: 5, signal: 20),
    ]

    @Test func `gpsd finds the satellites and the dilutions in NMEA`() throws {
        struct Sky: Decodable {
            struct Satellite: Decodable, Hashable {
                var gnssid, svid: Int
                var el, az: Double
                var ss: Double?
                var used: Bool
            }
            var hdop, vdop, pdop: Double
            var satellites: [Satellite]
        }
        let bytes = SampleTrack.written(track(under: Self.satellites), as: .nmea)
        let lines = try OracleProgram.run(["gpsdecode", "-j"], input: String(decoding: bytes, as: UTF8.self))
            .split(whereSeparator: \.isNewline).filter { $0.hasPrefix(#"{"class":"SKY""#) }
        let sky = try JSONDecoder().decode(Sky.self, from: Data(try #require(lines.last).utf8))
        #expect((sky.hdop, sky.vdop, sky.pdop) == (0.9, 1.4, 1.7))
        #expect(
            Set(sky.satellites) == [
                .init(gnssid: 0, svid: 5, el: 45, az: 120, ss: 40, used: true),
                .init(gnssid: 1, svid: 123, el: 30, az: 180, ss: 31, used: false),
                .init(gnssid: 6, svid: 6, el: 20, az: 0, ss: 33, used: true),
                .init(gnssid: 2, svid: 3, el: 10, az: 10, ss: 30, used: true),
                .init(gnssid: 3, svid: 11, el: 60, az: 90, ss: 0, used: false),
                .init(gnssid: 6, svid: 2, el: 5, az: 5, ss: 20, used: false),
            ])
    }

    @Test(arguments: [true, false])
    func `gpsd reports a loss in NMEA once, and each epoch after it once`(knowsSatellites: Bool) throws {
        let track = SampleTrack.drive(segments: 3, points: 20).map { element in
            guard case .point(var point) = element else { return element }
            if !knowsSatellites { point.used = nil }
            return .point(point)
        }
        let lines = try OracleProgram.run(
            ["gpsdecode", "-j"], input: String(decoding: SampleTrack.written(track, as: .nmea), as: UTF8.self))
        let modes = lines.split(whereSeparator: \.isNewline).filter { $0.contains(#""class":"TPV""#) }
            .map { $0.contains(#""mode":3"#) ? 3 : 1 }
        // gpsd learns from the first epoch where epochs end.
        #expect(
            modes == Array(repeating: 3, count: 19) + [1] + Array(repeating: 3, count: 20) + [1]
                + Array(repeating: 3, count: 20))
    }

    @Test func `NMEA lists only known satellites and never more than a sentence holds`() {
        #expect(!String(decoding: SampleTrack.written(SampleTrack.drive(), as: .nmea), as: UTF8.self).contains("GSV"))
        let many = (1...32).map { number in
            Satellite(constellation: .gps, number: number, elevation: 90, azimuth: 360, signal: 99, isUsed: true)
        }
        let text = String(decoding: SampleTrack.written(track(under: many), as: .nmea), as: UTF8.self)
        let sentences = text.split(separator: "\r\n").prefix(15)
        #expect(
            sentences.map { $0.prefix(6).suffix(3) } == ["GGA"] + Array(repeating: "GSA", count: 3)
                + Array(repeating: "GSV", count: 8) + ["VTG", "ZDA", "RMC"])
        #expect(sentences.allSatisfy { $0.utf8.count <= 80 })
        let odd = [
            Satellite(constellation: .gps, number: 1, elevation: .infinity, azimuth: -1, signal: 1e300),
            Satellite(constellation: .gps, number: 2, elevation: .nan, azimuth: 361, signal: 100),
        ]
        #expect(
            String(decoding: SampleTrack.written(track(under: odd), as: .nmea), as: UTF8.self)
                .contains("$GPGSV,1,1,02,01,,,,02,,,,0*"))
    }
}
