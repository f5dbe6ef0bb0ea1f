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
        #expect(own.isOfThisUser)
        #expect(try text(own) == "own")

        let other = try InputFile(path)
        #expect(unlink(path) == 0)
        try scratch.write("own", to: "file")
        #expect(!other.isOfThisUser && !other.isPrivate)
    }

    @Test(
        arguments: [
            (0o755, false), (0o775, true), (0o757, true), (0o1777, false), (0o1775, false),
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
            #expect(file.isReplaceable == isReplaceable && file.isOfThisUser != isReplaceable, "\(name)")
        }
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
