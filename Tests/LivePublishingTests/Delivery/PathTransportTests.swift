import Foundation
import Glibc
import LocationCore
@testable import LocationPublishing
import LocwatchPlatform
import TestSupport
import Testing

/// A transport at a path in a folder of its own, stepped by the test.
private final class Rig {
    let folder: Scratch
    let transport: any DeliveryTransport
    private(set) var events: [DeliveryEvent] = []
    private var number: UInt64 = 0

    init(_ word: String, in folder: Scratch) throws {
        self.folder = folder
        // The thread of a publisher's deliveries receives no signals.
        signal(SIGPIPE, SIG_IGN)
        var options = TargetOptions(hostName: "h", version: "1", started: Timestamp(secondsSince1970: 0))
        options.homeFolder = folder.url.path
        var factory = TransportFactory()
        transport = try factory.transport(for: PreparedTarget.prepare([word], options)[0])
        open()
    }

    func open(at now: Duration = .zero) {
        transport.open(at: now)
        step(at: now)
    }

    func step(at now: Duration = .zero) { transport.step(at: now) { events.append($0) } }

    /// Sends positions at one latitude in degrees, each as an epoch.
    func send(_ latitude: Int, times: Int = 1, at now: Duration = .zero) {
        for _ in 0..<times {
            number += 1
            let place = Coordinate(latitude: Double(latitude), longitude: 7)
            let record = PublishRecord(
                .moved, created: Timestamp(secondsSince1970: 1.7e9), location: Location(coordinate: place))
            transport.send([QueuedRecord(number, record)], isOld: false, at: now)
            step(at: now)
        }
    }

    func close() {
        transport.close(at: .zero)
        step()
    }

    /// Whether each record so far was taken.
    var tookAll: Bool {
        !events.contains { if case .failed = $0 { true } else { false } }
            && events.last == .decided(.taken, numbers: [number])
    }
}

/// Reads what is there now, without waiting.
private func text(from descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

/// Returns whether something is at a path, without following a link.
private func exists(_ path: String) -> Bool {
    var found = stat()
    return lstat(path, &found) == 0
}

/// The rules for paths, which are the same for each kind of entry.
@Suite struct PathClaimTests {
    private let folder: Scratch
    private var path: String { folder.path("gps") }

    init() throws { folder = try Scratch() }

    static let schemes = ["pty", "fifo", "unix-listen", "file"]

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
        default: Issue.record("\(kind)")
        }
        #expect(exists(path))
    }

    @Test(arguments: schemes, ["file", "empty file", "link", "link to a file", "link to a terminal", "folder", "pipe"])
    func `what is at the path is an error, and stays as it is`(scheme: String, kind: String) throws {
        try plant(kind)
        var before = stat()
        lstat(path, &before)
        do {
            _ = try Rig("\(scheme):\(path)", in: folder)
            Issue.record("claimed")
        } catch let error as PublisherError {
            #expect(
                error.description.hasSuffix("at \(path): File exists; remove it, or choose another path"), "\(error)")
        }
        var after = stat()
        #expect(lstat(path, &after) == 0 && after.st_ino == before.st_ino && after.st_mode == before.st_mode)
        #expect(kind.hasSuffix("file") == false || (try? folder.text("gps")) == (kind == "empty file" ? "" : "mine"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count <= 2, "no draft is left")
    }

    @Test(arguments: schemes)
    func `a folder that does not exist and a path in use are errors, and the end removes what was made`(
        scheme: String
    ) throws {
        #expect(throws: PublisherError.self) { try Rig("\(scheme):\(folder.path("no/gps"))", in: folder) }
        let rig = try Rig("\(scheme):~/gps", in: folder)
        #expect(rig.events == [.opened(isAccepted: false)])
        #expect(exists(path))
        #expect(throws: PublisherError.self) { try Rig("\(scheme):\(path)", in: folder) }
        #expect(exists(path))
        rig.send(1)
        #expect(rig.tookAll)
        rig.close()
        #expect(rig.events.last == .closed && !exists(path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(arguments: schemes)
    func `what another program put at the path in the meantime is neither changed nor removed`(scheme: String) throws {
        let rig = try Rig("\(scheme):\(path)", in: folder)
        unlink(path)
        try folder.write("mine", to: "gps")
        rig.send(1)
        rig.close()
        #expect(try folder.text("gps") == "mine")
    }

    @Test(arguments: schemes)
    func `a transport that is released removes what was made`(scheme: String) throws {
        for _ in 0..<2 {
            let rig = try Rig("\(scheme):\(path)", in: folder)
            #expect(exists(path))
            withExtendedLifetime(rig) {}
        }
        #expect(!exists(path))
    }

    @Test(arguments: schemes)
    func `a path that was removed is made again with the next attempt`(scheme: String) throws {
        let rig = try Rig("\(scheme):\(path)", in: folder)
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
        let killed = try Rig("\(scheme):\(path)", in: folder)
        killed.send(1)
        let names = ["gps", ".gps.lock"]
        for name in names { try #require(link(folder.path(name), folder.path(name + "-kept")) == 0) }
        killed.close()
        for name in names { try #require(rename(folder.path(name + "-kept"), folder.path(name)) == 0) }
        // The process was killed before a draft took the place of the file.
        if scheme == "file" {
            try folder.write("{\"event\"", to: ".gps.draft")
            #expect(chmod(folder.path(".gps.draft"), 0o1600) == 0)
        }
        let next = try Rig("\(scheme):\(path)", in: folder)
        next.send(2)
        #expect(next.tookAll)
        #expect(!exists(folder.path(".gps.draft")))
        next.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
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
            let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            #expect(UnixAddress.with(path) { bind(other, $0, $1) } == 0 && chmod(path, 0o1600) == 0)
            close(other)
        }
        let error = #expect(throws: PublisherError.self) { try Rig("\(scheme):\(path)", in: folder) }
        #expect(error?.description.hasSuffix("at \(path): Device or resource busy") == true, "\(error as Any)")
        #expect(exists(path))
        claim.release()
        try Rig("\(scheme):\(path)", in: folder).close()
        #expect(!exists(path))
    }
}

@Suite struct TerminalOutputTests {
    private let folder: Scratch
    private let rig: Rig

    init() throws {
        folder = try Scratch()
        rig = try Rig("pty:\(folder.path("gps"))", in: folder)
    }

    private func open() -> Int32 { Glibc.open(folder.path("gps"), O_RDWR | O_NOCTTY) }

    @Test func `only its owner can open the port, whose far end is a raw terminal`() throws {
        var found = stat()
        #expect(stat(folder.path("gps"), &found) == 0 && found.st_mode & 0o777 == 0o600)
        let reader = open()
        var line = termios()
        #expect(tcgetattr(reader, &line) == 0 && line.c_lflag & tcflag_t(ECHO | ICANON) == 0)
        close(reader)
    }

    /// Sends a position to a reader that stands still, and waits until the terminal holds a number of epochs.
    private func send(_ number: Int, at now: Duration, expecting count: Int) {
        let reader = open()
        rig.send(number, at: now)
        let end = ContinuousClock.now + .seconds(10)
        var found: Int32 = 0
        // The system hands the bytes over on a thread of its own.
        while ContinuousClock.now < end, Int(found) != count * Self.epoch {
            _ = ioctl(reader, UInt(FIONREAD), &found)
        }
        #expect(Int(found) == count * Self.epoch, "after \(now)")
        close(reader)
    }

    /// The number of bytes of an epoch with a latitude of two digits.
    private static let epoch = NMEATarget().datagrams(
        for: PublishRecord(
            .moved, created: .now, location: Location(coordinate: Coordinate(latitude: 10, longitude: 7)))
    ).joined().count

    @Test
    func `a reader that leaves and comes back reads on, and what was sent meanwhile is not older than two seconds`() {
        var reader = open()
        rig.send(1, at: .seconds(1))
        var watched = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        #expect(poll(&watched, 1, 5_000) == 1)
        #expect(text(from: reader).contains(",0100.000000,N,"))
        close(reader)
        // Bytes that are unread for two seconds are discarded with the next position.
        for second in 2..<60 { send(second, at: .seconds(second), expecting: second % 2 + 1) }
        reader = open()
        watched.fd = reader
        let late = text(from: reader)
        #expect(late.hasPrefix("$GPGGA") && late.contains(",5900.000000,N,") && !late.contains(",5700.000000,N,"))
        rig.send(60, at: .seconds(60))
        #expect(poll(&watched, 1, 5_000) == 1)
        #expect(text(from: reader).contains(",6000.000000,N,"))
        #expect(rig.tookAll)
        close(reader)
    }

    @Test func `the last position before a pause is gone after two seconds`() {
        send(10, at: .seconds(1), expecting: 1)
        #expect(rig.transport.deadline == .seconds(3))
        rig.step(at: .seconds(3))
        #expect(rig.transport.deadline == nil)
        let reader = open()
        #expect(text(from: reader).isEmpty)
        close(reader)
    }

    @Test func `a reader that stands still at ten positions a second gets whole sentences of the last ones`() {
        var waiting = 0
        for number in 0..<80 {
            waiting = (waiting + 1) * Self.epoch > 3_500 || waiting == 20 ? 1 : waiting + 1
            send(number, at: .milliseconds(100 * number), expecting: waiting)
        }
        let reader = open()
        let late = text(from: reader)
        #expect(late.hasPrefix("$GPGGA") && late.contains(",7900.000000,N,") && late.utf8.count < 4096)
        #expect(rig.tookAll)
        close(reader)
    }

    @Test func `commands to the receiver are dropped, however many, and are not sent back`() {
        let reader = open()
        let command = Array(String(repeating: "$PMTK220,100*2F\r\n", count: 100).utf8)
        _ = fcntl(reader, F_SETFL, O_NONBLOCK)
        for _ in 0..<100 {
            #expect(write(reader, command, command.count) == command.count)
            var watched = pollfd(fd: rig.transport.poll.descriptor, events: rig.transport.poll.events, revents: 0)
            #expect(poll(&watched, 1, 5_000) == 1)
            rig.step()
        }
        #expect(text(from: reader).isEmpty)
        close(reader)
    }

    @Test func `a link that a killed process left is replaced`() throws {
        let path = folder.path("stale")
        symlink("/dev/pts/99999", path)
        let other = try Rig("pty:\(path)", in: folder)
        #expect(Glibc.access(path, R_OK) == 0)
        other.close()
        #expect(!exists(path))
    }
}

@Suite struct PipeOutputTests {
    private let folder: Scratch
    private let rig: Rig
    private var path: String { folder.path("gps") }

    init() throws {
        folder = try Scratch()
        rig = try Rig("fifo:\(folder.path("gps"))", in: folder)
    }

    private func open() -> Int32 { Glibc.open(path, O_RDONLY | O_NONBLOCK) }

    @Test func `nothing waits without a reader, and each reader gets what is sent while it reads`() {
        rig.send(1, times: 1_000)
        for latitude in 2..<5 {
            let reader = open()
            #expect(text(from: reader).isEmpty)
            rig.send(latitude)
            let found = text(from: reader)
            #expect(found.hasPrefix("$GPGGA") && found.contains(",0\(latitude)00.000000,N,"))
            close(reader)
            rig.send(9)
        }
        #expect(rig.tookAll)
    }

    @Test func `a reader that stands still gets at most a page of old sentences, all of them whole, and then goes on`()
    {
        let reader = open()
        rig.send(1, times: 1_000)
        let old = text(from: reader)
        #expect(old.utf8.count <= 4096 && old.hasSuffix("\r\n"))
        #expect(old.split(separator: "\r\n").allSatisfy { $0.first == "$" && $0.dropLast(2).last == "*" })
        rig.send(2)
        #expect(text(from: reader).contains(",0200.000000,N,"))
        #expect(rig.tookAll)
        close(reader)
    }

    @Test func `the pipe of a killed process is taken over, so that a program that waits for it reads on`() throws {
        rig.close()
        let (uid, stale) = (geteuid(), folder.path("stale"))
        #expect(mkfifo(stale, 0o600) == 0 && chmod(stale, 0o1640) == 0)
        let reader = Glibc.open(stale, O_RDONLY | O_NONBLOCK)
        let next = try Rig("fifo:\(stale)?mode=644", in: folder)
        next.send(3)
        #expect(text(from: reader).contains(",0300.000000,N,"))
        var found = stat()
        #expect(fstat(reader, &found) == 0 && found.st_mode & 0o777 == 0o644 && found.st_uid == uid)
        close(reader)
        next.close()
        #expect(!exists(stale))
    }
}

@Suite struct FileOutputTests {
    private let folder: Scratch
    private var path: String { folder.path("position") }

    init() throws { folder = try Scratch() }

    @Test func `a program reads the newest position as a whole, and none before the first`() throws {
        let rig = try Rig("file:\(path)", in: folder)
        #expect(try folder.text("position").hasPrefix(#"{"event":"lost","#))
        for latitude in 1..<50 {
            let reader = open(path, O_RDONLY)
            rig.send(latitude)
            #expect(!text(from: reader).contains(#""lat":\#(latitude),"#), "a reader keeps the file that it has opened")
            close(reader)
            let content = try folder.text("position")
            #expect(content.contains(#""lat":\#(latitude),"#) && content.hasSuffix("}\n"))
        }
        #expect(rig.tookAll)
        var found = stat()
        #expect(stat(path, &found) == 0 && found.st_mode & 0o777 == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.sorted() == [".position.lock", "position"])
    }

    @Test func `a template gives the content, and the mode its readers`() throws {
        let rig = try Rig("file:\(path)?mode=644&format=%{lat:.2} & %{lon:.1}", in: folder)
        #expect(try folder.text("position") == "")
        rig.send(4)
        #expect(try folder.text("position") == "4.00 & 7.0\n")
        var found = stat()
        #expect(stat(path, &found) == 0 && found.st_mode & 0o777 == 0o644)
    }

    @Test func `the file of a killed process is replaced by one without a position`() throws {
        try folder.write("old", to: "position")
        chmod(path, 0o1600)
        let rig = try Rig("file:\(path)", in: folder)
        #expect(try folder.text("position").hasPrefix(#"{"event":"lost","#))
        rig.close()
        #expect(!exists(path))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
    func `a disk that is full is a failure, after which no old position is left`() throws {
        let place = folder.path("small")
        mkdir(place, 0o700)
        #expect(mount("none", place, "tmpfs", 0, "size=8k") == 0)
        defer { umount(place) }
        let rig = try Rig("file:\(place)/position", in: folder)
        rig.send(1)
        #expect(rig.tookAll)
        let filler = open("\(place)/filler", O_WRONLY | O_CREAT, 0o600)
        let bytes = [UInt8](repeating: 1, count: 8192)
        _ = write(filler, bytes, bytes.count)
        rig.send(2)
        #expect(
            rig.events.last
                == .failed(
                    cause: "cannot write \(place)/position: No space left on device", isRefusal: false))
        #expect(!exists("\(place)/position"))
        close(filler)
        unlink("\(place)/filler")
        rig.open()
        rig.send(3)
        #expect(rig.events.last == .decided(.taken, numbers: [3]))
    }
}

@Suite struct SocketEntryTests {
    private let folder: Scratch
    private var path: String { folder.path("nmea.sock") }

    init() throws { folder = try Scratch() }

    private func connect() -> Int32 {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(UnixAddress.with(path) { Glibc.connect(client, $0, $1) } == 0)
        return client
    }

    @Test func `programs that connect read sentences, and only the owner can unless a mode is given`() throws {
        for (word, mode) in [("unix-listen:\(path)", 0o600), ("unix-listen:\(path)?mode=666", 0o666)] {
            let rig = try Rig(word, in: folder)
            var found = stat()
            #expect(lstat(path, &found) == 0 && found.st_mode & 0o777 == mode)
            let clients = (0..<3).map { _ in connect() }
            rig.step()
            rig.send(5)
            for client in clients {
                #expect(text(from: client).contains(",0500.000000,N,"))
                close(client)
            }
            rig.send(6)
            let again = connect()
            rig.step()
            rig.send(7)
            #expect(text(from: again).hasPrefix("$GPGGA,,0700."))
            #expect(rig.tookAll)
            close(again)
            rig.close()
            #expect(!exists(path))
        }
    }

    @Test func `the socket of a killed process is replaced, but not one in use or of another program`()
        throws
    {
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(UnixAddress.with(path) { bind(other, $0, $1) } == 0 && listen(other, 1) == 0)
        #expect(throws: PublisherError.self) { try Rig("unix-listen:\(path)", in: folder) }
        close(other)
        #expect(throws: PublisherError.self) { try Rig("unix-listen:\(path)", in: folder) }
        #expect(exists(path))
        // As a process of this program leaves it.
        chmod(path, 0o600 | ClaimedPath.mark)
        let rig = try Rig("unix-listen:\(path)", in: folder)
        let client = connect()
        rig.step()
        rig.send(1)
        #expect(!text(from: client).isEmpty)
        close(client)
    }

    @Test func `a path that is longer than an address can be is an error`() throws {
        let name = String(repeating: "x", count: 120)
        #expect(throws: PublisherError.self) { try Rig("unix-listen:\(folder.path(name))", in: folder) }
    }
}
