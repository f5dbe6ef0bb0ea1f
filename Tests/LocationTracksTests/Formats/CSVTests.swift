import LocationCore
import GPSDProtocol
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct CSVTests {
    private func lines(_ bytes: [UInt8], _ end: String = "\r\n") -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: end).map(String.init)
    }

    @Test func `times have three decimals in every row`() {
        var draw = SplitMix64(seed: 2)
        let place = Coordinate(latitude: 1, longitude: 2)
        let track = [0, 200_000_000, 1_000_000_000, 1_999_999_999, 3_000_001_000].map { (nanoseconds: Int64) in
            var point = SampleTrack.point(
                place, SampleTrack.start.advanced(by: .nanoseconds(nanoseconds)), using: &draw)
            point.location.received = point.location.timestamp
            return TrackElement.point(point)
        }
        let bytes = SampleTrack.written(track, as: .csv, .init(columns: CSVColumns(["time", "received"])))
        #expect(
            String(decoding: bytes, as: UTF8.self) == "time,received\r\n"
                + ["00.000", "00.200", "01.000", "01.999", "03.000"].map { second in
                    let time = "2026-11-20T08:00:\(second)Z"
                    return "\(time),\(time)\r\n"
                }.joined())
    }

    @Test func `a row of CSV has the judgement of its position, and the error against a point`() throws {
        let place = Coordinate(latitude: 1, longitude: 2)
        var point = TrackPoint(Location(coordinate: place, altitudeMSL: 7))
        let columns = try #require(
            CSVColumns(["stationary", "integrity", "error", "errorEast", "errorNorth", "errorUp", "alt"]))
        func row() -> String { lines(SampleTrack.written([.point(point)], as: .csv, .init(columns: columns)))[1] }
        #expect(row() == ",,,,,,7")
        (point.isStationary, point.verdict) = (true, .suspect)
        point.error = ReferencePoint(place, height: 5).error(of: point.location)
        #expect(row() == "1,suspect,0,0,0,2,7")
    }

    @Test(arguments: DilutionOfPrecision.Field.allCases)
    func `each known field is in its column, however many fields beside it are unknown`(
        _ known: DilutionOfPrecision.Field
    ) {
        var point = TrackPoint(Location(coordinate: Coordinate(latitude: 1, longitude: 2)))
        point.dilution[known] = 4.5
        point.location[.depth] = 12
        let rows = lines(SampleTrack.written([.point(point)], as: .csv, .init(columns: .all)))
        var fields: [Substring: Substring] = [:]
        let (names, texts) = (
            rows[0].split(separator: ","), rows[1].split(separator: ",", omittingEmptySubsequences: false)
        )
        #expect(names.count == texts.count)
        for (name, text) in zip(names, texts) where !text.isEmpty { fields[name] = text }
        let name = Substring(known.row.name.description)
        #expect(fields == ["lat": "1", "lon": "2", "mode": "3", "segment": "1", "depth": "12", name: "4.5"])
    }

    @Test(arguments: [TrackFormat.csv, .geojson, .gpsd], [142.5, nil])
    func `a heading is read again, also beside an unknown course`(_ format: TrackFormat, course: Double?) throws {
        var location = Location(
            coordinate: Coordinate(latitude: 1, longitude: 2), timestamp: SampleTrack.start, course: course)
        location.altitudeMSL = 7
        (location.heading, location.headingMagnetic, location.pitch, location.roll) = (244.25, 241, -1.5, 3)
        location.rateOfTurn = -12
        var options = TrackFormat.Options(columns: .all)
        options.pointFeatures = true
        let bytes = SampleTrack.written([.point(TrackPoint(location))], as: format, options)
        var read = ReadTrack(bytes, named: "x.\(format.fileExtension)").points.first?.location
        if format == .gpsd {
            var decoder = ReportDecoder()
            for line in lines(bytes, "\n") {
                guard case .tpv(let report) = try decoder.decode(line) else { continue }
                read = report.position.map { Location(report, at: $0) }
            }
        }
        #expect(read?.attitude == location.attitude && read?.course == course, "\(lines(bytes, "\n"))")
    }

    /// Loggers of phones call the course of the receiver a heading.
    @Test func `a heading in the table of another program is its course`() {
        func location(_ header: String, _ row: String) -> Location? {
            ReadTrack(Array("\(header)\n\(row)\n".utf8), named: "x.csv").points.first?.location
        }
        let alone = location("time,latitude,longitude,Heading", "2026-11-20T08:00:00Z,1,2,142.5")
        #expect(alone?.course == 142.5 && alone?.heading == nil)
        let both = location("time,latitude,longitude,heading,course", "2026-11-20T08:00:00Z,1,2,142.5,140")
        #expect(both?.course == 140 && both?.heading == 142.5)
    }

    @Test func `GPSBabel finds the speed, the course and the dilutions`() throws {
        let scratch = try Scratch()
        let track = SampleTrack.drive(segments: 1, points: 5)
        let file = try scratch.write(SampleTrack.written(track, as: .csv), to: "drive.csv")
        let gpx = try Tool.output(
            of: ["gpsbabel", "-t", "-i", "unicsv", "-f", file, "-o", "gpx,gpxver=1.0", "-F", "-"])
        func values(_ name: String) -> [Double] {
            gpx.matches(of: /<([a-z]+)>([-0-9.]+)</).compactMap { $0.1 == name ? Double($0.2) : nil }
        }
        let points = SampleTrack.points(track).map(\.location)
        #expect(zip(values("speed"), points).allSatisfy { abs($0 - ($1.speed ?? .nan)) < 1e-5 })
        #expect(zip(values("course"), points).allSatisfy { abs($0 - ($1.course ?? .nan)) < 1e-5 })
        #expect(values("speed").count == 5 && values("course").count == 5)
        #expect(values("hdop") == Array(repeating: 0.9, count: 5))
    }

    private static func file(_ disk: SimulatedDisk, _ columns: CSVColumns? = nil) throws(TrackFileError) -> TrackFile {
        try TrackFile("t", .csv, .init(columns: columns), .continued, .kill, disk)
    }

    @Test(arguments: [
        (["lat", "segment", "device", "lon"], #"1,SEGMENT,"a,""b""",2"#),
        (["lon", "device", "segment"], #"2,"a,""b""",SEGMENT"#), (["mode", "lat"], "3,1"),
    ])
    func `a resumed file keeps its own columns`(_ names: [String], row: String) throws {
        let disk = SimulatedDisk()
        let columns = try #require(CSVColumns(names))
        let place = Coordinate(latitude: 1, longitude: 2)
        let point = TrackElement.point(TrackPoint(Location(coordinate: place, fix: .threeD, device: #"a,"b""#)))
        for chosen in [columns, nil, columns] {
            let file = try Self.file(disk, chosen)
            for _ in 0..<2 { try file.process(point) }
            try file.finish()
        }
        let rows = [1, 1, 2, 2, 3, 3].map { row.replacing("SEGMENT", with: "\($0)") }
        #expect(lines(try #require(disk.contents("t"))) == [names.joined(separator: ",")] + rows)
    }

    @Test(
        arguments: [
            ("lat,lon\r\n1,2\r\n", CSVColumns.standard, "its columns are lat,lon"),
            // An earlier version had other columns.
            (
                "segment,time,received,device,mode,status,lat,lon,track\r\n1,,,,3,1,45,7,\r\n", nil,
                "it does not begin with columns that this program writes"
            ),
        ] as [(String, CSVColumns?, String)])
    func `a file with other columns is refused and unchanged`(
        text: String, columns: CSVColumns?, cause: String
    ) throws {
        let disk = SimulatedDisk()
        disk.put(Array(text.utf8), at: "t")
        #expect(throws: TrackFileError.foreign(path: "t", cause: cause)) { _ = try Self.file(disk, columns) }
        #expect(disk.contents("t") == Array(text.utf8))
    }
}
