import LocationCore
import Testing

@testable import LocationTracks

/// Tests of the tracks that are neither GPX, KML nor GeoJSON: TCX, IGC and CSV.
struct OtherTrackTests {
    private static let tcx = """
        <?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
        <Activities><Activity Sport="Running"><Lap><Track>
        <Trackpoint><Time>2026-11-20T09:00:00Z</Time><Position><LatitudeDegrees>48.2</LatitudeDegrees>
        <LongitudeDegrees>16.37</LongitudeDegrees></Position><AltitudeMeters>171.5</AltitudeMeters>
        <HeartRateBpm><Value>120</Value></HeartRateBpm>
        <Extensions><ns3:TPX><ns3:Speed>2.5</ns3:Speed></ns3:TPX></Extensions></Trackpoint>
        <Trackpoint><Time>2026-11-20T09:00:01Z</Time><HeartRateBpm><Value>121</Value></HeartRateBpm></Trackpoint>
        </Track><Track>
        <Trackpoint><Time>2026-11-20T09:00:09Z</Time><Position><LatitudeDegrees>48.21</LatitudeDegrees>
        <LongitudeDegrees>16.38</LongitudeDegrees></Position></Trackpoint>
        <Trackpoint><Position><LatitudeDegrees>99</LatitudeDegrees><LongitudeDegrees>0</LongitudeDegrees></Position>
        </Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>
        """

    private static let igc = """
        AXXX123\r
        HFDTEDATE:311225,01\r
        B2359584812345N01622345EA0017100215\r
        B0000004812400S01622400WV0017100216\r
        Bgarbage\r
        B000004481240
        """

    private static let geojson = """
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[16.37,48.2],[16.38,48.3]]}}
        """

    private static let csv = """
        time,lat,lon,alt,speed,course,eph,mode,used,device,segment,extra\r
        2026-11-20T09:00:00.000Z,48.2,16.37,171.5,1.5,90,3.5,3,9,"/dev/tty,A""CM0",1,x\r
        2026-11-20T09:00:01.000Z,48.21,16.38,,,,,2,,,2,\r
        time,lat,lon,alt,speed,course,eph,mode,used,device,segment,extra\r
        2026-11-20T09:00:02.000Z,,,,,,,,,,2,\r
        """

    /// The time and the receiver of each end of a segment.
    private func gaps(_ track: ReadTrack) -> [String] {
        track.elements.compactMap { element in
            if case .gap(let time, let device) = element { "\(time) \(device ?? "-")" } else { nil }
        }
    }

    @Test func `the points of TCX are read, and those without a position are left out`() {
        let track = ReadTrack(Self.tcx)
        #expect(track.fault == nil && track.messages.contains { $0.contains("1 point was skipped") })
        #expect(track.summary == ["1 0.0 48.2 16.37 171.5", "2 9.0 48.21 16.38 -"])
        #expect(track.points.map(\.location.speed) == [2.5, nil])
        #expect(track.points.map(\.location.fix) == [.threeD, .twoD])
    }

    @Test func `what a file has beside positions is counted by points, also of those without a position`() {
        #expect(ReadTrack(Self.tcx).leftOut == ["heart rate of 2 points"])
        let point = { (name: String, inner: String) in
            "<\(name) lat=\"48\" lon=\"16\"><time>2026-11-20T09:00:00Z</time>\(inner)</\(name)>"
        }
        let words = "<cmt>a</cmt><desc>b</desc><extensions><a><cad>80</cad></a></extensions>"
        let track = "<trk><name>t</name><trkseg>\(point("trkpt", words))</trkseg></trk>"
        let others = point("wpt", words) + "<rte><name>r</name>\(point("rtept", ""))\(point("rtept", ""))</rte>"
        #expect(
            ReadTrack(ReadTrack.gpx(others + track)).leftOut
                == ["cadence of 1 point, descriptions of 1 point, 1 waypoint, 2 points of routes"])
        #expect(ReadTrack(ReadTrack.gpx(track)).points.first?.track == SourceTrack(number: 1, name: "t"))
        #expect(ReadTrack(ReadTrack.gpx(ReadTrack.track(seconds: [0, 1]))).leftOut.isEmpty)
    }

    /// Elements of other programs can have the names of those of the point, in another namespace.
    @Test(arguments: [
        #"""
        <gpx version="1.1" xmlns:o="urn:o"><trk><trkseg><trkpt lat="45" lon="7"><ele>100</ele>
        <time>2026-11-20T09:00:00Z</time><fix>3d</fix><extensions><o:time>1999-01-01T00:00:00Z</o:time><o:ele>999</o:ele>
        <o:fix>none</o:fix><o:speed>2.5</o:speed></extensions></trkpt></trkseg></trk></gpx>
        """#,
        #"""
        <TrainingCenterDatabase xmlns:o="urn:o"><Activities><Activity><Lap><Track><Trackpoint>
        <Time>2026-11-20T09:00:00Z</Time><Position><LatitudeDegrees>45</LatitudeDegrees>
        <LongitudeDegrees>7</LongitudeDegrees></Position><AltitudeMeters>100</AltitudeMeters><Extensions>
        <o:Time>1999-01-01T00:00:00Z</o:Time><o:LatitudeDegrees>1</o:LatitudeDegrees><o:AltitudeMeters>999</o:AltitudeMeters>
        <o:Speed>2.5</o:Speed></Extensions></Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>
        """#,
    ])
    func `an extension changes nothing but the motion of its point`(text: String) {
        let track = ReadTrack(text)
        #expect(track.summary == ["1 0.0 45.0 7.0 100.0"])
        #expect(track.points.map(\.location.fix) == [.threeD] && track.points.map(\.location.speed) == [2.5])
    }

    @Test func `points of one second at different places are points of their own`() {
        let places = [
            ("00", 7.0), ("00", 7.0001), ("00", 7.0001), ("00", 7.0002), ("01", 7.0003), ("01", 7.0003), ("09", 7.0004),
            ("09", 7.0005),
        ]
        let text = places.map { second, longitude in
            "<trkpt lat=\"45\" lon=\"\(longitude)\"><time>2026-11-20T09:00:\(second)Z</time></trkpt>"
        }
        let track = ReadTrack("<gpx version=\"1.1\"><trk><trkseg>\(text.joined())</trkseg></trk></gpx>")
        #expect(track.points.map(\.location.coordinate.longitude) == [7, 7.0001, 7.0002, 7.0003, 7.0004, 7.0005])
        // They are spread over the time until the next one, or over a second.
        let seconds = ["00.000", "00.333", "00.666", "01.000", "09.000", "09.500"]
        #expect(track.points.map(\.location.timestamp) == seconds.map { Timestamp("2026-11-20T09:00:\($0)Z") })
    }

    @Test func `points of one time are spread within the fraction of a second to the next`() {
        let rows = ["00.000Z,45,7", "00.000Z,45,7.1", "00.400Z,45,7.2"].map { "2026-11-20T09:00:\($0)\n" }
        let read = ReadTrack("time,lat,lon\n" + rows.joined()).points.map(\.location.timestamp)
        #expect(read == ["00.000", "00.200", "00.400"].map { Timestamp("2026-11-20T09:00:\($0)Z") })
    }

    @Test func `receivers side by side have segments of their own`() {
        func rows(_ second: Int) -> String {
            let time = "2026-11-20T09:00:\(second < 10 ? "0" : "")\(second)Z"
            // B is silent from 5 to 14.
            let other = 5..<15 ~= second ? "" : "\(time),45.1,7.\(second),B,\(second < 5 ? 1 : 2)\n"
            return "\(time),45,7.\(second),A,1\n" + other
        }
        let track = ReadTrack("time,lat,lon,device,segment\n" + (0..<30).map(rows).joined())
        #expect(track.points.count == 50)
        #expect(gaps(track) == ["2026-11-20T09:00:05.000Z B"])
    }

    @Test func `a track that goes from one receiver to another ends the one before`() {
        let rows = [(0, "A", 1), (1, "A", 1), (2, "B", 2), (3, "B", 2), (9, "A", 3), (10, "A", 3)].map {
            "2026-11-20T09:00:\($0 < 10 ? "0" : "")\($0)Z,45,7.\($0),\($1),\($2)\n"
        }
        let track = ReadTrack("time,lat,lon,device,segment\n" + rows.joined())
        #expect(gaps(track) == ["2026-11-20T09:00:01.500Z A", "2026-11-20T09:00:04.000Z B"])
    }

    @Test func `points with equal times come before the points of another receiver that are later`() {
        let rows = ["00,7.1,A", "00,7.2,A", "00,7.3,B", "01,7.4,B", "02,7.5,B", "09,7.6,A", "09,7.7,A"].map {
            "2026-11-20T09:00:\($0.prefix(2))Z,45,\($0.dropFirst(3)),1\n"
        }
        let track = ReadTrack("time,lat,lon,device,segment\n" + rows.joined())
        let read = track.points.map {
            "\($0.location.timestamp.map(String.init) ?? "") \($0.location.coordinate.longitude)"
        }
        let times = ["00.000", "00.000", "00.500", "01.000", "02.000", "09.000", "09.500"]
        #expect(
            read
                == zip(times, ["7.1", "7.3", "7.2", "7.4", "7.5", "7.6", "7.7"]).map { "2026-11-20T09:00:\($0)Z \($1)" }
        )
    }

    @Test func `any number of points with one time is spread without reaching the next`() {
        let rows = (0..<5_000).map { "2026-11-20T09:00:00Z,45,\(7 + Double($0) / 1e4)\n" }
        let read = ReadTrack("time,lat,lon\n" + rows.joined() + "2026-11-20T09:00:01Z,45,8\n").points
        #expect(read.count == 5_001)
        let next = Timestamp("2026-11-20T09:00:01Z")
        #expect(read.dropLast().allSatisfy { $0.location.timestamp.flatMap { time in next.map { time < $0 } } == true })
    }

    @Test func `the quality of a CSV is read, and an unknown one is none`() {
        let track = ReadTrack(
            "time,lat,lon,quality\n2026-11-20T09:00:00Z,45,7,rtkFixed\n2026-11-20T09:00:01Z,45,7.1,\n"
                + "2026-11-20T09:00:02Z,45,7.2,differential\n2026-11-20T09:00:03Z,45,7.3,best\n")
        #expect(track.points.map(\.location.quality) == [.rtkFixed, .ordinary, .differential, .ordinary])
    }

    @Test func `elements of other programs are no times and positions of a KML track`() {
        let track = ReadTrack(
            Array(
                #"""
                <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" xmlns:o="urn:o">
                <Placemark><gx:Track><when>2026-11-20T09:00:00Z</when><o:when>1999-01-01T00:00:00Z</o:when>
                <when>2026-11-20T09:00:01Z</when><gx:coord>7 45 100</gx:coord><o:coord>1 1 1</o:coord>
                <gx:coord>7.1 45 100</gx:coord></gx:Track></Placemark></kml>
                """#.utf8), named: "track.kml")
        #expect(track.summary == ["1 0.0 45.0 7.0 100.0", "1 1.0 45.0 7.1 100.0"])
    }

    @Test func `the fixes of a flight record are read beyond midnight`() throws {
        let track = ReadTrack(Self.igc)
        #expect(track.fault == nil)
        let points = track.points
        #expect(
            points.map(\.location.timestamp) == [Timestamp("2025-12-31T23:59:58Z"), Timestamp("2026-01-01T00:00:00Z")])
        #expect(abs(points[0].location.coordinate.latitude - (48 + 12.345 / 60)) < 1e-9)
        #expect(abs(points[1].location.coordinate.longitude + (16 + 22.4 / 60)) < 1e-9)
        #expect(points[0].location.fix == .threeD && points[0].location.altitudeHAE == 215)
        #expect(points[1].location.fix == .twoD && points[1].location.altitudeHAE == nil)
        #expect(track.messages.contains { $0.contains("2 points were skipped") })
    }

    /// The time, the place, the validity and the heights of a fix.
    @Test(
        arguments: [
            ("B2359594812345N01622345EA0017100215", 1), ("B2359604812345N01622345EA0017100215", 1),
            ("B2400004812345N01622345EA0017100215", 0), ("B1060004812345N01622345EA0017100215", 0),
            ("B1000614812345N01622345EA0017100215", 0), ("B1000004860000N01622345EA0017100215", 0),
            ("B1000009100000N01622345EA0017100215", 0), ("B1000004812345X01622345EA0017100215", 0),
            ("B10000048123 5N01622345EA0017100215", 0), ("B1000004812345N01622345E", 0),
            ("B1000004812345N01622345EA", 1),
        ])
    func `a fix of a flight record has a time of day and a place on earth`(record: String, count: Int) {
        #expect(ReadTrack("AXXX123\nHFDTE010180\nB0959594800000N01600000EA\n\(record)\n").points.count == count + 1)
    }

    @Test(arguments: [("010180", "1980"), ("010179", "2079")])
    func `the years of a flight record are those from 1980 on`(date: String, year: String) {
        let track = ReadTrack("AXXX123\nHFDTE\(date)\nB0959594800000S01600000EA00171-0021\n")
        #expect(track.points.map(\.location.timestamp) == [Timestamp("\(year)-01-01T09:59:59Z")])
        #expect(
            track.points.map(\.location.altitudeHAE) == [-21] && track.points[0].location.coordinate.latitude == -48)
    }

    @Test func `a flight record without a date has no times`() {
        #expect(
            ReadTrack(Self.igc.replacing("HFDTEDATE", with: "HFDTEXXXX").replacing("311225", with: "none")).fault != nil
        )
    }

    @Test func `the columns of CSV are read by their names`() {
        let track = ReadTrack(Self.csv)
        #expect(track.fault == nil)
        #expect(track.summary == ["1 0.0 48.2 16.37 171.5", "2 1.0 48.21 16.38 -"])
        let locations = track.points.map(\.location)
        #expect(locations.map(\.fix) == [.threeD, .twoD] && track.points.map(\.used) == [9, nil])
        #expect(locations.map(\.speed) == [1.5, nil] && locations.map(\.course) == [90, nil])
        #expect(locations.map(\.horizontalAccuracy) == [3.5, nil])
        #expect(locations.map(\.device) == ["/dev/tty,A\"CM0", nil])
    }

    @Test(arguments: [("\"'=1+cmd\"", "=1+cmd"), ("'@a", "@a"), ("'plain'", "'plain'"), ("=1", "=1")])
    func `a name that an apostrophe keeps from being a formula is read without it`(field: String, name: String) throws {
        let text = "time,lat,lon,device\n2026-11-20T09:00:00Z,48.2,16.37,\(field)\n"
        let point = try #require(ReadTrack(text).points.first)
        #expect(point.location.device == name)
    }

    @Test(arguments: [
        "No,Latitude,Longitude,Altitude,Date,Time\n1,48.2,16.37,171.5,2026/11/20,09:00:00\n",
        "Time;Latitude;Longitude;Elevation\n2026-11-20T09:00:00Z;48.2;16.37;171.5\n",
        "timestamp\tlat\tlng\talt\n1795165200\t48.2\t16.37\t171.5\n",
        "lat,lon,alt,time\n48.2,16.37,171.5,1795165200000\n",
        "date, time, lat, lon, alt\n2026-11-20, 09:00:00, 48.2, 16.37, 171.5\n",
        "\r\n \r\ntime, latitude , longitude,\"elevation\" \r\n2026-11-20T09:00:00Z, 48.2, 16.37, 171.5\r\n",
    ])
    func `the columns of other programs are known`(text: String) {
        #expect(ReadTrack(text).summary == ["1 0.0 48.2 16.37 171.5"])
    }

    @Test func `a row that ends before its date has no time`() throws {
        let track = ReadTrack("time,lat,lon,date\n09:00:00,48.2,16.37,2026-11-20\n09:00:01,48.3,16.37\n")
        #expect(track.points.map(\.location.timestamp) == [Timestamp("2026-11-20T09:00:00Z")])
    }

    @Test(arguments: [1, 7, 4096])
    func `a field of a CSV within quotation marks can have line breaks`(pieces: Int) {
        let rows = [
            "\"a\r\nb, \"\"c\"\"\n\",1795165200,48.2,16.37", "d,1795165210,48.3,16.37", "5\" e,1795165220,48.4,16.37",
            "\"f\n\ng\",1795165230,48.5,16.37", "",
        ]
        let track = ReadTrack("name,time,lat,lon\n" + rows.joined(separator: "\n"), pieces: pieces)
        #expect(track.points.map(\.location.coordinate.latitude) == [48.2, 48.3, 48.4, 48.5])
        #expect(track.messages.isEmpty)
    }

    @Test(arguments: [0, 10, 5000])
    func `a quotation mark without an end takes no other row of a CSV with it`(following: Int) {
        let rows = (0..<following).map { "\(1_795_165_210 + $0),48.3,16.37,x\n" }.joined()
        let track = ReadTrack("time,lat,lon,name\n1795165200,48.2,16.37,\"a\n" + rows)
        #expect(track.points.count == following + 1 && track.messages.isEmpty)
        let cut = ReadTrack("time,lat,lon,name\n1795165200,48.2,16.37,a\n" + rows + "1795166200,48.2,16.37,\"a")
        #expect(cut.points.count == following + 2)
    }

    @Test(arguments: ["\"ok\"", "ok", "5\"", "\"\"", "ok\",\"ok"])
    func `a quotation mark without an end takes no row with it, whatever a later field contains`(later: String) {
        func count(_ header: String, _ row: (String, String) -> String) -> Int {
            let fields = ["a", "\"open", "b", later, "\"c\"", "d", "\"open", later]
            let rows = fields.enumerated().map { row("179516520\($0),48.2,16.37", $1) }
            return ReadTrack(header + "\n" + rows.joined(separator: "\n") + "\n").points.count
        }
        #expect(count("time,lat,lon,name") { "\($0),\($1)" } == 8)
        // Such a mark before the position hides it.
        #expect(count("name,time,lat,lon") { "\($1),\($0)" } >= 4)
    }

    @Test(arguments: [";", "\t"])
    func `numbers of a CSV have a decimal comma where commas separate no fields`(separator: String) {
        let rows = ["time,lat,lon,speed", "2026-11-20T09:00:00Z,48.25,16.5,1.5", "2026-11-20T09:00:01Z,-48.5,16.25,2"]
        let text = rows.joined(separator: "\n").replacing(",", with: separator).replacing(".", with: ",")
        let read = ReadTrack(text + "\n").points
        #expect(read.map(\.location.coordinate.latitude) == [48.25, -48.5] && read.map(\.location.speed) == [1.5, 2])
    }

    @Test(arguments: [tcx, igc, csv, "\u{FEFF}" + csv, "\u{FEFF}" + geojson])
    func `the pieces do not matter`(text: String) {
        let whole = ReadTrack(text, speed: 1)
        #expect(whole.fault == nil && !whole.points.isEmpty)
        for size in [1, 2, 3, 4, 7, 64] { #expect(ReadTrack(text, speed: 1, pieces: size).elements == whole.elements) }
    }

    @Test(arguments: [igc, csv])
    func `a line of any length takes bounded memory and is left out`(text: String) {
        let endless = text + "\n" + String(repeating: "B,", count: 100_000) + "\n"
        #expect(ReadTrack(endless).points == ReadTrack(text).points)
    }
}
