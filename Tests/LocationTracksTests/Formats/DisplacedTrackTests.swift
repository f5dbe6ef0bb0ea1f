import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

/// Logs whose file is moved, deleted or truncated by another program while they are written.
@Suite struct DisplacedTrackTests {
    /// Two drives without a common point.
    static let before = SampleTrack.drive(segments: 1, points: 20)
    static let after = SampleTrack.drive(segments: 1, points: 20, from: Coordinate(latitude: 50, longitude: 3), seed: 8)

    private static func points(_ path: String, _ format: TrackFormat) throws -> Int {
        let bytes = try #require(FileManager.default.contents(atPath: path))
        return try #require(TrackPoints.count([UInt8](bytes), format), "\(path) is not well-formed")
    }

    /// Returns a log with twenty points.
    private static func log(_ path: String, _ format: TrackFormat) throws -> TrackFile {
        let file = try TrackFile(path, format, durability: .kill)
        for element in before { try file.process(element) }
        return file
    }

    /// A change to the file by another program after twenty points.
    enum Displacement: String, CaseIterable, Sendable { case moved, deleted, replaced, emptied }

    /// A format with a trailer and one without; the others differ only in what a truncated file keeps.
    @Test(arguments: [TrackFormat.gpx, .csv], Displacement.allCases)
    func `a log whose file is moved, deleted, replaced or emptied continues under its name`(
        _ format: TrackFormat, displacement: Displacement
    ) throws {
        let scratch = try Scratch()
        let (path, moved) = (scratch.path("t"), scratch.path("t.1"))
        let file = try Self.log(path, format)
        switch displacement {
        case .moved: try FileManager.default.moveItem(atPath: path, toPath: moved)
        case .deleted: try FileManager.default.removeItem(atPath: path)
        case .replaced:
            try FileManager.default.moveItem(atPath: path, toPath: moved)
            _ = try scratch.write([], to: "t")
        case .emptied: #expect(truncate(path, 0) == 0)
        }
        for element in Self.after { try file.process(element) }
        try file.finish()
        #expect(try Self.points(path, format) == 20)
        let keepsOld = [.moved, .replaced].contains(displacement)
        #expect(scratch.names == (keepsOld ? ["t", "t.1"] : ["t"]))
        if keepsOld { #expect(try Self.points(moved, format) == 20) }
        if displacement == .moved { #expect(file.points == 40) }
    }

    @Test func `a log that is missing at its end is not created again`() throws {
        let scratch = try Scratch()
        let path = scratch.path("t")
        let file = try Self.log(path, .gpx)
        try FileManager.default.moveItem(atPath: path, toPath: scratch.path("t.1"))
        try file.finish()
        #expect(scratch.names == ["t.1"])
        #expect(try Self.points(scratch.path("t.1"), .gpx) == 20)
    }

    @Test func `a file of another writer that replaced a moved log is unchanged`() throws {
        let scratch = try Scratch()
        let path = scratch.path("t")
        let file = try Self.log(path, .csv)
        try FileManager.default.moveItem(atPath: path, toPath: scratch.path("t.1"))
        let other = try TrackFile(path, .csv)
        #expect(throws: TrackFileError.inUse(path: path)) { try file.process(Self.after[0]) }
        try other.finish()
    }

    @Test(arguments: TrackOracle.all.map(\.format))
    func `a log that is truncated at any byte keeps the remaining complete points`(_ format: TrackFormat) throws {
        let (track, after) = (SampleTrack.drive(segments: 3, points: 2), Self.after.prefix(3))
        let end = try TrackOracle.of(format).pointEnd
        let size = SampleTrack.written(track, as: format).count
        for length in stride(from: 0, to: size, by: size / 43) {
            let disk = SimulatedDisk()
            let file = try TrackFileTests.file(format, on: disk)
            for element in track { try file.process(element) }
            let left = Array(try #require(disk.contents("t")).prefix(length))
            disk.cutOff("t", at: length)
            for element in after { try file.process(element) }
            #expect(TrackPoints.count(try #require(disk.contents("t")), format) != nil, "cut at \(length)")
            try file.finish()
            let text = String(decoding: left, as: UTF8.self)
            let kept = end.map { text.components(separatedBy: $0).count - 1 }
            #expect(
                TrackPoints.count(try #require(disk.contents("t")), format)
                    == (kept ?? TrackPoints.count(left, format) ?? 0) + 3, "cut at \(length)")
        }
    }

    @Test(arguments: TrackOracle.all.map(\.format))
    func `a truncated log is complete after it is finished`(_ format: TrackFormat) throws {
        let scratch = try Scratch()
        let path = scratch.path("t")
        let file = try Self.log(path, format)
        #expect(truncate(path, file.size / 2) == 0)
        try file.finish()
        #expect(try Self.points(path, format) < 20)
    }

    @Test func `a log continues after a line that another program appended`() throws {
        let scratch = try Scratch()
        let path = scratch.path("t")
        let file = try Self.log(path, .csv)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("a remark\r\n".utf8))
        for element in Self.after { try file.process(element) }
        try file.finish()
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.components(separatedBy: "a remark").count == 2)
        #expect(text.components(separatedBy: "\r\n").count == 43)
    }
}
