import Glibc
@testable import LocationPublishing
import LocwatchPlatform
import TestSupport
import Testing

@Suite(.serialized, .alone) struct PipeOutputTests {
    private let folder: Scratch
    private let rig: TransportRig
    private var path: String { folder.path("gps") }

    init() throws {
        folder = try Scratch()
        rig = try TransportRig("fifo:\(folder.path("gps"))", in: folder)
    }

    private func open() -> Int32 { Glibc.open(path, O_RDONLY | O_NONBLOCK) }

    @Test func `nothing waits without a reader, and each reader gets what is sent while it reads`() {
        rig.send(1, times: 1_000)
        for latitude in 2..<5 {
            let reader = open()
            #expect(unreadText(from: reader).isEmpty)
            rig.send(latitude)
            let found = unreadText(from: reader)
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
        let old = unreadText(from: reader)
        #expect(old.utf8.count <= 4096 && old.hasSuffix("\r\n"))
        #expect(old.split(separator: "\r\n").allSatisfy { $0.first == "$" && $0.dropLast(2).last == "*" })
        rig.send(2)
        #expect(unreadText(from: reader).contains(",0200.000000,N,"))
        #expect(rig.tookAll)
        close(reader)
    }

    @Test func `the pipe of a killed process is taken over, so that a program that waits for it reads on`() throws {
        rig.close()
        let (uid, stale) = (geteuid(), folder.path("stale"))
        #expect(mkfifo(stale, 0o600) == 0 && chmod(stale, 0o1640) == 0)
        let reader = Glibc.open(stale, O_RDONLY | O_NONBLOCK)
        let next = try TransportRig("fifo:\(stale)?mode=644", in: folder)
        next.send(3)
        #expect(unreadText(from: reader).contains(",0300.000000,N,"))
        var found = stat()
        #expect(fstat(reader, &found) == 0 && found.st_mode & 0o777 == 0o644 && found.st_uid == uid)
        close(reader)
        next.close()
        #expect(!exists(stale))
    }
}

@Suite(.serialized, .alone) struct FileOutputTests {
    private let folder: Scratch
    private var path: String { folder.path("position") }

    init() throws { folder = try Scratch() }

    @Test func `a program reads the newest position as a whole, and none before the first`() throws {
        let rig = try TransportRig("file:\(path)", in: folder)
        #expect(try folder.text("position").hasPrefix(#"{"event":"lost","#))
        for latitude in 1..<50 {
            let reader = open(path, O_RDONLY)
            rig.send(latitude)
            #expect(
                !unreadText(from: reader).contains(#""lat":\#(latitude),"#),
                "a reader keeps the file that it has opened")
            close(reader)
            let content = try folder.text("position")
            #expect(content.contains(#""lat":\#(latitude),"#) && content.hasSuffix("}\n"))
        }
        #expect(rig.tookAll)
        #expect(mode(of: path) == 0o600)
        #expect(folder.names == [".position.lock", "position"])
    }

    @Test func `a template gives the content, and the mode its readers`() throws {
        let rig = try TransportRig("file:\(path)?mode=644&format=%{lat:.2} & %{lon:.1}", in: folder)
        #expect(try folder.text("position") == "")
        rig.send(4)
        #expect(try folder.text("position") == "4.00 & 7.0\n")
        #expect(mode(of: path) == 0o644)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
    func `a disk that is full is a failure, after which no old position is left`() throws {
        let place = folder.path("small")
        mkdir(place, 0o700)
        #expect(mount("none", place, "tmpfs", 0, "size=8k") == 0)
        defer { umount(place) }
        let rig = try TransportRig("file:\(place)/position", in: folder)
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

@Suite(.serialized, .alone) struct SocketEntryTests {
    private let folder: Scratch
    private var path: String { folder.path("nmea.sock") }

    init() throws { folder = try Scratch() }

    private func connect() -> Int32 {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(UnixAddress.with(path) { Glibc.connect(client, $0, $1) } == 0)
        return client
    }

    @Test func `only the owner can connect unless a mode is given`() throws {
        for (options, permissions) in [("", 0o600), ("?mode=666", 0o666)] as [(String, UInt32)] {
            let rig = try TransportRig("unix-listen:\(path)\(options)", in: folder)
            #expect(mode(of: path) == permissions)
            rig.close()
        }
    }

    @Test(arguments: ["", "?mode=666"]) func `programs that connect read sentences`(options: String) throws {
        let rig = try TransportRig("unix-listen:\(path)\(options)", in: folder)
        let clients = (0..<3).map { _ in connect() }
        rig.step()
        rig.send(5)
        for client in clients {
            #expect(unreadText(from: client).contains(",0500.000000,N,"))
            close(client)
        }
        rig.send(6)
        let again = connect()
        rig.step()
        rig.send(7)
        #expect(unreadText(from: again).hasPrefix("$GPGGA,,0700."))
        #expect(rig.tookAll)
        close(again)
        rig.close()
        #expect(!exists(path))
    }

    @Test func `a path that is longer than an address can be is an error`() throws {
        let name = String(repeating: "x", count: 120)
        #expect(throws: PublishError.self) { try TransportRig("unix-listen:\(folder.path(name))", in: folder) }
    }
}
