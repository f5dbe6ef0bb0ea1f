import Foundation
import LocationTracks
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .alone) struct RecordingFileTests {
    private static func line(_ number: Int) -> [UInt8] { Array("{\"line\":\(10_000 + number)}\n".utf8) }
    private static let length = line(0).count

    @Test func `lines are written in order and counted`() throws {
        let scratch = try Scratch()
        let path = scratch.url.appending(path: "r.json").path
        let file = try RecordingFile(path: path, overwrites: false, console: Console(environment: [:]))
        for number in 0..<1000 { file.append(Self.line(number), lines: 1) }
        file.finish()
        file.append(Self.line(0), lines: 1)
        #expect(file.failure == nil)
        #expect(file.lines == 1000)
        #expect(file.bytes == 1000 * Self.length)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data((0..<1000).flatMap { Self.line($0) }))
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can make a link that belongs to another user"),
        arguments: [true, false])
    func `another user's link in a folder of everyone is not followed`(isThere: Bool) throws {
        let scratch = try Scratch()
        let files = FileManager.default
        try files.createDirectory(atPath: scratch.path("all"), withIntermediateDirectories: true)
        try #require(chmod(scratch.path("all"), 0o1777) == 0)
        if isThere { try scratch.write("precious", to: "victim") }
        let link = scratch.path("all/r.json")
        try files.createSymbolicLink(atPath: link, withDestinationPath: scratch.path("victim"))
        try #require(lchown(link, 12_345, 12_345) == 0)
        #expect(throws: SystemFailure("create \(link)", code: ELOOP)) {
            try RecordingFile(path: link, overwrites: true, console: Console(environment: [:]))
        }
        #expect((try? scratch.text("victim")) == (isThere ? "precious" : nil))
        // The user's own link is followed, and stays; the file behind it keeps its rights, whatever the mask.
        try #require(lchown(link, geteuid(), getegid()) == 0 && (!isThere || chmod(scratch.path("victim"), 0o626) == 0))
        let file = try RecordingFile(path: link, overwrites: true, console: Console(environment: [:]))
        file.append(Array("new\n".utf8), lines: 1)
        file.finish()
        #expect(try scratch.text("victim") == "new\n")
        #expect(try files.destinationOfSymbolicLink(atPath: link) == scratch.path("victim"))
        let mode = try files.attributesOfItem(atPath: scratch.path("victim"))[.posixPermissions] as? Int
        #expect(!isThere || mode == 0o626)
    }

    @Test func `a full disk is a failure after which nothing is written`() throws {
        let file = try RecordingFile(path: "/dev/full", overwrites: true, console: Console(environment: [:]))
        file.append(Self.line(0), lines: 1)
        file.done.wait()
        #expect(file.failure == .track(.system(attempt: "write", path: "/dev/full", code: ENOSPC)))
        #expect(file.bytes == 0)
        file.append(Self.line(1), lines: 1)
        #expect(file.lines == 1)
        file.finish()
    }

    // The limit applies to a whole process, so the test runs in a separate one.
    @Test func `a line that did not fit is removed completely`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: rlim_t(5 * Self.length + 7), rlim_max: .max)
            setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
            let path = "/tmp/locwatch-recording-\(UInt64.random(in: 0...UInt64.max))"
            let file = try RecordingFile(path: path, overwrites: false, console: Console(environment: [:]))
            defer { unlink(path) }
            file.append((0..<10).flatMap { Self.line($0) }, lines: 10)
            file.finish()
            #expect(file.failure == .track(.system(attempt: "write", path: path, code: EFBIG)))
            #expect(file.bytes == 5 * Self.length)
            #expect(try Data(contentsOf: URL(filePath: path)) == Data((0..<5).flatMap { Self.line($0) }))
        }
    }

    @Test func `appending never waits for the disk`() throws {
        let scratch = try Scratch()
        let path = scratch.url.appending(path: "slow").path
        #expect(mkfifo(path, 0o600) == 0)
        // A pipe without a reader stands in for a stalled disk.
        let reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let file = try RecordingFile(path: path, overwrites: true, console: Console(environment: [:]))
        for number in 0..<20_000 { file.append(Self.line(number), lines: 1) }
        #expect(file.bytes < 20_000 * Self.length)
        var (read, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while read.count < 20_000 * Self.length {
            var watched = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            try #require(poll(&watched, 1, 60_000) == 1)
            let count = Glibc.read(reader, &bytes, bytes.count)
            read += bytes.prefix(max(0, count))
        }
        file.finish()
        let isWhole = read == (0..<20_000).flatMap { Self.line($0) }
        #expect(isWhole)
        #expect(file.failure == nil)
    }
}
