import Foundation
import LocationCore
import Synchronization
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct TrackFileTests {
    /// A short track with a gap and a revision.
    static var track: [TrackElement] {
        var elements = SampleTrack.drive(segments: 2, points: 4)
        var draw = SplitMix64(seed: 9)
        elements.insert(
            .revision(SampleTrack.point(Coordinate(latitude: 46, longitude: 8), SampleTrack.start, using: &draw)), at: 3
        )
        return elements
    }

    static func file(
        _ format: TrackFormat, on disk: SimulatedDisk, _ existing: TrackFile.Existing = .continued, direct: Int = 500,
        pointFeatures: Bool = false
    ) throws(TrackFileError) -> TrackFile {
        // The reserve is small, so that a few points make the file grow in each of its ways.
        try TrackFile(
            "t", format, .init(pointFeatures: pointFeatures), existing, .powerCut, disk, reserve: 700, direct: direct)
    }

    @Test(arguments: TrackFormat.allCases)
    func `a power cut at any byte leaves a complete file with every acknowledged point`(
        _ format: TrackFormat
    ) throws {
        let disk = SimulatedDisk()
        let file = try Self.file(format, on: disk)
        for element in Self.track {
            try file.process(element)
            disk.acknowledge(file.points)
        }
        try file.finish()

        var cut = CutDisk()
        var seen = 0
        var faults: [String] = []
        func check(_ disk: CutDisk, _ where: @autoclosure () -> String, revising: Bool) {
            // There is no file until the first draft is placed.
            guard let bytes = disk.bytes("t") else { return }
            seen += 1
            let tail = disk.bytes("t.tail").map { TrackPoints.count($0, format) } ?? 0
            guard let points = TrackPoints.count(bytes, format), let tail else {
                faults.append("\(`where`()): not well-formed: \(String(decoding: bytes, as: UTF8.self))")
                return
            }
            if points + tail < disk.acknowledged - (revising ? 1 : 0) {
                faults.append("\(`where`()): \(points) + \(tail) of \(disk.acknowledged) points")
            }
        }
        // While the revision is written, its point can be missing.
        let revised = disk.steps.indices.filter { if case .acknowledged(3) = disk.steps[$0] { true } else { false } }
        for (index, step) in disk.steps.enumerated() {
            let revising = index > (revised.first ?? .max) && index <= (revised.dropFirst().first ?? .max)
            if case .write(_, let bytes, _) = step {
                for count in 0..<bytes.count {
                    check(cut.torn(step, after: count), "step \(index), byte \(count)", revising: revising)
                }
            }
            cut.apply(step)
            check(cut, "after step \(index)", revising: revising)
            for other in cut.reordered { check(other, "step \(index), reordered", revising: revising) }
        }
        #expect(seen > 1000)
        #expect(faults.isEmpty, "\(faults.count) faults, the first: \(faults.first ?? "")")
        let bytes = try #require(disk.contents("t"))
        #expect(try #require(TrackPoints.count(bytes, format)) >= 8)
    }

    @Test(arguments: TrackFormat.allCases)
    func `a file written point by point equals one written at once`(_ format: TrackFormat) throws {
        let disk = SimulatedDisk()
        // A GeoJSON file with a tail has more features; the next test covers it.
        let file = try Self.file(format, on: disk, direct: format == .geojson ? .max : 500)
        for element in Self.track { try file.process(element) }
        try file.finish()
        #expect(try #require(disk.contents("t")) == SampleTrack.written(Self.track, as: format))
    }

    @Test func `GeoJSON written point by point with a tail has the same points and segments`() throws {
        let disk = SimulatedDisk()
        let file = try Self.file(.geojson, on: disk)
        for element in Self.track { try file.process(element) }
        try file.finish()
        #expect(disk.contents("t.tail") == nil)
        let scratch = try Scratch()
        let live = try Oracle.read(try scratch.write(try #require(disk.contents("t")), to: "l.geojson"), by: "json")
        let whole = try Oracle.read(
            try scratch.write(SampleTrack.written(Self.track, as: .geojson), to: "w.geojson"), by: "json")
        // A feature begins with the last point of the one before.
        let joined = live.enumerated().filter { $0.offset == 0 || $0.element != live[$0.offset - 1] }.map(\.element)
        #expect(joined == whole)
    }

    @Test func `KML written point by point has each point once, also when it is resumed and revised`() throws {
        let track = SampleTrack.drive(segments: 3, points: 70)
        let disk = SimulatedDisk()
        var file = try Self.file(.kml, on: disk)
        var written = 0
        for element in track {
            if case .gap = element {
                try file.finish()
                file = try Self.file(.kml, on: disk)
            }
            try file.process(element)
            if case .point(let point) = element {
                written += 1
                if written % 7 == 0 { try file.process(.revision(point)) }
            }
            let bytes = try #require(disk.contents("t"))
            #expect(TrackPoints.count(bytes, .kml) == written)
            #expect(bytes.count - file.size <= 2 * (file.size + 4096), "the slots are of bounded size")
        }
        try file.finish()
        let bytes = try #require(disk.contents("t"))
        #expect(file.size == bytes.count)
        let read = ReadTrack(bytes, named: "t.kml")
        #expect(read.points.map(\.location.timestamp) == SampleTrack.points(track).map(\.location.timestamp))
        #expect(read.segments == SampleTrack.segments(track))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("locwatch "))
    }

    @Test(arguments: TrackFormat.allCases, [false, true])
    func `a file that is resumed after a power cut has each point once`(
        _ format: TrackFormat, _ pointFeatures: Bool
    ) throws {
        let track = SampleTrack.drive(segments: 2, points: 12)
        let latitudes = SampleTrack.points(track).map(\.location.coordinate.latitude)
        let disk = SimulatedDisk()
        let file = try Self.file(format, on: disk, pointFeatures: pointFeatures)
        for element in track {
            try file.process(element)
            disk.acknowledge(file.points)
        }
        try file.finish()
        var cut = CutDisk()
        for (index, step) in disk.steps.enumerated() {
            cut.apply(step)
            let left = SimulatedDisk()
            for (name, bytes) in cut.files { left.put(bytes, at: name) }
            let next = try Self.file(format, on: left, pointFeatures: pointFeatures)
            try next.finish()
            #expect(left.contents("t.tail") == nil)
            let bytes = try #require(left.contents("t"))
            let points = try #require(TrackPoints.count(bytes, format))
            guard format == .geojson else {
                #expect(cut.acknowledged...cut.acknowledged + 1 ~= points, "after step \(index)")
                continue
            }
            let found = try Self.latitudes(bytes)
            // A line begins with the last point of the one before.
            let once =
                pointFeatures
                ? found
                : found.enumerated().filter { $0.offset == 0 || $0.element != found[$0.offset - 1] }.map(\.element)
            #expect(once == Array(latitudes.prefix(once.count)), "after step \(index)")
            #expect(once.count >= cut.acknowledged, "after step \(index)")
        }
    }

    /// Returns the latitudes of a GeoJSON file in order.
    static func latitudes(_ bytes: [UInt8]) throws -> [Double] {
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let features = try #require(whole["features"] as? [[String: Any]])
        return try features.flatMap { feature in
            let geometry = try #require(feature["geometry"] as? [String: Any])
            let places = geometry["coordinates"]
            if let place = places as? [Double] { return [place[1]] }
            return try #require(places as? [[Double]]).map { $0[1] }
        }
    }

    /// Returns a GeoJSON file and its tail as a killed writer leaves them.
    private static func killedGeoJSON(seed: UInt64) throws -> (file: [UInt8], tail: [UInt8]) {
        let disk = SimulatedDisk()
        let file = try file(.geojson, on: disk)
        for element in SampleTrack.drive(segments: 1, points: 12, seed: seed) { try file.process(element) }
        return (try #require(disk.contents("t")), try #require(disk.contents("t.tail")))
    }

    @Test(arguments: [
        (
            TrackFileError.system(attempt: "create", path: "a/b", code: ENOENT),
            "cannot create a/b: No such file or directory"
        ),
        (.foreign(path: "a", cause: "it is a folder"), "cannot write to a: it is a folder"),
        (.exists(path: "a\u{1B}[2J"), #"a\x1b[2J already exists"#),
        (.inUse(path: "a"), "cannot write to a: another program is writing to it"),
    ])
    func `each error is a sentence, without the control characters of the path`(error: TrackFileError, sentence: String)
    {
        #expect("\(error)" == sentence)
    }

    @Test func `the tail of another GeoJSON file is refused and unchanged`() throws {
        let (one, other) = (try Self.killedGeoJSON(seed: 1), try Self.killedGeoJSON(seed: 2))
        let disk = SimulatedDisk()
        disk.put(one.file, at: "t")
        disk.put(other.tail, at: "t.tail")
        #expect(throws: TrackFileError.foreign(path: "t.tail", cause: "it belongs to another track")) {
            _ = try Self.file(.geojson, on: disk)
        }
        #expect(disk.contents("t") == one.file && disk.contents("t.tail") == other.tail)
    }

    @Test func `the tail of a missing GeoJSON file begins the new file, unless that replaces it`() throws {
        let killed = try Self.killedGeoJSON(seed: 1)
        let inTail = try Self.latitudes(killed.tail)
        for existing in [TrackFile.Existing.continued, .replaced] {
            let disk = SimulatedDisk()
            disk.put(killed.tail, at: "t.tail")
            try Self.file(.geojson, on: disk, existing).finish()
            #expect(disk.names == ["t"])
            let found = try Self.latitudes(#require(disk.contents("t")))
            #expect(found == (existing == .replaced ? [] : inTail))
        }
    }

    @Test(arguments: TrackFormat.allCases)
    func `a full disk is an error and leaves every written point`(_ format: TrackFormat) throws {
        let disk = SimulatedDisk()
        var taken = 0
        var failure: TrackFileError?
        do {
            let file = try Self.file(format, on: disk)
            disk.capacity = 9000
            for element in SampleTrack.drive(segments: 3, points: 40) {
                try file.process(element)
                taken = file.points
            }
        } catch {
            failure = error
        }
        #expect(failure?.isFull == true)
        #expect(taken > 5 && taken < 120)
        let tail = disk.contents("t.tail").map { TrackPoints.count($0, format) } ?? 0
        let bytes = try #require(disk.contents("t"))
        let points = try #require(TrackPoints.count(bytes, format)) + #require(tail)
        #expect(points >= taken)
        #expect(disk.names.filter { $0 != "t" && $0 != "t.tail" } == [])
    }

    @Test(arguments: TrackFormat.allCases)
    func `the file of a killed writer is resumed with a new segment`(_ format: TrackFormat) throws {
        let disk = SimulatedDisk()
        do {
            let killed = try Self.file(format, on: disk)
            for element in Self.track { try killed.process(element) }
        }
        // The writer was killed within a line.
        if case .lines = format.form {
            disk.put(try #require(disk.contents("t")) + Array("{\"cl".utf8), at: "t")
        }
        let file = try Self.file(format, on: disk)
        let more = SampleTrack.points(SampleTrack.drive(segments: 1, points: 3, seed: 77))
        for point in more { try file.process(.point(point)) }
        try file.finish()
        let bytes = try #require(disk.contents("t"))
        let scratch = try Scratch()
        let stored = try scratch.write(bytes, to: "t.\(format.name)")
        #expect(disk.contents("t.tail") == nil)
        switch format {
        case .gpx, .csv, .geojson:
            let reader = [.gpx: "gpxpy", .csv: "csv", .geojson: "json"][format] ?? ""
            let found = try Oracle.read(stored, by: reader)
            #expect(found.suffix(3).map(\.latitude) == more.map(\.location.coordinate.latitude))
            let segments = found.map(\.segment)
            #expect(segments.suffix(4) == [2, 3, 3, 3])
            #expect(segments == segments.sorted())
        default: #expect(TrackPoints.count(bytes, format) == 11)
        }
    }

    @Test(arguments: TrackFormat.allCases)
    func `a file of another program is refused and unchanged`(_ format: TrackFormat) {
        let disk = SimulatedDisk()
        let foreign = Array("<gpx>something else</gpx>\n".utf8)
        disk.put(foreign, at: "t")
        #expect {
            _ = try Self.file(format, on: disk)
        } throws: { error in
            if case .foreign = error as? TrackFileError { true } else { false }
        }
        #expect(disk.contents("t") == foreign)
        #expect(disk.names == ["t"])
    }

    @Test func `an existing file is refused or replaced as requested`() throws {
        let disk = SimulatedDisk()
        disk.put([1, 2, 3], at: "t")
        #expect(throws: TrackFileError.exists(path: "t")) { _ = try Self.file(.gpx, on: disk, .refused) }
        let file = try Self.file(.gpx, on: disk, .replaced)
        try file.finish()
        #expect(try #require(disk.contents("t")) == SampleTrack.written([], as: .gpx))
    }

    @Test(arguments: [TrackFormat.gpx, .geojson])
    func `an unfinished draft leaves nothing behind`(_ format: TrackFormat) throws {
        let scratch = try Scratch()
        let path = scratch.path("t")
        do {
            var draft = try FileReplacement(of: path)
            try draft.write([1])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
    }

    // A pipe instead of a device, so that a fault cannot harm the machine.
    @Test(arguments: [TrackFile.Existing.continued, .replaced])
    func `a pipe is never replaced by a file`(_ existing: TrackFile.Existing) throws {
        let scratch = try Scratch()
        let pipe = scratch.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let foreign = TrackFileError.foreign(path: pipe, cause: "it is not a regular file")
        #expect(throws: foreign) { _ = try TrackFile(pipe, .gpx, existing: existing) }
        #expect(throws: foreign) { _ = try FileReplacement(of: pipe) }
        let draft = try SystemStorage(for: pipe).draft(of: pipe)
        #expect(throws: foreign) { try draft.place(overwrites: true) }
        draft.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["pipe"])
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test func `a missing folder is an error with the system's reason`() {
        #expect {
            _ = try TrackFile("/nonexistent/t.gpx", .gpx)
        } throws: { error in
            let error = error as? TrackFileError
            return error == .system(attempt: "create", path: "/nonexistent/t.gpx", code: 2)
                && error?.reason == "No such file or directory" && error?.isFull == false
        }
    }

    @Test func `a replaced file keeps its permissions and a link stays a link`() throws {
        let scratch = try Scratch()
        let path = scratch.path("real.gpx")
        #expect(
            FileManager.default.createFile(atPath: path, contents: Data(), attributes: [.posixPermissions: 0o600]))
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link.gpx"), withDestinationPath: path)
        let file = try TrackFile(scratch.path("link.gpx"), .gpx)
        for element in Self.track { try file.process(element) }
        try file.finish()
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("link.gpx")) == path)
        #expect(try Oracle.read(path, by: "gpxpy").count == 8)
    }
}
