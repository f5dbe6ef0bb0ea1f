import Foundation
import LocwatchPlatform
import TestSupport
import Testing

@Suite struct ClaimedPathTests {
    private let folder: Scratch
    private var path: String { folder.path("gps") }

    init() throws { folder = try Scratch() }

    private func claim(_ kind: UInt32 = S_IFSOCK) throws(SystemFailure) -> ClaimedPath {
        try ClaimedPath(path, kind: kind, to: "make it")
    }

    @Test(arguments: [S_IFSOCK, S_IFLNK, S_IFIFO, S_IFREG])
    func `a path has one owner at a time, and what shows that is gone afterwards`(kind: UInt32) throws {
        let first = try claim(kind)
        #expect(throws: SystemFailure("make it at \(path)", code: EBUSY)) { try claim(kind) }
        #expect(throws: SystemFailure("make it at \(path)", code: EBUSY)) { try claim(S_IFIFO) }
        #expect(folder.names == [".gps.lock"])
        first.release()
        #expect(folder.names.isEmpty)
        try claim(kind).release()
    }

    @Test func `of many processes that claim a path at once one gets it`() async throws {
        for _ in 0..<200 {
            let claims = await withTaskGroup(of: ClaimedPath?.self) { group in
                for _ in 0..<4 { group.addTask { [path] in try? ClaimedPath(path, kind: S_IFSOCK, to: "make it") } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(claims.count { $0 != nil } == 1)
            // A task can keep its result for a moment.
            for claim in claims { claim?.release() }
        }
        #expect(folder.names.isEmpty)
    }

    @Test func `a link is not that of another process for what was done to its terminal`() throws {
        let terminal = try PseudoTerminal()
        let first = try claim(S_IFLNK)
        try first.link(to: terminal.path)
        // As gpsd does for its group.
        #expect(chmod(terminal.path, 0o660) == 0)
        #expect(throws: SystemFailure.self) { try claim(S_IFLNK) }
        #expect(first.isInPlace)
        unlink(path)
        #expect(symlink(terminal.path, path) == 0)
        #expect(!first.isInPlace)
        first.release()
        #expect(folder.names == ["gps"], "the link of another program stays")
        #expect(throws: SystemFailure("make it at \(path)", code: EEXIST)) { try claim(S_IFLNK) }
        #expect(folder.names == ["gps"])
    }

    @Test func `the link of a killed process is taken over, although its terminal has the number of another one`()
        throws
    {
        let terminal = try PseudoTerminal()
        let killed = try claim(S_IFLNK)
        try killed.link(to: terminal.path)
        try folder.keep(["gps", ".gps.lock"]) { killed.release() }
        let next = try claim(S_IFLNK)
        try next.link(to: "/dev/pts/99999")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/pts/99999")
        next.release()
        #expect(folder.names.isEmpty)
    }

    @Test func `a file with the name of the lock that is not one is neither locked nor removed`() throws {
        try folder.write("mine", to: ".gps.lock")
        #expect(throws: SystemFailure.self) { try claim() }
        #expect(try folder.text(".gps.lock") == "mine")
    }
}
