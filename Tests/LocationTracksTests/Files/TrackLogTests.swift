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
        let files = try counts(in: scratch)
        #expect(Set(log.paths) == Set(files.keys.map { scratch.path($0) }))
        return files
    }

    /// Returns the names of the files in a folder, without drafts.
    private func visibleNames(in scratch: Scratch) -> [String] { scratch.names.filter { !$0.hasPrefix(".") } }

    /// Returns the number of points in each file of a folder.
    private func counts(in scratch: Scratch) throws -> [String: Int] {
        try Dictionary(
            uniqueKeysWithValues: visibleNames(in: scratch).map { name in
                let bytes = try Data(contentsOf: URL(filePath: scratch.path(name)))
                return (name, try #require(TrackPoints.count([UInt8](bytes), .gpx)))
            })
    }

    @Test func `a log is rotated by time, and looks through its folder for its first file only`() throws {
        let scratch = try Scratch()
        let drafts = ["a.gpx", "a-2.gpx"].map { scratch.path(".\($0)-0123456789abcdef.locwatch") }
        for draft in drafts { try Data().write(to: URL(filePath: draft)) }
        let track = SampleTrack.drive(segments: 1, points: 100)
        let files = try log("a.gpx", .duration(.seconds(40)), in: scratch, track)
        // The hundred points take 105 seconds.
        #expect(files.keys.sorted() == ["a-2.gpx", "a-3.gpx", "a.gpx"])
        #expect(files.values.reduce(0, +) == 100)
        #expect(drafts.map { FileManager.default.fileExists(atPath: $0) } == [false, true])
    }

    @Test func `the files of a recording appear when they are complete, with whole lines, and replace none`() throws {
        let scratch = try Scratch()
        func log() -> TrackLog {
            TrackLog(
                scratch.path("a.geojson"), .geojson, rotation: .duration(.seconds(40)), existing: .refused,
                durability: nil)
        }
        let track = SampleTrack.drive(segments: 1, points: 100)
        let recording = log()
        for element in track.prefix(10) { try recording.process(element, now: SampleTrack.start) }
        #expect(visibleNames(in: scratch).isEmpty)
        for element in track.dropFirst(10) { try recording.process(element, now: SampleTrack.start) }
        #expect(visibleNames(in: scratch) == ["a-2.geojson", "a.geojson"])
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

    /// Returns positions at times, 50 m apart.
    private func points(_ times: [String]) -> [TrackElement] {
        times.enumerated().map { index, time in
            var location = Location(coordinate: Coordinate(latitude: 45 + Double(index) * 0.0005, longitude: 7))
            location.timestamp = Timestamp(time)
            return .point(TrackPoint(location))
        }
    }

    /// Returns the numbers of points in the files of a log by the calendar, in UTC.
    private func daily(
        _ name: String, _ period: CalendarPeriod, in scratch: Scratch, existing: TrackFile.Existing = .continued,
        beginning: String? = nil, _ times: [String]
    ) throws -> [String: Int] {
        var options = TrackFormat.Options()
        options.usesUTC = true
        let log = TrackLog(
            scratch.path(name), .gpx, options, rotation: .calendar(period), existing: existing, durability: .kill)
        if let beginning { try log.begin(at: try #require(Timestamp(beginning))) }
        for element in points(times) { try log.process(element, now: SampleTrack.start) }
        try log.finish()
        #expect(log.points == times.count)
        return try counts(in: scratch)
    }

    @Test(
        arguments: [
            (
                CalendarPeriod.day, "%Y-%m-%d.gpx",
                ["05-01T23:59:58.000Z", "05-01T23:59:59.999Z", "05-02T00:00:00.000Z", "05-04T12:00:00.000Z"],
                ["2026-05-01.gpx": 2, "2026-05-02.gpx": 1, "2026-05-04.gpx": 1]
            ),
            (
                .hour, "%Y-%m-%d-%H.gpx", ["05-01T10:59:59.000Z", "05-01T11:00:00.000Z", "05-02T11:30:00.000Z"],
                ["2026-05-01-10.gpx": 1, "2026-05-01-11.gpx": 1, "2026-05-02-11.gpx": 1]
            ),
        ] as [(CalendarPeriod, String, [String], [String: Int])])
    func `a track goes on in the file of the next day or hour`(
        period: CalendarPeriod, name: String, times: [String], files: [String: Int]
    ) throws {
        #expect(try daily(name, period, in: Scratch(), times.map { "2026-\($0)" }) == files)
    }

    @Test func `a log that is started again goes on in the file of the day`() throws {
        let scratch = try Scratch()
        _ = try daily("%d.gpx", .day, in: scratch, ["2026-05-01T10:00:00.000Z"])
        let times = ["2026-05-01T11:00:00.000Z", "2026-05-02T11:00:00.000Z"]
        #expect(try daily("%d.gpx", .day, in: scratch, times) == ["01.gpx": 2, "02.gpx": 1])
    }

    @Test func `a clock that goes back a day and on again loses no point`() throws {
        let times = [
            "2026-05-02T10:00:00.000Z", "2026-05-01T10:00:00.000Z", "2026-05-02T10:00:02.000Z",
            "2026-05-02T10:00:03.000Z",
        ]
        #expect(try daily("%d.gpx", .day, in: Scratch(), times) == ["02.gpx": 3, "01.gpx": 1])
        let replaced = try daily("%d.gpx", .day, in: Scratch(), existing: .replaced, times)
        #expect(replaced == ["02.gpx": 1, "01.gpx": 1, "02-2.gpx": 2])
    }

    @Test func `a file that was made before the receiver told the day is removed, unless it is an older one`() throws {
        let scratch = try Scratch()
        let times = ["2026-05-02T10:00:00.000Z"]
        #expect(try daily("%d.gpx", .day, in: scratch, beginning: "1970-01-03T00:00:00.000Z", times) == ["02.gpx": 1])
        _ = try daily("%d.gpx", .day, in: scratch, ["2026-05-03T10:00:00.000Z"])
        let files = try daily("%d.gpx", .day, in: scratch, beginning: "1970-01-03T00:00:00.000Z", times)
        #expect(files == ["02.gpx": 2, "03.gpx": 1])
    }

    @Test func `a log is rotated by size`() throws {
        let track = SampleTrack.drive(segments: 1, points: 400)
        let size = SampleTrack.written(track, as: .gpx).count
        let files = try log("b", .size(size / 4), in: Scratch(), track)
        #expect(files.count == 5)
        #expect(files.values.reduce(0, +) == 400)
    }

    // MARK: started again

    /// Logs a track on top of the files in a folder, as a program that is started again; returns the names of the files.
    private func resume(
        _ name: String, _ rotation: TrackRotation, as format: TrackFormat = .gpx, in scratch: Scratch,
        _ track: some Sequence<TrackElement>
    ) throws -> [String] {
        var options = TrackFormat.Options()
        options.usesUTC = true
        let log = TrackLog(scratch.path(name), format, options, rotation: rotation, durability: .kill)
        for element in track { try log.process(element, now: SampleTrack.start) }
        try log.finish()
        return log.paths.map { URL(filePath: $0).lastPathComponent }
    }

    @Test(arguments: ["log.gpx", "log-%Y-%m-%d.gpx", "log"])
    func `a log by size that is started again goes on in its newest file, and opens no older one`(name: String) throws {
        let scratch = try Scratch()
        let track = SampleTrack.drive(segments: 1, points: 200)
        let first = try resume(name, .size(6000), in: scratch, track.prefix(140))
        #expect(first.count > 3 && Set(first).count == first.count)
        // Older files can be removed while the log is not running.
        try FileManager.default.removeItem(atPath: scratch.path(first[0]))
        let kept = first.dropFirst().dropLast()
        let before = try kept.map { try scratch.text($0) }
        let again = try resume(name, .size(6000), in: scratch, track.dropFirst(140))
        #expect(again.first == first.last && again.count > 1)
        #expect(Set(again).isDisjoint(with: first.dropLast()))
        #expect(try kept.map { try scratch.text($0) } == before)
    }

    @Test(arguments: TrackFormat.allCases)
    func `a log by time that is started again divides its track as one that goes on`(_ format: TrackFormat) throws {
        let track = SampleTrack.drive(segments: 1, points: 100)
        func counts(_ parts: [ArraySlice<TrackElement>]) throws -> [String: Int] {
            let scratch = try Scratch()
            for part in parts { _ = try resume("a.log", .duration(.seconds(40)), as: format, in: scratch, part) }
            return try Dictionary(
                uniqueKeysWithValues: visibleNames(in: scratch).map { name in
                    let bytes = try Data(contentsOf: URL(filePath: scratch.path(name)))
                    return (name, try #require(TrackPoints.count([UInt8](bytes), format)))
                })
        }
        let whole = try counts([track[...]])
        #expect(whole.count == 3)
        #expect(try counts([track[..<20], track[20..<30], track[30..<60], track[60...]]) == whole)
    }

    @Test func `a name that returns a month later has a new file, and that one is continued`() throws {
        let scratch = try Scratch()
        _ = try daily("%d.gpx", .day, in: scratch, ["2026-05-01T10:00:00.000Z"])
        let month = try daily("%d.gpx", .day, in: scratch, ["2026-06-01T10:00:00.000Z"])
        #expect(month == ["01.gpx": 1, "01-2.gpx": 1])
        let again = try daily("%d.gpx", .day, in: scratch, ["2026-06-01T11:00:00.000Z"])
        #expect(again == ["01.gpx": 1, "01-2.gpx": 2])
    }

    @Test func `a log whose clock goes back and on again opens no older file either`() throws {
        let times = ["2026-05-02T10:00:00Z", "2026-05-02T10:00:01Z", "2026-05-01T10:00:00Z", "2026-05-02T10:00:02Z"]
        let names = try resume("%d.gpx", .size(1), in: Scratch(), points(times))
        #expect(names == ["02.gpx", "02-2.gpx", "01.gpx", "02-3.gpx"])
    }

    @Test
    func
        `a numbered file that another program has written is followed by a new one, and files of other names do not count`()
        throws
    {
        let scratch = try Scratch()
        for name in ["a-7.gpx", "a-09.gpx", "a-2026-05-01.gpx", "a-x.gpx", "ba-12.gpx", "a-13.csv"] {
            try scratch.write("<gpx/>", to: name)
        }
        let names = try resume("a.gpx", .size(100_000), in: scratch, points(["2026-05-02T10:00:00Z"]))
        #expect(names == ["a-8.gpx"])
        #expect(try scratch.text("a-7.gpx") == "<gpx/>")
    }

    @Test func `a file is named after the time of its first point`() throws {
        setenv("TZ", "UTC", 1)
        tzset()
        let track = SampleTrack.drive(segments: 1, points: 3)
        let files = try log("%Y-%m-%d_%H%M%S.gpx", nil, in: Scratch(), track)
        #expect(files == ["2026-11-20_080001.gpx": 3])
    }

    @Test(arguments: [
        ("a.gpx", "a-2.gpx"), ("a", "a-2"), ("x.y/a", "x.y/a-2"), (".gpx", ".gpx-2"), ("a.b.c", "a.b-2.c"),
    ])
    func `the number of a file is inserted before its extension`(_ path: String, _ numbered: String) {
        #expect(TrackLog.path(path, with: "2") == numbered)
    }

    @Test(arguments: [(0, "1970-01-01"), (-1, "1969-12-31"), (-1_000_000_000, "1969-12-31")])
    func `times before 1970 have correct names`(_ nanoseconds: Int64, _ date: String) {
        #expect(LocalTimeText.formatted(Timestamp(nanosecondsSince1970: nanoseconds), "%F", inUTC: true) == date)
    }
}
