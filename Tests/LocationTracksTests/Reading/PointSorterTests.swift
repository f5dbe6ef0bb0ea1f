import LocationCore
import Testing

@testable import LocationTracks

@Suite struct PointSorterTests {
    /// Returns the points of two receivers, one track after another, and ends as `07 B`: A for ten seconds, B for twenty.
    private func described(_ track: ReadTrack) -> [String] {
        track.elements.map { element in
            switch element {
            case .point(let point): "\(seconds(point.location.timestamp)) \(point.location.device ?? "-")"
            case .gap(let time, let device): "\(seconds(time)) end of \(device ?? "-")"
            case .message(let text), .leftOut(let text): text
            }
        }
    }

    private func seconds(_ time: Timestamp?) -> Int { time.map { Int($0.since(Self.start).components.seconds) } ?? -1 }

    private static let start = Timestamp(secondsSince1970: 1_773_568_800)

    private static func time(_ second: Int) -> String { String(start.advanced(by: .seconds(second))) }

    private static let merged =
        (0..<10).flatMap { ["\($0) A", "\($0) B"] } + ["10 B", "10 end of A"] + (11..<20).map { "\($0) B" }

    private static let gpx =
        "<gpx version=\"1.1\" creator=\"locwatch\">"
        + [("A", 10), ("B", 20)].map { device, count in
            "<trk><src>\(device)</src><trkseg>"
                + (0..<count).map {
                    "<trkpt lat=\"45\" lon=\"7.\($0 + 10)\"><time>\(time($0))</time></trkpt>"
                }.joined() + "</trkseg></trk>"
        }.joined()

    private static let kml =
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document>"
        + [("A", 10), ("B", 20)].map { device, count in
            "<Placemark><ExtendedData><Data name=\"device\"><value>\(device)</value></Data></ExtendedData><gx:Track>"
                + (0..<count).map { "<when>\(time($0))</when>" }.joined()
                + (0..<count).map { "<gx:coord>7.\($0 + 10) 45 0</gx:coord>" }.joined() + "</gx:Track></Placemark>"
        }.joined()

    private static let geojson =
        "{\"type\":\"FeatureCollection\",\"features\":["
        + [("A", 10), ("B", 20)].map { device, count in
            "{\"type\":\"Feature\",\"properties\":{\"device\":\"\(device)\",\"times\":["
                + (0..<count).map { "\"\(time($0))\"" }.joined(separator: ",")
                + "]},\"geometry\":{\"type\":\"LineString\",\"coordinates\":["
                + (0..<count).map { "[7.\($0 + 10),45]" }.joined(separator: ",") + "]}}"
        }.joined(separator: ",")

    @Test(arguments: [("a.gpx", gpx + "</gpx>"), ("a.kml", kml + "</Document></kml>"), ("a.geojson", geojson + "]}")])
    func `the tracks of several receivers are read side by side`(name: String, text: String) {
        #expect(described(ReadTrack(text, named: name)) == Self.merged)
        #expect(described(ReadTrack(text, named: name, pieces: 7)) == Self.merged)
    }

    @Test func `what precedes a fault or the end of a torn file is read side by side too`() {
        let torn = ReadTrack(Self.gpx)
        #expect(Array(described(torn).prefix(Self.merged.count)) == Self.merged && torn.messages.count == 1)
        let faulty = ReadTrack(Self.gpx + "</kml>")
        #expect(described(faulty) == Self.merged && faulty.fault != nil)
        // It is found while the first line is still being emitted.
        let late = ReadTrack(Self.geojson + "]\(String(repeating: " ", count: 600_000))x", named: "a.geojson")
        #expect(described(late) == Self.merged && late.fault != nil)
    }

    @Test func `a receiver in a CSV whose times lag behind is not lost, and one that falls silent is`() {
        func rows(_ seconds: Range<Int>, silentFrom end: Int) -> String {
            seconds.map { second in
                "\(Self.time(second + 100)),45,7.1\(second),A\n"
                    + (second < end ? "\(Self.time(second + 80)),45,7.2\(second),B\n" : "")
            }.joined()
        }
        let header = "time,lat,lon,device\n"
        let gaps = described(ReadTrack(header + rows(0..<30, silentFrom: 10))).filter { $0.contains("end") }
        #expect(gaps == ["110 end of B"])
        #expect(!described(ReadTrack(header + rows(0..<30, silentFrom: 30))).contains { $0.contains("end") })
    }

    @Test func `the receivers of a CSV that report again after a common pause are not lost`() {
        func rows(_ seconds: Range<Int>, _ devices: [String], ahead: Int = 0) -> String {
            seconds.map { second in
                devices.map {
                    "\(Self.time(second + ($0 == "B" ? ahead : 0))),45,7.1\(second),\($0)\n"
                }.joined()
            }.joined()
        }
        func ends(_ rows: String...) -> [String] {
            described(ReadTrack("time,lat,lon,device\n" + rows.joined())).filter { $0.contains("end") }
        }
        let all = ["A", "B", "C"]
        #expect(ends(rows(0..<10, all), rows(30..<40, all)) == [])
        #expect(ends(rows(0..<10, all), rows(30..<40, ["C", "A"])) == ["10 end of B"])
        #expect(ends(rows(0..<10, all), rows(30..<32, ["C", "A"])) == ["10 end of B"])
        #expect(ends(rows(0..<10, ["A"]), rows(30..<40, ["B"]), rows(50..<52, ["A", "B"])) == ["10 end of A"])
        // A clock that is ahead looks like a pause.
        for ahead in [2, 30, 10_800] { #expect(ends(rows(0..<10, ["A", "B"], ahead: ahead)) == []) }
        let order = described(ReadTrack("time,lat,lon,device\n" + rows(0..<2, all) + rows(30..<33, ["B", "C"])))
        #expect(order.dropFirst(6) == ["2 end of A", "30 B", "30 C", "31 B", "31 C", "32 B", "32 C"])
    }

    private static let overlap =
        "1 segment begins before the end of the one before it, and they are read one after another"

    @Test func `segments that overlap and do not name their receivers are read one after another, with a message`() {
        let tracks = [0, 5].map { place in
            "<trk><trkseg>"
                + (0..<100).map {
                    "<trkpt lat=\"45\" lon=\"7.\(place)\($0 + 100)\"><time>\(Self.time($0))</time></trkpt>"
                }
                .joined() + "</trkseg></trk>"
        }
        let track = ReadTrack("<gpx version=\"1.1\">\(tracks.joined())</gpx>")
        #expect(track.messages == [Self.overlap] && track.points.count == 200)
    }

    @Test
    func `a CSV with one receiver after another is read in the order of its rows, with a message if they overlap`() {
        func rows(_ device: String, from start: Int) -> String {
            (0..<100).map { "\(Self.time(start + $0)),45,7.\($0 + 100),\(device)\n" }.joined()
        }
        let header = "time,lat,lon,device\n"
        let overlapping = ReadTrack(header + rows("A", from: 0) + rows("B", from: 30))
        #expect(overlapping.messages == [Self.overlap])
        #expect(
            overlapping.points.map(\.location.device) == Array(repeating: "A", count: 100)
                + Array(repeating: "B", count: 100))
        #expect(ReadTrack(header + rows("A", from: 0) + rows("B", from: 500)).messages.isEmpty)
    }

    @Test func `a track that begins with its newest point is read in the order of the times`() {
        let rows = (0..<50).reversed().map { "\(Self.time($0)),45,7.\($0 + 100)\n" }.joined()
        let track = ReadTrack("time,lat,lon\n" + rows)
        #expect(track.points.map { seconds($0.location.timestamp) } == Array(0..<50) && track.messages.isEmpty)
        let points = (0..<50).reversed().map {
            "<trkpt lat=\"45\" lon=\"7.\($0 + 100)\"><time>\(Self.time($0))</time></trkpt>"
        }
        let gpx = ReadTrack("<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", pieces: 9)
        #expect(gpx.points.map { seconds($0.location.timestamp) } == Array(0..<50))
    }

    @Test func `points beyond the limit come in the order of the file`() {
        var found: [String] = []
        let sorter = PointSorter(isInOrder: false, limit: 4) { element in
            guard case .point(let point) = element else { return found.append("end") }
            found.append("\(seconds(point.location.timestamp))\(point.location.device ?? "-")")
        }
        for (second, device) in [(0, "A"), (1, "A"), (2, "A"), (1, "B"), (2, "B"), (0, "B")] {
            let location = Location(
                coordinate: Coordinate(latitude: 1, longitude: 2),
                timestamp: Self.start.advanced(by: .seconds(second)), device: device)
            sorter.process(.point(TrackPoint(location)))
        }
        sorter.finish()
        #expect(found == ["0A", "1A", "1B", "2A", "2B", "0B"])
    }

    @Test func `a track of one receiver keeps its order and its pauses`() {
        let seconds = [0, 1, 2, 90, 91, 5, 6, 4000]
        let points = seconds.map { "\(Self.time($0)),45,7.1\($0),A\n" }.joined()
        #expect(described(ReadTrack("time,lat,lon,device\n" + points)) == seconds.map { "\($0) A" })
    }

    @Test func `times under two names are those of one list`() {
        let names = Self.geojson.replacing("\"times\":", with: "\"coordTimes\":[\"\(Self.time(99))\"],\"times\":")
        let both = Self.geojson.replacing("]},\"geometry\"", with: "],\"coordTimes\":[1,2]},\"geometry\"")
        #expect(described(ReadTrack(both + "]}", named: "a.geojson")) == Self.merged)
        // The first list counts, and does not fit.
        #expect(ReadTrack(names + "]}", named: "a.geojson").points.isEmpty)
    }
}
