import Foundation
import LocationCore
@testable import LocationTracks
import TestSupport
import Testing

@Suite struct TrackWriterTests {
    @Test(arguments: TrackFormat.allCases) func `every format has an oracle with a reader`(format: TrackFormat) {
        let oracle = TrackOracle.all.first { $0.format == format }
        #expect(oracle?.readings.contains(where: \.isWhole) == true, "TrackOracle.all has no reader for \(format)")
    }

    @Test func `the article about writing tracks names every format`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let article = folder.appending(path: "Sources/Library/LocationTracks/LocationTracks.docc/WritingTracks.md")
        let text = try String(contentsOf: article.standardizedFileURL, encoding: .utf8)
        #expect(TrackFormat.allCases.map(\.name).filter { !text.contains("``TrackFormat/\($0)``") } == [])
    }

    @Test(arguments: [(3, 40), (1, 1), (0, 0)])
    func `independent readers find the same points in the same segments`(segments: Int, points: Int) throws {
        let scratch = try Scratch()
        let track = SampleTrack.drive(segments: segments, points: points)
        // A short track is of no use to readers that need several points, and to those of another form.
        let readings = TrackOracle.all.flatMap(\.readings).filter { $0.isWhole || points > 1 }
        let files = try readings.enumerated().map { number, reading in
            let bytes = SampleTrack.written(track, as: reading.format, .init(pointFeatures: reading.pointFeatures))
            #expect(TrackPoints.count(bytes, reading.format) == SampleTrack.points(track).count, "\(reading.format)")
            return (try scratch.write(bytes, to: "\(number).\(reading.format.fileExtension)"), reading.reader)
        }
        for (reading, found) in zip(readings, try TrackOracle.read(files)) {
            let name: Comment = "\(reading.testDescription)"
            let points = SampleTrack.points(track).dropFirst(reading.learnsFrom).map(\.location)
            try #require(found.count == points.count, name)
            if reading.tellsSegments { #expect(found.map(\.segment) == SampleTrack.segments(track), name) }
            if reading.tellsTimes {
                let times = points.map { $0.timestamp?.formatted(fractionDigits: 3) ?? "" }
                #expect(found.map(\.time) == times, name)
            }
            let distant = zip(found, points).filter { found, location in
                !(abs(found.latitude - location.coordinate.latitude) <= reading.degrees
                    && abs(found.longitude - location.coordinate.longitude) <= reading.degrees
                    && abs((found.altitude ?? .nan) - (location.altitudeMSL ?? .nan)) <= reading.metres)
            }
            #expect(distant.isEmpty, name)
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

    @Test(arguments: [(TrackFormat.kml, "gpsbabel-kml"), (.geojson, "json")])
    func `a long line is stored in parts, each of which begins with the last point of the one before`(
        _ format: TrackFormat, reader: String
    ) throws {
        let scratch = try Scratch()
        let tracks = [1, 9, 10, 25, 26].map { SampleTrack.drive(segments: 2, points: $0) }
        let files = try tracks.map { track in
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
            #expect(TrackPoints.count(out.bytes, format) == SampleTrack.points(track).count)
            let beginning = format == .kml ? "<gx:Track>" : "{\"type\":\"Feature\","
            let parts = String(decoding: out.bytes, as: UTF8.self).split(separator: beginning).count - 1
            // The first part of each of the two segments has nine points, and each other one adds eight.
            let points = SampleTrack.points(track).count / 2
            #expect(parts == 2 * (1 + max(0, points - 2) / 8), "\(points) points")
            let read = ReadTrack(out.bytes, named: "x.\(format.fileExtension)")
            #expect(read.points.map(\.location.timestamp) == SampleTrack.points(track).map(\.location.timestamp))
            #expect(read.segments == SampleTrack.segments(track))
            return (try scratch.write(out.bytes, to: "\(track.count).\(format.fileExtension)"), reader)
        }
        for (track, found) in zip(tracks, try TrackOracle.read(files)) {
            let times = SampleTrack.points(track).map { $0.location.timestamp?.formatted(fractionDigits: 3) ?? "" }
            #expect(found.map(\.time).withoutRepeats == times)
            #expect((found.count > times.count) == (times.count > 18), "\(times.count) points")
        }
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
            return try TrackOracle.read(scratch.write(bytes, to: "a.\(format.fileExtension)"), by: reader)
        }
        let (gpx, json) = (try read(.gpx, by: "gpxpy"), try read(.geojson, by: "json"))
        for points in [gpx, json] {
            #expect(points.map(\.latitude) == places.map(\.0) && points.allSatisfy { $0.time == "-" })
        }
        #expect(gpx.map(\.longitude) == places.map { $0.1 == 180 ? -180 : $0.1 })
        #expect(json.map(\.longitude) == places.map(\.1))
    }

    @Test func `names with special characters are read back`() throws {
        let (name, read) = ("a<b>&\"c\"'d'?>--]]>\u{7}é🛰", "a<b>&\"c\"'d'?>--]]>\\x07é🛰")
        let scratch = try Scratch()
        for (format, title, receiver) in [(TrackFormat.gpx, "\(read), \(read)", "src"), (.kml, read, "value")] {
            let bytes = SampleTrack.written([], as: format, .init(name: name, device: name))
            let file = try scratch.write(bytes, to: "name.\(format.fileExtension)")
            for (element, text) in [("name", title), (receiver, read)] {
                let path = "string(//*[local-name()='\(element)'])"
                #expect(try Tool.output(of: ["xmllint", "--xpath", path, file]) == text + "\n")
            }
        }
    }

    /// Returns a number that depends on the name of its field alone, so that a new field changes no other value.
    private static func number(of field: FieldRow) -> Double {
        let sum = field.name.description.utf8.reduce(0) { ($0 * 31 + Int($1)) % 8999 }
        let number = field.isCount ? Double(sum % 97 + 1) : Double(sum + 1) / 100
        return max(field.range.lowerBound, min(field.range.upperBound, number))
    }

    /// Returns a track whose points have every value, a few values, an altitude of 0, which KML tells from an unknown one, and no time.
    private static func fullTrack() -> [TrackElement] {
        var track = SampleTrack.drive(segments: 2, points: 3)
        for (place, altitude) in zip([0, 1, 2, 4, 5], [240.5, nil, 0, -0.5, 7]) {
            guard case .point(var point) = track[place] else { continue }
            point.location.altitudeMSL = altitude
            if place == 1 { point = TrackPoint(Location(coordinate: point.location.coordinate, fix: .twoD)) }
            if place == 4 { (point.location.quality, point.location.course) = (.precisionCode, -30) }
            if place == 5 { (point.location.speed, point.location.course) = (nil, 721) }
            if place == 0 {
                for field in Location.Field.allCases where point.location[field] == nil {
                    point.location[field] = Self.number(of: field.row)
                }
                point.location.quality = .differential
                point.location.received = point.location.timestamp?.advanced(by: .milliseconds(180))
                point.satellites = satellites
                point.satellites?[0].signalBand = 3
                point.satellites?[0].frequencySlot = 9
                point.satellites?[0].residual = -1.5
                point.satellites?[0].health = .bad
                point.satellites?[0].quality = 7
                point.dilution.time = 0.6
            }
            track[place] = .point(point)
        }
        return track
    }

    @Test(
        arguments: TrackFormat.allCases.map { ($0, "track.\($0.fileExtension)", false) }
            + [(.geojson, "points.geojson", true)])
    func `a track is written as in its file`(_ format: TrackFormat, name: String, pointFeatures: Bool) throws {
        var options = TrackFormat.Options(name: "Walk & more", namesStart: true, columns: .all)
        (options.usesUTC, options.pointFeatures) = (true, pointFeatures)
        try GoldenFile(name).expect(
            String(decoding: SampleTrack.written(Self.fullTrack(), as: format, options), as: UTF8.self))
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

    @Test func `gpsd's JSON repeats satellites that do not change, as those of ten seconds before do not count`() {
        let track = (0..<12).map { second -> TrackElement in
            var point = TrackPoint(MadeUpSession.moving(Double(second)))
            (point.seen, point.used) = (9, 7)
            return .point(point)
        }
        let lines = String(decoding: SampleTrack.written(track, as: .gpsd), as: UTF8.self)
            .split(whereSeparator: \.isNewline).filter { $0.hasPrefix(#"{"class":"SKY""#) }
        let times = ["08:00:00Z", "08:00:05Z", "08:00:10Z"]
        #expect(lines.count == 3 && zip(lines, times).allSatisfy { $0.contains($1) }, "\(lines)")
    }

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
        let lines = try Tool.output(of: ["gpsdecode", "-j"], input: String(decoding: bytes, as: UTF8.self))
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
        let lines = try Tool.output(
            of: ["gpsdecode", "-j"], input: String(decoding: SampleTrack.written(track, as: .nmea), as: UTF8.self))
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
