import LocationCore
@testable import LocationTracks
import TestSupport
import Testing

struct TrackReaderTests {
    @Test func `a dilution of 0 is unknown`() {
        let text = ReadTrack.gpx(
            "<trk><trkseg><trkpt lat='48' lon='16'><time>2026-11-20T09:00:00Z</time><hdop>0</hdop><vdop>0.0</vdop>"
                + "<pdop>1.5</pdop></trkpt></trkseg></trk>")
        let dilution = ReadTrack(text).points.first?.dilution
        #expect(dilution?.horizontal == nil && dilution?.vertical == nil && dilution?.position == 1.5)
    }

    @Test func `every value of a GPX point is read`() {
        let point = #"""
            <trk><src>/dev/ttyACM0</src><trkseg><trkpt lat="-48.5" lon="-180"><ele>-3.25</ele><time>2026-11-20T09:00:00.25Z</time>
            <magvar>2.5</magvar><geoidheight>48.25</geoidheight><fix>dgps</fix><sat>9</sat><hdop>0.75</hdop><vdop>1.5</vdop>
            <pdop>1.75</pdop><ageofdgpsdata>3</ageofdgpsdata><dgpsid>120</dgpsid><extensions><a:x><a:speed>1.25</a:speed>
            <a:course>0</a:course></a:x></extensions></trkpt></trkseg></trk>
            """#
        var location = Location(
            coordinate: Coordinate(latitude: -48.5, longitude: -180), fix: .threeD,
            timestamp: ReadTrack.start.advanced(by: .milliseconds(250)), altitudeMSL: -3.25, speed: 1.25, course: 0)
        (location.quality, location.magneticVariation, location.geoidSeparation) = (.differential, 2.5, 48.25)
        (location[.dgpsAge], location[count: .dgpsStation]) = (3, 120)
        var dilution = DilutionOfPrecision()
        (dilution.horizontal, dilution.vertical, dilution.position) = (0.75, 1.5, 1.75)
        for (creator, device) in [("locwatch 0.2", "/dev/ttyACM0"), ("other", nil)] {
            location.device = device
            var expected = TrackPoint(location, seen: nil, used: 9, dilution: dilution)
            expected.track = SourceTrack(number: 1)
            #expect(ReadTrack("<gpx creator=\"\(creator)\">\(point)</gpx>").points == [expected])
        }
    }

    @Test(arguments: [
        ("<ele>1</ele>", FixKind.threeD), ("", .twoD), ("<ele>1</ele><fix>2d</fix>", .twoD),
        ("<fix>2d</fix><ele>1</ele>", .twoD),
        ("<fix>3d</fix>", .threeD), ("<fix>none</fix>", FixKind.none), ("<fix>quantum</fix>", .twoD),
        ("<fix>pps</fix>", .threeD),
    ])
    func `the fix is the one named, else it follows from the altitude`(_ elements: String, _ fix: FixKind) {
        let track = ReadTrack(
            ReadTrack.gpx(
                "<trk><trkseg><trkpt lat='1' lon='2'><time>2026-11-20T09:00:00Z</time>\(elements)</trkpt></trkseg></trk>"
            ))
        #expect(track.points.map(\.location.fix) == [fix])
    }

    @Test func `a point that cannot be read is skipped and counted`() {
        let bad = [
            "lat='91' lon='1'", "lat='nan' lon='1'", "lat='0x10' lon='1'", "lat='1'", "", "lat='1e999' lon='1'",
            "lat='' lon=''", "lat='1,5' lon='2'",
        ].map { "<trkpt \($0)><time>2026-11-20T09:00:00Z</time></trkpt>" }.joined()
        let track = ReadTrack(ReadTrack.gpx("<trk><trkseg>\n\(bad)</trkseg></trk>" + ReadTrack.track(seconds: [0, 1])))
        #expect(track.points.count == 2)
        #expect(
            track.messages
                == ["8 points were skipped: line 2: its latitude and longitude are not numbers in range"])
        #expect(
            ReadTrack(ReadTrack.gpx("<trk><trkseg>\(bad)</trkseg></trk>")).fault
                == "line 1: its latitude and longitude are not numbers in range")
    }

    @Test func `points without a time between others are skipped and counted, or get a time by the speed`() {
        let text = ReadTrack.gpx(
            "<trk><trkseg><trkpt lat='47' lon='16'/><trkpt lat='48' lon='16'><time>2026-11-20T09:00:00Z</time></trkpt>"
                + "<trkpt lat='48' lon='16.0001'><time>yesterday</time></trkpt></trkseg><trkseg><trkpt lat='48' lon='16.1'/>"
                + "<trkpt lat='48.1' lon='16'><time>2026-11-20T09:01:00Z</time></trkpt></trkseg></trk>")
        let without = ReadTrack(text)
        #expect(without.points.count == 2 && without.segments == [1, 2])
        #expect(without.messages == ["3 points without a valid time were skipped"])
        let with = ReadTrack(text, speed: 1000)
        #expect(with.points.count == 5 && with.messages.isEmpty)
        #expect(with.points.allSatisfy { $0.location.timestamp != nil })
    }

    @Test func `a file without a time is an error that counts its points`() {
        let text = ReadTrack.gpx("<trk><trkseg><trkpt lat='48' lon='16'/><trkpt lat='48' lon='16'/></trkseg></trk>")
        #expect(ReadTrack(text).fault == "none of its 2 points has a valid time")
        let kml = "<kml><Placemark><LineString><coordinates>1,2,0\n3,4,0</coordinates></LineString></Placemark></kml>"
        #expect(ReadTrack(kml).fault == "none of its 2 points has a valid time")
        #expect(ReadTrack(kml, speed: 1).points.map(\.location.fix) == [.twoD, .twoD])
        let geojson = #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#
        #expect(ReadTrack(geojson).fault == "none of its 2 points has a valid time")
        #expect(ReadTrack(geojson, speed: 1).points.count == 2)
        #expect(ReadTrack("<gpx/>").fault == "there is no point in it")
    }

    @Test func `a speed moves at that speed, and never gives two points one time`() {
        let text = ReadTrack.gpx(
            "<trk><trkseg><trkpt lat='0' lon='0'/><trkpt lat='0' lon='0'/><trkpt lat='0' lon='1'/></trkseg></trk>")
        let times = ReadTrack(text, speed: 111_319.49).points.compactMap(\.location.timestamp)
        #expect(times.map { ($0.since(ReadTrack.start) / .milliseconds(1)).rounded() } == [0, 1, 1001])
        // The far ends of the earth at the least speed.
        let far = ReadTrack.gpx("<trk><trkseg><trkpt lat='-90' lon='0'/><trkpt lat='90' lon='0'/></trkseg></trk>")
        #expect(ReadTrack(far, speed: .leastNonzeroMagnitude).points.count == 2)
    }

    @Test func `a gap lies before a segment, unless it begins in the past as that of a late point does`() {
        let track = ReadTrack(
            ReadTrack.gpx(
                ReadTrack.track(seconds: [0, 1]) + ReadTrack.track(seconds: [60]) + ReadTrack.track(seconds: [5])))
        let gaps = track.elements.compactMap {
            if case .gap(let time, _) = $0 { time.since(ReadTrack.start) } else { nil }
        }
        #expect(gaps == [.seconds(2)])
    }

    @Test func `KML pairs times and positions in their order, and ignores what is left over`() {
        let kml = """
            <kml><Placemark><gx:Track><when>2026-11-20T09:00:00Z</when><gx:coord>1 2 3</gx:coord><when/><gx:coord>1 3 3</gx:coord>
            <when>2026-11-20T09:00:02Z</when><gx:coord>x y</gx:coord><when>2026-11-20T09:00:03Z</when><gx:coord>1 4 0</gx:coord>
            <when>2026-11-20T09:00:09Z</when></gx:Track><gx:Track><when>2026-11-20T09:01:00Z</when><gx:coord>1 5 3</gx:coord>
            </gx:Track></Placemark></kml>
            """
        let track = ReadTrack(kml)
        #expect(track.summary == ["1 0.0 2.0 1.0 3.0", "1 3.0 4.0 1.0 -", "2 60.0 5.0 1.0 3.0"])
        #expect(track.messages.count == 2)
    }

    @Test(
        arguments: [
            ("2026-11-20T09:00:00Z", 0.0), ("2026-11-20T09:00:00", 0), (" 2026-11-20 09:00:00.5 ", 0.5),
            ("2026/11/20 09:00:00+00", 0),
            ("2026-11-20T11:00:00+0200", 0), ("2026-11-20T11:00:00+02", 0), ("2026-11-20t09:00:00z", nil),
            ("2026-11-20", nil), ("", nil),
            ("2026-13-20T09:00:00Z", nil), (String(repeating: "9", count: 100), nil),
        ] as [(String, Double?)])
    func `a time can have the forms that programs write`(_ text: String, _ seconds: Double?) {
        let time = Array(text.utf8).withUnsafeBufferPointer { TrackTime.read($0) }
        #expect(time.map { $0.since(ReadTrack.start).inSeconds } == seconds)
    }

    @Test(
        arguments: [
            ("1", 1.0), ("-1.5", -1.5), ("+2", 2), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1E-3", 0.001), ("  7 ", 7),
            ("0.1000000000000000055511151231257827", 0.1), ("123456789012345678901234567890", 1.2345678901234568e29),
            ("", nil), (".", nil),
            ("-", nil), ("nan", nil), ("inf", nil), ("0x1p3", nil), ("1 2", nil), ("1e999", nil), ("--1", nil),
            ("1.2.3", nil), ("1,5", nil),
            (String(repeating: "1", count: 65), nil),
        ] as [(String, Double?)])
    func `a number is decimal`(_ text: String, _ number: Double?) {
        #expect(Array(text.utf8).withUnsafeBufferPointer { TrackNumber.read($0) } == number)
    }
}
