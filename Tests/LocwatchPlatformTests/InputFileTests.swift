import Foundation
import Glibc
import LocwatchPlatform
import TestSupport
import Testing

@Suite struct InputFileTests {
    private let scratch: Scratch
    private var path: String { scratch.path("file") }

    init() throws {
        scratch = try Scratch()
        try scratch.write("own", to: "file")
        try #require(chmod(path, 0o644) == 0)
    }

    private func text(_ file: InputFile) throws -> String {
        String(decoding: try file.read(limit: 100), as: UTF8.self)
    }

    @Test func `a file that takes the place of the opened one is neither read nor asked for its rights`() throws {
        try scratch.write("other", to: "other")
        #expect(chmod(scratch.path("other"), 0o666) == 0)
        let own = try InputFile(path)
        #expect(rename(scratch.path("other"), path) == 0)
        #expect(own.otherWriter == nil)
        #expect(try text(own) == "own")

        let other = try InputFile(path)
        #expect(unlink(path) == 0)
        try scratch.write("own", to: "file")
        #expect(other.otherWriter == .rights && !other.isPrivate)
    }

    @Test(
        arguments: [
            (0o755, false), (0o757, true), (0o777, true), (0o1777, false), (0o1775, false),
        ] as [(mode_t, Bool)])
    func `a file can be replaced where others can write in its folder, unless it is sticky`(
        mode: mode_t, isReplaceable: Bool
    ) throws {
        try FileManager.default.createDirectory(
            at: scratch.url.appending(path: "folder"), withIntermediateDirectories: false)
        try scratch.write("own", to: "folder/file")
        #expect(chmod(scratch.path("folder/file"), 0o644) == 0)
        #expect(symlink("folder/file", scratch.path("link")) == 0)
        #expect(chmod(scratch.path("folder"), mode) == 0)
        for name in ["folder/file", "link"] {
            let file = try InputFile(scratch.path(name))
            #expect(file.isReplaceable == isReplaceable, "\(name)")
            #expect(file.otherWriter == (isReplaceable ? .folder : nil), "\(name)")
        }
    }

    @Test func `the mode of a group counts only if the group has members besides the owner`() throws {
        let isShared = LocalGroups().hasMembers(getegid(), besides: geteuid())
        #expect(chmod(path, 0o664) == 0)
        #expect(try InputFile(path).otherWriter == (isShared ? .rights : nil))
        #expect(chmod(path, 0o644) == 0 && chmod(scratch.url.path, 0o775) == 0)
        #expect(try InputFile(path).otherWriter == (isShared ? .folder : nil))
    }

    @Test(
        arguments: [
            (1000, 1000, false), (1001, 1001, true), (100, 1000, true), (4, 1000, true), (5, 1000, false),
            (6, 1000, true),
            (0, 0, false), (999, 1000, true), (7, 1000, true),
        ] as [(gid_t, uid_t, Bool)])
    func `a group has members besides its owner by its line, or by the first group of a user`(
        group: gid_t, owner: uid_t, hasOthers: Bool
    ) {
        let groups = LocalGroups(
            groups: """
                root:x:0:
                anna:x:1000:
                bob:x:1001:anna,bob
                users:x:100:
                adm:x:4:anna,bob
                own:x:5:anna,root
                gone:x:6:carol
                broken
                7
                :x:seven:
                """,
            users: """
                root:x:0:0:root:/root:/bin/sh
                anna:x:1000:1000::/home/anna:/bin/sh
                bob:x:1001:1001::/home/bob:/bin/sh
                carl:x:1002:100::/home/carl:/bin/sh
                broken:x
                """)
        #expect(groups.hasMembers(group, besides: owner) == hasOthers)
    }

    @Test func `a pipe without a name is that of the user who gave it, and one with a name is a file`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        #expect(try InputFile("/proc/self/fd/\(ends[0])").otherWriter == nil)
        let pipe = scratch.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0 && chmod(pipe, 0o622) == 0)
        #expect(try InputFile(pipe).otherWriter == .rights)
    }

    @Test func `a long file is read to the limit, and one that is missing says so`() throws {
        try scratch.write(String(repeating: "x", count: 20_000), to: "long")
        #expect(try InputFile(scratch.path("long")).read(limit: 9_999).count == 9_999)
        let error = #expect(throws: SystemFailure.self) { _ = try InputFile(scratch.path("none")) }
        #expect(error?.code == ENOENT)
    }

    @Test func `the writer of a pipe is waited for`() throws {
        let pipe = scratch.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let file = try InputFile(pipe)
        let writer = try NativeThread {
            let descriptor = open(pipe, O_WRONLY | O_CLOEXEC)
            _ = write(descriptor, "late", 4)
            close(descriptor)
        }
        #expect(try text(file) == "late")
        writer.join()
    }
}
