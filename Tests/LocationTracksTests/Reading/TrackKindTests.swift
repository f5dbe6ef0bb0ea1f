@testable import LocationTracks
import Testing

struct TrackKindTests {
    private func recognize(_ bytes: [UInt8], _ name: String = "-") -> TrackKind.Recognition {
        bytes.withUnsafeBytes { TrackKind.recognize($0, name: name) }
    }

    @Test(arguments: [
        ("<?xml", TrackKind.Recognition.track(.xml)), (" \r\n<gpx", .track(.xml)), ("\u{FEFF}<kml", .track(.xml)),
        (#"{"class":"VERSION""#, .other), (#"{ "class" : "TPV""#, .other), ("{\"cl", .undecided), ("", .undecided),
        (" \n", .undecided),
        (#"{"type":"FeatureCollection""#, .track(.geojson)), (#"{"name":"x","features":["#, .track(.geojson)),
        (#"{"type":"LineString","coordinates""#, .track(.geojson)), (#"{"type":"#, .undecided),
        ("AXXX1\nHFDTE150326\n", .track(.igc)), ("lat,lon\n", .track(.csv)), ("\u{FEFF}lat;lon\n", .track(.csv)),
        ("lat,lon", .other), ("time,place\n1,2\n", .other), ("AXXX\nno flight\n", .other), ("A\n", .other),
        ("$GPGGA,1", .other), ("garbage", .other), ("1795161600.5: {\"class\":", .other), ("[1,2]", .other),
        ("{\"event\":\"start\",\"class\":1}\n", .other),
    ])
    func `the beginning tells the kind`(_ text: String, _ expected: TrackKind.Recognition) {
        #expect(recognize(Array(text.utf8)) == expected)
    }

    @Test func `XML in UTF-16 is known with or without a mark, and neither a mark nor a single byte tells anything`() {
        for bytes: [UInt8] in [[0xFF, 0xFE, 0x3C, 0], [0xFE, 0xFF, 0, 0x3C], [0x3C, 0], [0, 0x3C]] {
            #expect(recognize(bytes) == .track(.xml))
        }
        for bytes: [UInt8] in [[0xFE, 0xFF], [0xFF, 0xFE, 0x3C], [0xFF, 0xFE, 0x0A, 0], [0xEF, 0xBB]] {
            #expect(recognize(bytes) == .undecided)
        }
        #expect(recognize([0xFF, 0xFE, 0x0A, 0, 0x20, 0, 0x3C, 0]) == .track(.xml))
        #expect(recognize([0xFF, 0xFE, 0x68, 0, 0x65, 0]) == .other)
        for byte: UInt8 in [0xFF, 0xFE, 0xEF, 0] { #expect(recognize([byte]) == .undecided) }
        #expect(recognize([0xB5, 0x62, 1, 7]) == .other)
    }

    @Test func `the ending of the name decides about JSON that tells nothing`() {
        #expect(recognize(Array(#"{"a":1"#.utf8), "x.geojson") == .track(.geojson))
        #expect(recognize(Array(#"{"class":"TPV"}"#.utf8), "x.geojson") == .other)
        for name in ["a.geojson", "a.gpx", "a.csv"] {
            #expect(recognize(Array(#"{"class":"VERSION","release":"3.22"}"#.utf8), name) == .other)
        }
        #expect(TrackKind.isNamed(by: "a.GPX") && TrackKind.isNamed(by: "b.kml") && !TrackKind.isNamed(by: "gpx"))
    }
}
