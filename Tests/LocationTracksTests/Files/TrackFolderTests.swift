import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

/// Tracks in a folder with other users' files and links.
@Suite struct TrackFolderTests {
    static let secret = Array("not a track".utf8)

    @Test(arguments: [TrackFormat.gpx, .geojson, .csv])
    func `a track is written to the target of a link, existing or not, and the link stays`(
        _ format: TrackFormat
    ) throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("there"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: "there/first")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("there/first"), withDestinationPath: "real")
        for existing in [TrackFile.Existing.continued, .continued, .replaced] {
            let file = try TrackFile(scratch.path("link"), format, existing: existing)
            for element in TrackFileTests.track { try file.process(element) }
            try file.finish()
            #expect(scratch.names == ["link", "there"])
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: scratch.path("there")).sorted()
                    == ["first", "real"])
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("link")) == "there/first")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("there/first")) == "real")
        var draft = try FileReplacement(of: scratch.path("link"))
        try draft.write([1])
        try draft.finish()
        #expect(FileManager.default.contents(atPath: scratch.path("there/real")) == Data([1]))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make a link that belongs to another user"))
    func `another user's link in a sticky, world-writable folder is not followed`() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("all"), withIntermediateDirectories: true)
        #expect(chmod(scratch.path("all"), 0o1777) == 0)
        let link = scratch.path("all/t.gpx")
        let victim = try scratch.write([], to: "victim")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: victim)
        #expect(lchown(link, 12_345, 12_345) == 0)
        let foreign = TrackFileError.foreign(path: link, cause: "it is a symbolic link")
        #expect(throws: foreign) { _ = try TrackFile(link, .gpx) }
        #expect(throws: foreign) { _ = try FileReplacement(of: link) }
        #expect(FileManager.default.contents(atPath: victim) == Data())
        // The user's own link is followed.
        #expect(lchown(link, geteuid(), getegid()) == 0)
        try TrackFile(link, .gpx).finish()
        #expect(try TrackOracle.read(victim, by: "gpxpy").isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make a file that belongs to another user"))
    func `another user's file in a sticky, world-writable folder gives its mode and its owner to no file of root`()
        throws
    {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("all"), withIntermediateDirectories: true)
        let path = scratch.path("all/t")
        for (folder, isTaken) in [(mode_t(0o1777), false), (0o1755, true), (0o777, true)] {
            _ = try scratch.write(Self.secret, to: "all/t")
            #expect(chmod(path, 0o646) == 0 && chown(path, 12_345, 12_345) == 0)
            #expect(chmod(scratch.path("all"), folder) == 0)
            try FileReplacement(of: path).finish()
            var status = stat()
            #expect(stat(path, &status) == 0)
            #expect((status.st_uid == 12_345) == isTaken, "in a folder of the mode \(folder)")
            #expect((status.st_mode & 0o002 != 0) == isTaken, "in a folder of the mode \(folder)")
        }
    }

    private static let kind = FileReplacement.ReplacedKind("a note", beginningWith: "note:")

    @Test(arguments: ["", "note:", "note: of today"])
    func `a file that is empty or of its own kind is replaced, and so is one that is missing`(text: String) throws {
        let scratch = try Scratch()
        for path in [try scratch.write(Array(text.utf8), to: "t"), scratch.path("missing")] {
            try FileReplacement.check(path, is: Self.kind)
            var draft = try FileReplacement(of: path, only: Self.kind)
            try draft.write(Array("note: new".utf8))
            try draft.finish()
            #expect(FileManager.default.contents(atPath: path) == Data("note: new".utf8))
        }
    }

    @Test(arguments: ["note", "ssh-ed25519 AAAA", " note:"])
    func `a file of another kind is not replaced, also at the end of a link`(text: String) throws {
        let scratch = try Scratch()
        let path = try scratch.write(Array(text.utf8), to: "t")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: "t")
        for name in [path, scratch.path("link")] {
            let foreign = TrackFileError.foreign(path: name, cause: "it is not empty, and not a note")
            #expect(throws: foreign) { try FileReplacement.check(name, is: Self.kind) }
            #expect(throws: foreign) { _ = try FileReplacement(of: name, only: Self.kind) }
        }
        #expect(scratch.names == ["link", "t"] && FileManager.default.contents(atPath: path) == Data(text.utf8))
    }

    @Test func `links that form a cycle are an error`() throws {
        let scratch = try Scratch()
        try FileManager.default.createSymbolicLink(atPath: scratch.path("a"), withDestinationPath: "b")
        try FileManager.default.createSymbolicLink(atPath: scratch.path("b"), withDestinationPath: "a")
        let foreign = TrackFileError.foreign(path: scratch.path("a"), cause: "it is a symbolic link")
        #expect(throws: foreign) { _ = try TrackFile(scratch.path("a"), .gpx) }
        #expect(throws: foreign) { _ = try FileReplacement(of: scratch.path("a")) }
    }

    @Test func `an error names the file as the user gave it`() throws {
        let scratch = try Scratch()
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: "missing/file")
        let missing = TrackFileError.system(attempt: "create", path: scratch.path("link"), code: ENOENT)
        #expect(throws: missing) { _ = try TrackFile(scratch.path("link"), .gpx) }
        #expect(throws: missing) { _ = try FileReplacement(of: scratch.path("link")) }
    }

    @Test func `only the drafts that a killed writer left are removed`() throws {
        let scratch = try Scratch()
        let path = scratch.path("t.gpx")
        let written = try FileReplacement(of: path)
        try #require(scratch.names.count == 1)
        let draft = scratch.names[0]
        #expect(draft.hasPrefix(".t.gpx"))
        // A draft with another random part that no program has locked.
        let random = String(draft.dropFirst(".t.gpx-".count).prefix(16))
        let stale = draft.replacing(random, with: "0123456789abcdef")
        let others = [
            draft.replacing("t.gpx", with: "u.gpx"), draft.replacing(random, with: "0123456789abcdeg"),
            ".t.gpx-backup.locwatch",
        ]
        for name in [stale] + others { _ = try scratch.write(Self.secret, to: name) }
        let link = draft.replacing(random, with: "fedcba9876543210")
        try FileManager.default.createSymbolicLink(atPath: scratch.path(link), withDestinationPath: others[0])
        let file = try TrackFile(path, .gpx)
        #expect(scratch.names == ([draft, link, "t.gpx"] + others).sorted())
        try file.finish()
        try written.finish()
    }

    @Test func `a long name has room for a draft`() throws {
        let scratch = try Scratch()
        let path = scratch.path(String(repeating: "ü", count: 125) + ".gpx")
        let file = try TrackFile(path, .gpx)
        for element in TrackFileTests.track { try file.process(element) }
        try file.finish()
        #expect(try TrackOracle.read(path, by: "gpxpy").count == 8)
    }

    /// Returns the permissions of the files in a folder.
    private func modes(in scratch: Scratch) throws -> [Int?] {
        try scratch.names.map { name in
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path(name))
            return attributes[.posixPermissions] as? Int
        }
    }

    @Test func `a draft of a private file is private from its creation`() throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.secret, to: "t.gpx")
        #expect(chmod(path, 0o600) == 0)
        let draft = try FileReplacement(of: path)
        #expect(try modes(in: scratch) == [0o600, 0o600])
        try draft.finish()
    }

    @Test func `a file that replaces a private one is private`() throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.secret, to: "t.gpx")
        #expect(chmod(path, 0o600) == 0)
        try FileReplacement(of: path).finish()
        #expect(try modes(in: scratch) == [0o600])
    }

    /// A format with a trailer and one without; the lock is that of the file.
    @Test(arguments: [TrackFormat.gpx, .csv])
    func `a second writer is refused and the first one's points are unchanged`(_ format: TrackFormat) throws {
        let scratch = try Scratch()
        let path = scratch.path("t")
        let first = try TrackFile(path, format, durability: .kill)
        for element in TrackFileTests.track.dropLast() { try first.process(element) }
        for existing in [TrackFile.Existing.continued, .replaced] {
            #expect(throws: TrackFileError.inUse(path: path)) { _ = try TrackFile(path, format, existing: existing) }
        }
        #expect(throws: TrackFileError.inUse(path: path)) { _ = try FileReplacement(of: path) }
        try first.process(#require(TrackFileTests.track.last))
        try first.finish()
        let bytes = try #require(FileManager.default.contents(atPath: path))
        #expect(TrackPoints.count([UInt8](bytes), format) == 8)
        #expect(scratch.names == ["t"])
    }

    @Test func `exactly one of several writers that begin at once gets the file`() async throws {
        let scratch = try Scratch()
        let path = scratch.path("t")
        for _ in 0..<20 {
            let begun = await withTaskGroup(of: Begun.self) { group in
                for _ in 0..<4 {
                    group.addTask { Begun(result: Result { try TrackFile(path, .gpx, durability: .kill) }) }
                }
                return await group.reduce(into: []) { $0.append($1.result) }
            }
            #expect(begun.count { if case .success = $0 { true } else { false } } == 1)
            for case .failure(let error) in begun { #expect(error as? TrackFileError == .inUse(path: path)) }
            #expect(scratch.names == ["t"])
            for case .success(let file) in begun { try file.finish() }
            try FileManager.default.removeItem(atPath: path)
        }
    }

    // Unchecked, because the task that opened the file does not use it after returning it.
    private struct Begun: @unchecked Sendable {
        let result: Result<TrackFile, any Error>
    }
}
