import Foundation
import LocationCore
import Synchronization
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct TrackFileTests {
    /// A short track with a gap.
    static let track = SampleTrack.drive(segments: 2, points: 4)

    static func file(
        _ format: TrackFormat, on disk: SimulatedDisk, _ existing: TrackFile.Existing = .continued,
        pointFeatures: Bool = false
    ) throws(TrackFileError) -> TrackFile {
        try TrackFile("t", format, .init(pointFeatures: pointFeatures), existing, .powerCut, disk)
    }

    /// Returns the latitudes of the points in a file, or `nil` if this package does not read the format as a track.
    private static func latitudes(_ bytes: [UInt8], _ format: TrackFormat) -> [Double]? {
        let read = ReadTrack(bytes, named: "t.\(format.fileExtension)")
        return read.fault == nil ? read.points.map(\.location.coordinate.latitude) : nil
    }

    @Test(arguments: TrackOracle.all.map(\.format).map { ($0, false) } + [(.geojson, true)])
    func `a file that is cut off anywhere in a write has each acknowledged point once when it is opened again`(
        _ format: TrackFormat, _ pointFeatures: Bool
    ) throws {
        let disk = SimulatedDisk()
        let file = try Self.file(format, on: disk, pointFeatures: pointFeatures)
        // The first point of a file and of a segment, one after another of its segment, and a gap.
        for element in SampleTrack.drive(segments: 2, points: 2).dropLast() {
            try file.process(element)
            disk.acknowledge(file.points)
        }
        try file.finish()
        let written = try #require(disk.contents("t"))
        let final = Self.latitudes(written, format)

        var faults: [String] = []
        func check(_ left: DiskContent, _ place: @autoclosure () -> String, isTorn: Bool) throws {
            // There is no file until the first draft is placed.
            guard let bytes = left.bytes("t") else { return }
            if !isTorn, TrackPoints.count(bytes, format).map({ $0 < left.acknowledged }) ?? true {
                faults.append("\(place()): not complete: \(String(decoding: bytes, as: UTF8.self))")
            }
            let reopened = SimulatedDisk()
            reopened.put(bytes, at: "t")
            try Self.file(format, on: reopened, pointFeatures: pointFeatures).finish()
            let whole = try #require(reopened.contents("t"))
            let count = TrackPoints.count(whole, format) ?? -1
            if !(left.acknowledged...left.acknowledged + 1 ~= count) {
                faults.append("\(place()): \(count) of \(left.acknowledged) points")
            }
            let found = Self.latitudes(whole, format) ?? []
            if let final, !final.starts(with: found) {
                faults.append("\(place()): other points: \(String(decoding: whole, as: UTF8.self))")
            }
        }
        var cut = DiskContent()
        var (seen, isCut) = (0, false)
        for (index, step) in disk.steps.enumerated() {
            if case .write(_, let bytes, _) = step {
                // Every third byte, from another one on in each write, so that each kind of word is cut everywhere.
                for count in stride(from: index % 3, to: bytes.count, by: 3) {
                    try check(cut.torn(step, after: count), "step \(index), byte \(count)", isTorn: true)
                    seen += 1
                }
            }
            cut.apply(step)
            switch step {
            case .truncate: isCut = true
            case .write: isCut = false
            default: break
            }
            try check(cut, "after step \(index)", isTorn: isCut)
            for other in cut.reordered { try check(other, "step \(index), reordered", isTorn: true) }
        }
        #expect(seen > 100)
        #expect(faults.isEmpty, "\(faults.count) faults, the first: \(faults.first ?? "")")
        #expect(TrackPoints.count(written, format) == 3)
    }

    @Test(arguments: [TrackFormat.gpx, .csv, .nmea, .gpsd])
    func `a file written point by point equals one written at once`(_ format: TrackFormat) throws {
        let disk = SimulatedDisk()
        let file = try Self.file(format, on: disk)
        for element in Self.track { try file.process(element) }
        try file.finish()
        #expect(try #require(disk.contents("t")) == SampleTrack.written(Self.track, as: format))
    }

    @Test(arguments: [TrackFormat.kml, .geojson])
    func `a file of lines written point by point has each point once, also when it is resumed`(
        _ format: TrackFormat
    ) throws {
        let track = SampleTrack.drive(segments: 3, points: 70)
        let disk = SimulatedDisk()
        var file = try Self.file(format, on: disk)
        var written = 0
        for element in track {
            if case .gap = element {
                try file.finish()
                file = try Self.file(format, on: disk)
            }
            try file.process(element)
            if case .point = element { written += 1 }
            let bytes = try #require(disk.contents("t"))
            #expect(TrackPoints.count(bytes, format) == written)
            #expect(bytes.count == file.size)
        }
        try file.finish()
        let read = ReadTrack(try #require(disk.contents("t")), named: "t.\(format.fileExtension)")
        #expect(read.points.map(\.location.timestamp) == SampleTrack.points(track).map(\.location.timestamp))
        #expect(read.segments == SampleTrack.segments(track))
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

    @Test(arguments: TrackFormat.allCases)
    func `a point takes one write, which has no point before it again`(_ format: TrackFormat) throws {
        let disk = SimulatedDisk()
        let file = try Self.file(format, on: disk)
        let steps = disk.steps.count
        let track = SampleTrack.drive(segments: 1, points: 200)
        for element in track { try file.process(element) }
        let writes = disk.steps[steps...].compactMap { step in
            if case .write(_, let bytes, _) = step { bytes.count } else { nil }
        }
        #expect(writes.count == 200)
        #expect(writes.reduce(0, +) < 2 * file.size)
    }

    @Test(arguments: TrackOracle.all.map(\.format))
    func `a full disk is an error and leaves every written point`(_ format: TrackFormat) throws {
        let disk = SimulatedDisk()
        let track = SampleTrack.drive(segments: 3, points: 40)
        var taken = 0
        var failure: TrackFileError?
        do {
            let file = try Self.file(format, on: disk)
            disk.capacity = SampleTrack.written(track, as: format).count / 2
            for element in track {
                try file.process(element)
                taken = file.points
            }
        } catch {
            failure = error
        }
        #expect(failure?.isFull == true)
        #expect(taken > 5 && taken < 120)
        #expect(TrackPoints.count(try #require(disk.contents("t")), format) == taken)
        #expect(disk.names == ["t"])
    }

    @Test(arguments: TrackOracle.all.map(\.format))
    func `the file of a killed writer is resumed with a new segment`(_ format: TrackFormat) throws {
        let disk = SimulatedDisk()
        do {
            let killed = try Self.file(format, on: disk)
            for element in Self.track { try killed.process(element) }
        }
        // The writer was killed within a line, or within the trailer.
        let left = try #require(disk.contents("t"))
        let oracle = try TrackOracle.of(format)
        disk.put(oracle.pointEnd == nil ? left + Array("{\"cl".utf8) : left.dropLast(3), at: "t")
        let file = try Self.file(format, on: disk)
        let more = SampleTrack.points(SampleTrack.drive(segments: 1, points: 3, seed: 77))
        for point in more { try file.process(.point(point)) }
        try file.finish()
        let bytes = try #require(disk.contents("t"))
        let scratch = try Scratch()
        let stored = try scratch.write(bytes, to: "t.\(format.fileExtension)")
        #expect(oracle.count(bytes) == 11)
        for reading in oracle.readings.filter({ $0.isWhole && $0.degrees == 0 && $0.tellsSegments && $0.tellsTimes }) {
            let found = try TrackOracle.read(stored, by: reading.reader).withoutRepeats
            #expect(found.suffix(3).map(\.latitude) == more.map(\.location.coordinate.latitude))
            // A file of gpsd's JSON is resumed without a report between the points.
            if format == .gpsd { continue }
            let segments = found.map(\.segment)
            #expect(segments.suffix(4) == [2, 3, 3, 3])
            #expect(segments == segments.sorted())
        }
    }

    @Test(arguments: TrackFormat.allCases, ["<gpx>something else</gpx>\n", "dear diary\nno line end"])
    func `a file of another program is refused and unchanged`(_ format: TrackFormat, _ text: String) {
        let disk = SimulatedDisk()
        disk.put(Array(text.utf8), at: "t")
        #expect {
            _ = try Self.file(format, on: disk)
        } throws: { error in
            if case .foreign = error as? TrackFileError { true } else { false }
        }
        #expect(disk.contents("t") == Array(text.utf8))
        #expect(disk.names == ["t"])
    }

    @Test(arguments: [TrackFormat.gpx, .kml, .geojson])
    func `a complete file with something else after its last point is refused and unchanged`(
        _ format: TrackFormat
    ) throws {
        let disk = SimulatedDisk()
        let written = SampleTrack.written(Self.track, as: format)
        let end = [TrackFormat.gpx: "</gpx>\n", .kml: "</Document>\n</kml>\n", .geojson: "\n]}\n"][format] ?? ""
        for ending in [end, String(end.dropLast())] {
            let other = format == .geojson ? "\n],\"name\":\"drive\"}\n" : "<other/>" + ending
            let edited = written.dropLast(end.utf8.count) + Array(other.utf8)
            disk.put(Array(edited), at: "t")
            #expect(throws: TrackFileError.foreign(path: "t", cause: "it does not end as a track of locwatch")) {
                _ = try Self.file(format, on: disk)
            }
            #expect(disk.contents("t") == Array(edited))
        }
    }

    @Test func `an existing file is refused or replaced as requested`() throws {
        let disk = SimulatedDisk()
        disk.put([1, 2, 3], at: "t")
        #expect(throws: TrackFileError.exists(path: "t")) { _ = try Self.file(.gpx, on: disk, .refused) }
        let file = try Self.file(.gpx, on: disk, .replaced)
        try file.finish()
        #expect(try #require(disk.contents("t")) == SampleTrack.written([], as: .gpx))
    }

    @Test func `an unfinished draft leaves nothing behind`() throws {
        let scratch = try Scratch()
        do {
            var draft = try FileReplacement(of: scratch.path("t"))
            try draft.write([1])
        }
        #expect(scratch.names.isEmpty)
    }

    @Test func `a finished file is free, even while a child is started that has its descriptor`() throws {
        let scratch = try Scratch()
        let path = scratch.path("t.csv")
        let file = try TrackFile(path, .csv)
        for element in Self.track { try file.process(element) }
        try OpenFiles.withCopies(of: path) {
            #expect(throws: TrackFileError.inUse(path: path)) { _ = try TrackFile(path, .csv) }
            try file.finish()
            try TrackFile(path, .csv).finish()
        }
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
        #expect(scratch.names == ["pipe"])
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }
}

extension Array where Element: Equatable {
    /// The elements without those that equal the one before them, as a line of KML or GeoJSON begins with the last point of the
    /// one before.
    var withoutRepeats: [Element] {
        enumerated().filter { $0.offset == 0 || $0.element != self[$0.offset - 1] }.map(\.element)
    }
}
