import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct TrackLogTests {
    private func log(
        _ name: String, _ rotation: TrackRotation?, in scratch: Scratch, _ track: [TrackElement]
    ) throws -> [String: Int] {
        let log = TrackLog(scratch.path(name), .gpx, rotation: rotation, durability: .kill)
        for element in track { try log.process(element, now: SampleTrack.start) }
        try log.finish()
        #expect(log.points == SampleTrack.points(track).count)
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
        #expect(log.paths.map { $0.dropFirst(scratch.url.path.count + 1) }.sorted() == files.sorted().map { $0[...] })
        return try Dictionary(
            uniqueKeysWithValues: files.map { ($0, try TrackOracle.read(scratch.path($0), by: "gpxpy").count) })
    }

    @Test func `a log is rotated by time and every point is in one of the files`() throws {
        let track = SampleTrack.drive(segments: 1, points: 100)
        let files = try log("a.gpx", .duration(.seconds(40)), in: Scratch(), track)
        // The hundred points take 105 seconds.
        #expect(files.keys.sorted() == ["a-2.gpx", "a-3.gpx", "a.gpx"])
        #expect(files.values.reduce(0, +) == 100)
    }

    @Test func `a log looks through its folder for its first file only`() throws {
        let scratch = try Scratch()
        let drafts = ["a.gpx", "a-2.gpx"].map { scratch.path(".\($0)-0123456789abcdef.locwatch") }
        for draft in drafts { try Data("left by a killed program".utf8).write(to: URL(filePath: draft)) }
        let log = TrackLog(scratch.path("a.gpx"), .gpx, rotation: .duration(.seconds(40)), durability: .kill)
        for element in SampleTrack.drive(segments: 1, points: 100) { try log.process(element, now: SampleTrack.start) }
        try log.finish()
        #expect(log.paths.count == 3)
        #expect(drafts.map { FileManager.default.fileExists(atPath: $0) } == [false, true])
    }

    @Test func `the files of a recording appear when they are complete, with whole lines, and replace none`() throws {
        let scratch = try Scratch()
        func log() -> TrackLog {
            TrackLog(
                scratch.path("a.geojson"), .geojson, rotation: .duration(.seconds(40)), existing: .refused,
                durability: nil)
        }
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).filter { !$0.hasPrefix(".") }.sorted()
        }
        let track = SampleTrack.drive(segments: 1, points: 100)
        let recording = log()
        for element in track.prefix(10) { try recording.process(element, now: SampleTrack.start) }
        #expect(try names().isEmpty)
        for element in track.dropFirst(10) { try recording.process(element, now: SampleTrack.start) }
        #expect(try names() == ["a-2.geojson", "a.geojson"])
        try recording.finish()
        #expect(recording.points == 100)
        for path in recording.paths {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.components(separatedBy: "LineString").count == 2)
        }
        #expect(throws: TrackFileError.exists(path: scratch.path("a.geojson"))) {
            try log().process(track[0], now: SampleTrack.start)
        }
    }

    @Test func `a log is rotated by size`() throws {
        let track = SampleTrack.drive(segments: 1, points: 400)
        let files = try log("b", .size(20_000), in: Scratch(), track)
        #expect(files.count > 1)
        #expect(files.values.reduce(0, +) == 400)
    }

    @Test func `a file is named after the time of its first point`() throws {
        setenv("TZ", "UTC", 1)
        tzset()
        let track = SampleTrack.drive(segments: 1, points: 3)
        let files = try log("%Y-%m-%d_%H%M%S.gpx", nil, in: Scratch(), track)
        let first = try #require(SampleTrack.points(track).first?.location.timestamp)
        let name = first.formatted(fractionDigits: 0).replacing("T", with: "_").replacing(":", with: "").dropLast()
        #expect(files == ["\(name).gpx": 3])
    }

    @Test(arguments: [
        ("a.gpx", "a-2.gpx"), ("a", "a-2"), ("x.y/a", "x.y/a-2"), (".gpx", ".gpx-2"), ("a.b.c", "a.b-2.c"),
    ])
    func `the number of a file is inserted before its extension`(_ path: String, _ numbered: String) {
        #expect(TrackLog.numbered(path, 2) == numbered)
    }

    @Test(arguments: [(0, "1970-01-01"), (-1, "1969-12-31"), (-1_000_000_000, "1969-12-31")])
    func `times before 1970 have correct names`(_ nanoseconds: Int64, _ date: String) {
        setenv("TZ", "UTC", 1)
        tzset()
        #expect(LocalTimeText.formatted(Timestamp(nanosecondsSince1970: nanoseconds), "%F") == date)
    }
}
