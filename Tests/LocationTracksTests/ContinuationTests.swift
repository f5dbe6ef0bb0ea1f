import Foundation
import LocationCore
import Testing

@testable import LocationTracks

/// A file that is continued can come from somebody else, or from a version that wrote another way.
struct ContinuationTests {
    @Test(
        arguments: [
            ("1,2026-11-20T09:00:00Z,,a\r\n", 2), ("7,,,a\r\n", 8), ("9223372036854775807,,,a\r\n", nil),
            ("999999999,,x\r\n", 1_000_000_000), ("1000000000,,x\r\n", nil), ("-4,,x\r\n", nil), ("+4,,x\r\n", nil),
            ("segment,time,received\r\n", nil), ("", nil), ("\n\n\n", nil), ("\u{0},,\n", nil),
            // A record over two lines, as earlier versions wrote one for a name with a new line.
            ("3,,2026-11-20T09:00:00Z,\"a\n9223372036854775807,x\",3\r\n", 4),
            ("3,,2026-11-20T09:00:00Z,\"a\n5,x,\"\r\n", 4), ("99999999999999999999999999,,\n", nil),
        ] as [(String, Int?)])
    func `CSV is continued in the segment after the last that can be read`(_ ending: String, _ segment: Int?) throws {
        guard var writer = CSVWriter(after: Array(ending.utf8)) else {
            #expect(segment == nil)
            return
        }
        var bytes: [UInt8] = []
        var draw = SplitMix64(seed: 1)
        writer.append(SampleTrack.point(Coordinate(latitude: 1, longitude: 2), nil, using: &draw), to: &bytes)
        let number = try #require(segment)
        #expect(bytes.starts(with: "\(number),".utf8))
    }

    @Test(
        arguments: [
            (#"{"segment":4}}"#, 5), (#"{"segment":9223372036854775807}}"#, 1), (#"{"segment":-1}}"#, 1),
            (#"{"segment":}}"#, 1), (#"{"segment":1e9}}"#, 2), ("", 1),
            (#"{"segment":3,"device":"\"segment\":8"}}"#, 4), (#"{"segment":6},{"segment":99999999999}}"#, 7),
        ] as [(String, Int)])
    func `GeoJSON is continued in the segment after the last that can be read`(_ ending: String, _ segment: Int) {
        var writer = GeoJSONWriter(pointFeatures: true).continued(after: Array(ending.utf8))
        var bytes: [UInt8] = []
        var draw = SplitMix64(seed: 1)
        writer.append(SampleTrack.point(Coordinate(latitude: 1, longitude: 2), nil, using: &draw), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self).contains("\"segment\":\(segment),"))
    }

    @Test(arguments: TrackFormat.allCases)
    func `whatever stands in a file, going on with it does not trap`(_ format: TrackFormat) throws {
        var draw = SplitMix64(seed: 4)
        let whole = SampleTrack.written(SampleTrack.drive(segments: 2, points: 4), as: format)
        for _ in 0..<200 {
            var bytes = whole
            for _ in 0..<(1 + Int(draw.uniform(0...6))) {
                let place = Int(draw.uniform(0...Double(bytes.count - 1)))
                bytes[place] = UInt8(draw.uniform(0...255))
            }
            if draw.uniform(0...1) < 0.3 { bytes.removeLast(Int(draw.uniform(0...Double(bytes.count - 1)))) }
            let scratch = try Scratch()
            let path = try scratch.write(bytes, to: "track.\(format.rawValue)")
            // A file that is not one of ours is refused, and no more.
            guard let file = try? TrackFile(path, format, durability: .kill) else { continue }
            for element in SampleTrack.drive(segments: 1, points: 2) { try file.take(element) }
            try file.finish()
        }
    }
}
