import Glibc
@testable import LocationPublishing
import LocwatchPlatform
import TestSupport
import Testing

/// The rules for paths, which are the same for each kind of entry.
@Suite(.serialized, .alone) struct PathClaimTests {
    private let folder: Scratch
    private var path: String { folder.path("gps") }

    init() throws { folder = try Scratch() }

    static let schemes = ["pty", "fifo", "unix-listen", "file"]

    private static let planted = [
        "file", "empty file", "link", "link to a file", "link to a terminal", "folder", "pipe", "socket",
    ]

    /// Makes something that is not ours at the path.
    private func plant(_ kind: String) throws {
        switch kind {
        case "file", "empty file": try folder.write(kind == "file" ? "mine" : "", to: "gps")
        case "link": symlink("other", path)
        case "link to a file":
            try folder.write("mine", to: "other")
            symlink("other", path)
        case "link to a terminal": symlink("/dev/null", path)
        case "folder": mkdir(path, 0o700)
        case "pipe": mkfifo(path, 0o600)
        case "socket": close(try LocalSocket.bound(to: path))
        default: Issue.record("\(kind)")
        }
        #expect(exists(path))
    }

    @Test(arguments: schemes, planted)
    func `what is at the path is an error, and stays as it is`(scheme: String, kind: String) throws {
        try plant(kind)
        var before = stat()
        lstat(path, &before)
        let error = #expect(throws: PublishError.self) { try TransportRig("\(scheme):\(path)", in: folder) }
        let advice = "at \(path): File exists; remove it, or choose another path"
        #expect(error?.description.hasSuffix(advice) == true, "\(error as Any)")
        var after = stat()
        #expect(lstat(path, &after) == 0 && after.st_ino == before.st_ino && after.st_mode == before.st_mode)
        #expect(kind.hasSuffix("file") == false || (try? folder.text("gps")) == (kind == "empty file" ? "" : "mine"))
        #expect(folder.names.count <= 2, "no draft is left")
    }

    @Test(arguments: schemes)
    func `a folder that does not exist and a path in use are errors, and the end removes what was made`(
        scheme: String
    ) throws {
        #expect(throws: PublishError.self) { try TransportRig("\(scheme):\(folder.path("no/gps"))", in: folder) }
        let rig = try TransportRig("\(scheme):~/gps", in: folder)
        #expect(rig.events == [.opened(isAccepted: false)])
        #expect(exists(path) && (rig.transport.poll.descriptor >= 0) == ["pty", "unix-listen"].contains(scheme))
        #expect(rig.transport.poll.descriptor >= -1)
        #expect(throws: PublishError.self) { try TransportRig("\(scheme):\(path)", in: folder) }
        #expect(exists(path))
        rig.send(1)
        #expect(rig.tookAll)
        rig.close()
        #expect(rig.events.last == .closed && !exists(path))
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: schemes)
    func `what another program put at the path in the meantime is neither changed nor removed`(scheme: String) throws {
        let rig = try TransportRig("\(scheme):\(path)", in: folder)
        unlink(path)
        try folder.write("mine", to: "gps")
        rig.send(1)
        rig.close()
        #expect(try folder.text("gps") == "mine")
    }

    @Test(arguments: schemes)
    func `a transport that is released removes what was made`(scheme: String) throws {
        for _ in 0..<2 {
            let rig = try TransportRig("\(scheme):\(path)", in: folder)
            #expect(exists(path))
            withExtendedLifetime(rig) {}
        }
        #expect(!exists(path))
    }

    @Test(arguments: schemes)
    func `a path that was removed is made again with the next attempt`(scheme: String) throws {
        let rig = try TransportRig("\(scheme):\(path)", in: folder)
        unlink(path)
        rig.send(1)
        guard case .failed(let cause, isRefusal: false)? = rig.events.last else {
            Issue.record("\(rig.events)")
            return
        }
        #expect(cause.contains("\(path), which was removed or replaced"), "\(cause)")
        rig.open()
        #expect(rig.events.last == .opened(isAccepted: false) && exists(path))
        rig.send(2)
        #expect(rig.events.last == .decided(.taken, numbers: [2]))
    }

    @Test(arguments: schemes)
    func `what a killed process left is taken over, and nothing of it is left at the end`(scheme: String) throws {
        let killed = try TransportRig("\(scheme):\(path)", in: folder)
        killed.send(1)
        try folder.keep(["gps", ".gps.lock"]) { killed.close() }
        // The process was killed before a draft took the place of the file.
        if scheme == "file" {
            try folder.write("{\"event\"", to: ".gps.draft")
            #expect(chmod(folder.path(".gps.draft"), 0o1600) == 0)
        }
        let next = try TransportRig("\(scheme):\(path)", in: folder)
        next.send(2)
        #expect(next.tookAll)
        #expect(!exists(folder.path(".gps.draft")))
        next.close()
        #expect(folder.names.isEmpty)
    }

    @Test(arguments: schemes)
    func `a path in use is not taken, whatever its entry looks like`(scheme: String) throws {
        // Between making a socket and listening it looks like that of a killed process.
        let kinds: [String: UInt32] = ["pty": S_IFLNK, "fifo": S_IFIFO, "unix-listen": S_IFSOCK, "file": S_IFREG]
        let kind = try #require(kinds[scheme])
        let claim = try ClaimedPath(path, kind: kind, to: "make it")
        switch scheme {
        case "pty": symlink("/dev/pts/99999", path)
        case "fifo": mkfifo(path, 0o1600)
        case "file": close(open(path, O_CREAT, 0o1600))
        default:
            close(try LocalSocket.bound(to: path))
            chmod(path, 0o1600)
        }
        let error = #expect(throws: PublishError.self) { try TransportRig("\(scheme):\(path)", in: folder) }
        #expect(error?.description.hasSuffix("at \(path): Device or resource busy") == true, "\(error as Any)")
        #expect(exists(path))
        claim.release()
        try TransportRig("\(scheme):\(path)", in: folder).close()
        #expect(!exists(path))
    }

    @Test func `after a failure nothing is sent until the path is claimed again`() throws {
        let folder = try Scratch()
        let path = folder.path("position")
        let rig = try TransportRig("file:\(path)", in: folder)
        #expect(rig.transport.room == 100 && rig.transport.deadline == nil)
        unlink(path)
        rig.send(1)
        guard case .failed(_, false)? = rig.events.last else { throw SystemFailure("fail", code: 0) }
        #expect(rig.transport.room == 0 && !exists(path))
        rig.open()
        rig.send(2)
        #expect(rig.tookAll == false && rig.events.last == .decided(.taken, numbers: [2]) && rig.transport.room == 100)
        rig.close()
        #expect(rig.transport.room == 0 && rig.events.last == .closed && !exists(path))
    }
}
