import Foundation
import LocationCore
@testable import LocationTracks
import TestSupport
import Testing

/// Tests that no file makes the reader open another one, grow, hang or trap.
struct HostileTrackTests {
    /// A limit that is reached sooner than that of the program.
    private static let memory = 1 << 20
    private static let point = ReadTrack.track(seconds: [0])

    private let collector = PointCollector(times: TimelessPoints(speed: 1, start: .now), isInOrder: false) { _ in }

    /// The texts of `src` are read.
    @Test(arguments: [
        ("<a/>", false), ("<a></a>", false), ("<src>\n</src>", false),
        ("<src>\n\n\n\n\n\n\n\n\n\n\n\n</src>", false),
        ("<ele>100.0</ele>", true), ("<src>7.1,45.1 \n</src>", true),
    ])
    func `millions of elements and lines without content are an error`(_ element: String, _ isAccepted: Bool) throws {
        let parser = try XMLParser(XMLTrackReader(collector), work: 3000)
        func read(_ text: String) throws {
            let bytes = Array(text.utf8)
            _ = try bytes.withUnsafeBytes { try parser.read($0) }
        }
        // A few of them are accepted in any track.
        try read("<gpx>" + String(repeating: element, count: 100))
        let rest = { try read(String(repeating: element, count: 2000)) }
        if isAccepted { return try rest() }
        let fault = #expect(throws: LocationError.self) { try rest() }
        #expect(fault?.description.contains("millions of elements without content") == true)
    }

    @Test func `a missing libexpat is named with its package`() {
        let missing = LocationError.libraryMissing(name: "libexpat-none.so.1", package: "libexpat1", path: "")
        #expect(throws: missing) { try XMLParser(XMLTrackReader(collector), soname: "libexpat-none.so.1") }
        #expect(
            missing.description
                == "cannot read the track : it needs libexpat-none.so.1, which is in the package libexpat1")
    }

    @Test(
        arguments: [
            #"<!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/passwd">]>"#,
            #"<!DOCTYPE gpx [<!ENTITY % x SYSTEM "http://192.0.2.1/x.dtd"> %x;]>"#,
            #"<!DOCTYPE gpx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>"#,
            #"<!DOCTYPE gpx PUBLIC "x" "y" [<!ENTITY a "b">]>"#, #"<!DOCTYPE gpx [<!ATTLIST trkpt lat CDATA "1">]>"#,
        ], ["<name>&x;&c;</name>", ""])
    func `a document that declares an entity or an attribute is refused`(_ prolog: String, _ name: String) {
        let track = ReadTrack(ReadTrack.gpx(name + Self.point, prolog: prolog))
        #expect(track.points.isEmpty)
        #expect(track.fault?.contains("it declares an entity or an attribute") == true, "\(track.fault as Any)")
    }

    @Test func `thousands of default attributes cost no time`() {
        let attributes = (0..<3000).map { "a\($0) CDATA 'x'" }.joined(separator: " ")
        let document = ReadTrack.gpx(
            String(repeating: "<a/>", count: 300_000), prolog: "<!DOCTYPE gpx [<!ATTLIST a \(attributes)>]>")
        let time = threadTime {
            let track = ReadTrack(document)
            #expect(track.points.isEmpty && track.fault != nil)
        }
        #expect(time < .seconds(1), "without the limit it takes seconds")
    }

    @Test func `a document type without entities is accepted, and no other file is read`() {
        let prolog = #"<!DOCTYPE gpx SYSTEM "file:///dev/zero">"#
        #expect(ReadTrack(ReadTrack.gpx(Self.point, prolog: prolog)).points.count == 1)
    }

    @Test func `predefined entities and character references are read`() throws {
        let text =
            "<gpx creator='locwatch'><trk><src>a&amp;&#x62;&lt;&#99;</src>"
            + ReadTrack.track(seconds: [0]).replacing("<trk>", with: "") + "</gpx>"
        #expect(try #require(ReadTrack(text).points.first).location.device == "a&b<c")
    }

    @Test func `endless nesting, in a point and outside of it, and endless names end in an error`() {
        let nesting = String(repeating: "<a>", count: 50_000)
        let points = String(repeating: "<trk><trkseg><trkpt lat='1' lon='1'>", count: 20_000)
        for endless in [nesting, points, (0..<40_000).map { "<a\($0)/>" }.joined()] {
            let track = ReadTrack("<gpx>" + endless, memory: Self.memory)
            #expect(track.points.isEmpty)
            #expect(track.fault?.contains("needs more than 1 MB") == true, "\(track.fault as Any)")
        }
    }

    @Test(arguments: [
        "<gpx><trk a='", "<gpx><trk><!--", "<gpx><trk><?x ", "<gpx><", "<gpx x", "<?xml version='1.0' encoding='",
    ])
    func `an endless token ends in an error`(_ start: String) {
        let track = ReadTrack(
            Array(start.utf8) + [UInt8](repeating: 0x61, count: 2_000_000), pieces: 65_536, memory: Self.memory)
        #expect(track.fault?.contains("needs more than 1 MB") == true, "\(track.fault as Any)")
    }

    @Test func `endless texts do not fill the memory`() {
        let long = String(repeating: "7", count: 300_000)
        for field in ["time", "ele", "speed", "name", "sat"] {
            let text = ReadTrack.gpx(
                "<trk><trkseg><trkpt lat='1' lon='1'><time>2026-11-20T09:00:00Z</time><\(field)>7\n\(long)</\(field)></trkpt></trkseg></trk>"
            )
            let track = ReadTrack(text)
            #expect(track.points.count == 1 && track.points.first?.location.speed == nil)
            #expect(track.points.first?.location.altitudeMSL == nil && track.points.first?.used == nil)
        }
        let kml =
            "<kml><Placemark><LineString><coordinates>\(long) 1,2 \(long),3</coordinates></LineString></Placemark></kml>"
        #expect(ReadTrack(kml, speed: 1).points.map(\.location.coordinate.latitude) == [2])
        let json = "{\"type\":\"Point\",\"\(long)\":\"\(long)\",\"coordinates\":[1,2],\"x\":\(long)}"
        #expect(ReadTrack(json, named: "x.geojson", speed: 1).points.count == 1)
    }

    @Test func `a torn line of a table gives no position`() {
        let torn = "the track is not complete: the file ends before the end of it"
        let table = "time,lat,lon,alt\n2026-11-20T09:00:00Z,45,7.6869,240\n2026-11-20T09:00:01Z,45,7."
        let track = ReadTrack(table, named: "x.csv")
        #expect(track.points.map(\.location.coordinate.longitude) == [7.6869])
        #expect(track.messages == [torn])
        // A line without an end is whole if it has all fields, or as many as the shortest one before it.
        for rest in ["6869,240", "6869\n", "6869,"] {
            let track = ReadTrack(table + rest, named: "x.csv")
            #expect(track.points.map(\.location.coordinate.longitude) == [7.6869, 7.6869], "\(rest)")
            #expect(track.messages.isEmpty, "\(rest)")
        }
        // locwatch itself ends every line with a return.
        for (rest, count) in [("", 1), ("6869", 1), ("6869\r", 2), ("6869\r\n", 2)] {
            let own = "time,lat,lon\r\n2026-11-20T09:00:00Z,45,7.6869\r\n2026-11-20T09:00:01Z,45,7.\(rest)"
            let track = ReadTrack(own, named: "x.csv")
            #expect(
                track.points.map(\.location.coordinate.longitude) == Array(repeating: 7.6869, count: count), "\(rest)")
            #expect(track.messages == (count == 1 ? [torn] : []), "\(rest)")
        }
        let short = ReadTrack("lat,lon,name\n1,2\n3,4", named: "x.csv", speed: 1)
        #expect(short.points.map(\.location.coordinate.longitude) == [2, 4])
    }

    @Test func `a torn file gives the points before its end`() {
        let text = ReadTrack.gpx(ReadTrack.track(seconds: [0, 1, 2]))
        let whole = text.utf8.count
        for length in stride(from: 0, through: whole - 1, by: 7) {
            let track = ReadTrack(Array(text.utf8.prefix(length)))
            if track.points.isEmpty {
                #expect(track.fault != nil)
            } else {
                #expect(track.fault == nil)
                #expect(track.messages.last == "the track is not complete: the file ends before the end of it")
            }
        }
        #expect(ReadTrack(Array(text.utf8.prefix(whole - 9))).points.count == 3)
        let geojson = SampleTrack.written(SampleTrack.drive(), as: .geojson, .init(pointFeatures: true))
        let torn = ReadTrack(Array(geojson.prefix(geojson.count / 2)), named: "x")
        #expect(torn.points.count == 59 && torn.messages.count == 1)
    }

    @Test func `damage in the middle is an error with its line, after the points before it`() {
        let text = ReadTrack.gpx(ReadTrack.track(seconds: [0]) + "\n\n<trk></gpx>")
        let track = ReadTrack(text)
        #expect(track.points.count == 1)
        #expect(track.fault == "line 3: the XML is damaged: mismatched tag")
    }

    @Test func `UTF-16, marks and old encodings are read`() throws {
        let text = ReadTrack.gpx("<metadata><name>Ä</name></metadata>" + Self.point, prolog: "")
        func check(_ bytes: [UInt8], _ name: Comment) {
            let track = ReadTrack(bytes)
            #expect(track.points.count == 1 && track.fault == nil, name)
        }
        let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        check([0xFF, 0xFE] + little, "little endian")
        check([0xFE, 0xFF] + big, "big endian")
        check([0xEF, 0xBB, 0xBF] + Array(text.utf8), "mark of UTF-8")
        check([0x20, 0x0A] + Array(text.utf8), "spaces before the first element")
        for encoding in ["ISO-8859-1", "windows-1252", "ISO-8859-15", "cp1251", "KOI8-R"] {
            let declared = "<?xml version='1.0' encoding='\(encoding)'?>"
            check(Array(declared.utf8) + text.unicodeScalars.map { UInt8($0.value) }, "\(encoding)")
        }
        // Latin letters in a file that says nothing of its encoding, and an encoding that is not known.
        #expect(ReadTrack(text.unicodeScalars.map { UInt8($0.value) }).fault?.contains("invalid token") == true)
        #expect(ReadTrack("<?xml version='1.0' encoding='EBCDIC-X'?>" + text).fault?.contains("encoding") == true)
        let geojson = [0xEF, 0xBB, 0xBF] + Array(#"{"type":"Point","coordinates":[1,2]}"#.utf8)
        #expect(ReadTrack(geojson, speed: 1).points.count == 1)
    }

    @Test(arguments: ["html", "svg", "osm", "gpxx"])
    func `another document is refused by the name of its first element`(_ name: String) {
        let fault = ReadTrack("<\(name)><body>502 Bad Gateway</body></\(name)>").fault
        #expect(fault == "it is XML, but neither GPX, KML nor TCX: its first element is \(name)")
    }

    @Test(arguments: [
        ("<gpx><name>&laugh;</name></gpx>", "undefined entity"), ("<gpx/><gpx/>", "junk after document element"),
        (#"{"type":"Feature",}"#, "expected the name of a member"),
        (#"{"type" "Feature"}"#, "a comma or an end is missing"),
        (#"{"type":"Feature"]"#, "a bracket is closed that is not open"),
        (#"{"features":[1 2]}"#, "a comma or an end is missing"),
        (#"{"type":"Feature\x"}"#, "an unknown escape in a string"),
        (#"{type:"Feature"}"#, "expected the name of a member"),
        ("{\"coordinates\":[[1,2],[}", "a bracket is closed that is not open"),
        (#"{"type":"Feature","a":"\uZZZZ"}"#, "an unknown escape in a string"),
        (#"{"features":[,]}"#, "an unexpected character"),
    ])
    func `damage is an error with its line and its kind`(_ text: String, _ damage: String) {
        let isJSON = text.hasPrefix("{")
        let track = ReadTrack(text, named: isJSON ? "x.geojson" : "x.gpx")
        #expect(track.fault == "line 1: the \(isJSON ? "JSON" : "XML") is damaged: \(damage)")
    }

    @Test func `the escapes of JSON are characters, also those outside the basic plane`() throws {
        let text =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"#
            + #""properties":{"time":"2026-03-15T10:00:00\u005A","a":"\ud83d","device":"\u00e9\ud83d\ude80\ud83d-\ude80"#
            + String(repeating: #"\u0416"#, count: 40) + #""}}"#
        let location = try #require(ReadTrack(text, named: "x.geojson").points.first).location
        #expect(location.timestamp == Timestamp("2026-03-15T10:00:00Z"))
        // A text has the length of its characters, and half a character in another one changes nothing.
        #expect(location.device == "é🚀-\u{FFFD}" + String(repeating: "Ж", count: 40))
    }

    @Test func `JSON that is nested too deeply is an error`() {
        func fault(_ levels: Int) -> String? {
            let deep = #"{"type":"Feature","a":"# + String(repeating: "[", count: levels - 1)
            return ReadTrack(deep, named: "x.geojson").fault
        }
        #expect(fault(64)?.contains("levels") == false)
        for levels in [65, 1_000_000] {
            #expect(fault(levels) == "line 1: the JSON is damaged: it is nested more than 64 levels deep")
        }
    }

    @Test(
        arguments: [
            (#"{"type":"LineString","coordinates":{}}"#, .fault("there is no point in it")),
            (#"{"type":"Point","coordinates":[[1,2],[3]]}"#, .point(skipped: 1)),
            (#"{"type":"LineString","coordinates":[[],[[]],["a","b"],[1e999,2]]}"#, .fault(notInRange)),
            (#"{"type":7,"features":{}}"#, .fault("there is no point in it")),
            (#"{"type":"Feature","properties":[],"geometry":[]}"#, .fault("there is no point in it")),
            (#"{"type":"Polygon","coordinates":[[[1,2],[3,4]]]}"#, .fault("there is no point in it")),
            (
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"#
                    + #""properties":{"mode":1e99,"segment":-1e99,"nSat":1e30,"status":1e9}}"#,
                .point(skipped: 0)
            ),
            (#"{"features":null} 7 "x" true [] {}"#, .fault("there is no point in it")),
        ] as [(String, Shapeless)])
    func `GeoJSON of the wrong shape has the points that can be read, or a fault`(_ text: String, _ result: Shapeless) {
        let track = ReadTrack(text, named: "x.geojson", speed: 1)
        switch result {
        case .fault(let words): #expect(track.fault == words && track.points.isEmpty && track.messages.isEmpty)
        case .point(let skipped):
            #expect(track.summary == ["1 0.0 2.0 1.0 -"] && track.fault == nil)
            #expect(track.points.first?.location.fix == .twoD && track.points.first?.used == nil)
            #expect(track.messages == (skipped == 0 ? [] : ["1 point was skipped: \(Self.notInRange)"]))
        }
    }

    private static let notInRange = "its longitude and latitude are not numbers in range"

    /// What is read of GeoJSON of the wrong shape.
    enum Shapeless {
        case fault(String)
        /// The point at longitude 1 and latitude 2.
        case point(skipped: Int)
    }

    /// Returns the fault of a text that a reader finds, if it finds one.
    private func fault(of text: String, _ reader: some TrackFormatReader) -> String? {
        let bytes = Array(text.utf8)
        do { _ = try bytes.withUnsafeBytes { try reader.read($0) } } catch { return "\(error)" }
        return nil
    }

    @Test(arguments: [
        ("{\"type\":\"Polygon\",\"coordinates\":[", "[1,2],"),
        ("{\"type\":\"Feature\",\"properties\":{\"times\":[", "null,"),
    ])
    func `a feature with too many points or times is an error`(start: String, element: String) {
        func result(_ count: Int) -> String? {
            fault(of: start + String(repeating: element, count: count), GeoJSONReader(collector, limit: 1000))
        }
        #expect(result(1000) == nil)
        #expect(result(1001) == "cannot read the track : line 1: a line has more than 1000 points; cut it into several")
    }

    @Test func `a long line has all of its points, and so has the line after it`() {
        // More than are emitted at a time, and more than a piece of the file has.
        let line = (0..<9_000).map { "[\(Double($0) / 1e4),2]" }.joined(separator: ",")
        let text = [line, "[7,8],[8,9]"].map { "{\"type\":\"LineString\",\"coordinates\":[\($0)]}\n" }.joined()
        #expect(ReadTrack(text, named: "x.geojson", speed: 1).points.count == 9_002)
    }

    @Test(arguments: [
        ("<coord>1 2</coord>", 50, "positions that precede their times"),
        ("<when/>", 1000, "times that precede their positions"),
    ])
    func `positions or times of a gx:Track that wait for endless others are an error`(
        element: String, limit: Int, found: String
    ) throws {
        func result(_ count: Int) throws -> String? {
            let reader = XMLTrackReader(collector, limit: (1000, 50))
            let text = "<kml><Placemark><Track>" + String(repeating: element, count: count)
            return fault(of: text, try XMLParser(reader))
        }
        #expect(try result(limit) == nil)
        #expect(try result(limit + 1)?.hasSuffix("a gx:Track has more than \(limit) \(found)") == true)
    }

    @Test func `the limits of a line and of a gx:Track are those of the manual`() throws {
        let manual = URL(filePath: #filePath).appending(path: "../../../../Manual/limits.txt").standardizedFileURL
        let text = try String(contentsOf: manual, encoding: .utf8)
        let sentence = /A line of GeoJSON or a gx:Track of KML may have ([0-9,]+) points\./
        let points = Int(try #require(text.firstMatch(of: sentence)).1.filter(\.isNumber))
        #expect(points == GeoJSONReader.limit && points == XMLTrackReader.limit.times)
        #expect(XMLTrackReader.limit.places == 50_000)
    }
}
