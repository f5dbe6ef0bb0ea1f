import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

/// The distance of a file of the state.
@Suite struct KeptDistanceTests {
    private static let path = "odometer"
    private static let time = SampleTrack.start

    /// Returns the reading with which another program goes on, after this one has ended.
    private func reading(in disk: DiskContent) throws -> OdometerReading {
        let restarted = SimulatedDisk()
        if let bytes = disk.bytes(Self.path) { restarted.put(bytes, at: Self.path) }
        return try KeptStateFile(Self.path, in: restarted).beginning.odometer
    }

    @Test func `a file has the sum exactly, and the time of its epoch`() throws {
        let scratch = try Scratch()
        let path = scratch.path("boat.odometer")
        let sums = [0.1, 1234.567890123, 1e12, 6_371_008.7714]
        for sum in sums {
            let file = try KeptStateFile(path)
            try file.write(KeptState(odometer: OdometerReading(metres: sum, time: Self.time)))
        }
        #expect(try KeptStateFile(path).beginning.odometer == OdometerReading(metres: 6_371_008.7714, time: Self.time))
        #expect(scratch.names == ["boat.odometer"])
        let text = try scratch.text("boat.odometer")
        #expect(text.hasPrefix(#"{"schema":"locwatch-state/1","metres":6371008.7714,"time":"2026-"#), "\(text)")
    }

    @Test func `a power cut at any byte leaves one of the last two readings`() throws {
        let disk = SimulatedDisk()
        let file = try KeptStateFile(Self.path, in: disk)
        for sum in 1...20 {
            try file.write(KeptState(odometer: OdometerReading(metres: Double(sum) * 1.1, time: Self.time)))
            disk.acknowledge(sum)
        }
        var content = DiskContent()
        var cuts = 0
        for step in disk.steps {
            var left = [content] + content.reordered
            if case .write(_, let bytes, _) = step { left += bytes.indices.map { content.torn(step, after: $0) } }
            for disk in left {
                let sum = try reading(in: disk).metres
                let known = Double(disk.acknowledged) * 1.1
                #expect(sum == known || sum == Double(disk.acknowledged + 1) * 1.1, "\(sum) after \(known)")
                cuts += 1
            }
            content.apply(step)
        }
        #expect(cuts > 1000 && disk.names == [Self.path])
    }

    @Test func `a second program is refused while the first one runs, and after each of its readings`() throws {
        let scratch = try Scratch()
        let path = scratch.path("o")
        var first: KeptStateFile? = try KeptStateFile(path)
        for sum in 1...5 {
            #expect(throws: TrackFileError.inUse(path: path)) { try KeptStateFile(path) }
            try first?.write(KeptState(odometer: OdometerReading(metres: Double(sum))))
        }
        #expect(throws: TrackFileError.inUse(path: path)) { try KeptStateFile(path) }
        first = nil
        #expect(try KeptStateFile(path).beginning.odometer.metres == 5)
    }

    @Test(arguments: [nil, #"{"schema":"locwatch-state/1","metres":5}"#])
    func `of programs that begin at the same time one has the file`(text: String?) async throws {
        let scratch = try Scratch()
        for attempt in 0..<20 {
            let path = scratch.path("o\(attempt)")
            if let text { _ = try scratch.write(text, to: "o\(attempt)") }
            let files = await withTaskGroup(of: KeptStateFile?.self) { group in
                for _ in 0..<4 { group.addTask { try? KeptStateFile(path) } }
                return await group.reduce(into: [KeptStateFile]()) { files, file in if let file { files.append(file) } }
            }
            #expect(files.count == 1)
        }
    }

    @Test(arguments: [
        "{}", "x", "12345", "null", "\u{0}", "{\"metres\":5}", #"{"schema":"locwatch-state/2","metres":5}"#,
        #"{"schema":"locwatch-state/1","metres":5"#, #"{"schema":"locwatch-state/1","metres":5}}"#,
        String(repeating: "[", count: 4000),
        #"<?xml version="1.0"?><gpx/>"#,
    ])
    func `another file is refused, and stays as it is`(_ text: String) throws {
        let scratch = try Scratch()
        let path = try scratch.write(text, to: "o").path
        let error = TrackFileError.foreign(path: path, cause: "it has no state that this locwatch can read")
        #expect(throws: error) { try KeptStateFile(path) }
        #expect(try scratch.text("o") == text && scratch.names == ["o"])
    }

    @Test(arguments: ["-1", "1e13", "1e999", "\"5\"", "null", "true", "[5]"])
    func `a sum that no vehicle has driven is refused`(_ sum: String) throws {
        let scratch = try Scratch()
        let path = try scratch.write(#"{"schema":"locwatch-state/1","metres":\#(sum)}"#, to: "o").path
        let error = TrackFileError.foreign(path: path, cause: "its metres are not a number from 0 to 1e12")
        #expect(throws: error) { try KeptStateFile(path) }
    }

    @Test func `a file without a sum, a time that is none, and other members do not matter`() throws {
        let scratch = try Scratch()
        #expect(try KeptStateFile(scratch.write("", to: "empty").path).beginning.odometer == OdometerReading(metres: 0))
        let text = #" {"car":"blue","time":"yesterday","metres":2500.5,"schema":"locwatch-state/1"} "#
        #expect(
            try KeptStateFile(scratch.write(text, to: "edited").path).beginning.odometer
                == OdometerReading(metres: 2500.5))
    }

    @Test func `an odometer of release 0.5 is taken over, also one that an editor has spread over lines`() throws {
        let scratch = try Scratch()
        for text in [
            #"{"schema":"locwatch-odometer/1","metres":2500.5}"# + "\n",
            "{\n  \"schema\": \"locwatch-odometer/1\",\n  \"metres\": 2500.5\n}\n",
        ] {
            let path = try scratch.write(text, to: "o").path
            #expect(try KeptStateFile(path).beginning == KeptState(odometer: OdometerReading(metres: 2500.5)))
            #expect(try scratch.text("o") == #"{"schema":"locwatch-state/1","metres":2500.5}"# + "\n")
        }
        let path = try scratch.write(#"{"schema":"locwatch-odometer/1"}"#, to: "o").path
        #expect(throws: TrackFileError.self) { try KeptStateFile(path) }
    }

    @Test func `a folder, a pipe and a folder that is not there are refused`() throws {
        let scratch = try Scratch()
        mkfifo(scratch.path("pipe"), 0o600)
        let folder = scratch.url.path
        #expect(throws: TrackFileError.foreign(path: folder, cause: "it is a folder")) { try KeptStateFile(folder) }
        let pipe = scratch.path("pipe")
        #expect(throws: TrackFileError.foreign(path: pipe, cause: "it is not a regular file")) {
            try KeptStateFile(pipe)
        }
        let path = scratch.path("none/o")
        #expect(throws: TrackFileError.system(attempt: "create", path: path, code: ENOENT)) { try KeptStateFile(path) }
    }

    @Test func `a link stays a link, and the mode of the file is kept`() throws {
        let scratch = try Scratch()
        _ = try scratch.write("", to: "o")
        chmod(scratch.path("o"), 0o640)
        symlink("o", scratch.path("link"))
        let file = try KeptStateFile(scratch.path("link"))
        try file.write(KeptState(odometer: OdometerReading(metres: 7)))
        var status = stat()
        #expect(lstat(scratch.path("link"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(scratch.path("o"), &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(try scratch.text("o").contains(#""metres":7,"#) == false)
        #expect(try scratch.text("o").contains(#""metres":7}"#))
    }

    @Test func `a file that was deleted is made again, and one that was replaced is left alone`() throws {
        let scratch = try Scratch()
        let path = scratch.path("o")
        let file = try KeptStateFile(path)
        unlink(path)
        try file.write(KeptState(odometer: OdometerReading(metres: 3)))
        #expect(try scratch.text("o").contains(#""metres":3}"#))
        let other = try scratch.write("mine", to: "other").path
        rename(other, path)
        #expect(throws: TrackFileError.foreign(path: path, cause: "another program has replaced it")) {
            try file.write(KeptState(odometer: OdometerReading(metres: 4)))
        }
        #expect(try scratch.text("o") == "mine")
    }

    @Test func `a full disk leaves the last reading, and room makes the next one`() throws {
        let disk = SimulatedDisk()
        let file = try KeptStateFile(Self.path, in: disk)
        try file.write(KeptState(odometer: OdometerReading(metres: 1, time: Self.time)))
        let before = disk.contents(Self.path)
        disk.capacity = 100
        #expect(throws: TrackFileError.system(attempt: "write", path: "disk", code: ENOSPC)) {
            try file.write(KeptState(odometer: OdometerReading(metres: 2, time: Self.time)))
        }
        #expect(disk.contents(Self.path) == before && disk.names == [Self.path])
        disk.capacity = .max
        try file.write(KeptState(odometer: OdometerReading(metres: 3, time: Self.time)))
        #expect(disk.contents(Self.path).map { String(decoding: $0, as: UTF8.self).contains(#""metres":3,"#) } == true)
    }
}
