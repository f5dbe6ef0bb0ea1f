import Glibc
import LocationCore
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
            #expect(unreadText(from: reader) == epoch(latitude))
            close(reader)
            rig.send(9)
        }
        #expect(rig.tookAll)
    }

    /// Returns all sentences of a position.
    private func epoch(_ latitude: Int) -> String {
        let location = Location(coordinate: Coordinate(latitude: Double(latitude), longitude: 7))
        let record = PublishRecord(.moved, created: Timestamp(secondsSince1970: 1.7e9), location: location)
        return String(decoding: NMEATarget().datagrams(for: record).joined(), as: UTF8.self)
    }

    @Test func `what a reader has not read is discarded when it has left, each time`() {
        for latitude in 2..<5 {
            let late = open()
            rig.send(latitude)
            close(late)
            rig.send(9)
            let reader = open()
            #expect(unreadText(from: reader).isEmpty)
            rig.send(latitude)
            #expect(unreadText(from: reader) == epoch(latitude))
            close(reader)
        }
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
        #expect(!exists("\(place)/position") && !exists("\(place)/.position.draft"))
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

    /// A program that is connected and stands still, and what the listener has sent to it.
    private final class IdleProgram {
        let listener: ListenerTransport
        let rig: TransportRig
        let socket: Int32
        private(set) var sent = 0

        init(at path: String, _ connect: () -> Int32) throws {
            let target = TextTarget(try PublishTemplate("%{device}"), isLine: true)
            listener = try ListenerTransport(path: path, mode: 0o600, target)
            rig = TransportRig(listener)
            socket = connect()
            let listener = listener
            try rig.step { listener.clients.count == 1 }
        }

        deinit { close(socket) }

        /// Sends a line of a length with its end.
        func send(_ count: Int) {
            var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2))
            location.device = String(repeating: "x", count: count - 1)
            let record = PublishRecord(.moved, created: Timestamp(secondsSince1970: 1), location: location)
            listener.send([QueuedRecord(1, record)], isOld: false, at: .zero)
            sent += count
        }

        /// The number of bytes that the system has not taken; once it takes none, it takes none until the program reads.
        var waiting: Int {
            var unread: Int32 = 0
            _ = ioctl(socket, UInt(FIONREAD), &unread)
            return sent - Int(unread)
        }
    }

    @Test func `64 KiB wait for a program that does not read, beyond what the system keeps`() throws {
        let program = try IdleProgram(at: path, connect)
        while program.waiting == 0, program.sent < 1 << 24 { program.send(4096) }
        program.send(65_536 - program.waiting)
        #expect(program.waiting == 65_536 && program.listener.clients.count == 1)
        program.send(2)
        #expect(program.listener.clients.isEmpty)
    }

    @Test func `a program that has ended its direction and then goes is removed while nothing is sent`() throws {
        let program = try IdleProgram(at: path, connect)
        let listener = program.listener
        shutdown(program.socket, Int32(SHUT_WR))
        try program.rig.step { listener.clients.values.contains(where: \.hasInputEnded) }
        #expect(listener.clients.count == 1)
        shutdown(program.socket, Int32(SHUT_RDWR))
        try program.rig.step { listener.clients.isEmpty }
    }

    @Test(arguments: [false, true])
    func `what has waited for a program leaves when it reads on, once and in order`(endsDirection: Bool) throws {
        let program = try IdleProgram(at: path, connect)
        let listener = program.listener
        if endsDirection {
            shutdown(program.socket, Int32(SHUT_WR))
            try program.rig.step { listener.clients.values.contains(where: \.hasInputEnded) }
        }
        func isReady() -> Bool {
            var watched = pollfd(listener.poll)
            return poll(&watched, 1, 0) == 1
        }
        while program.waiting < 20_000 { program.send(4000) }
        #expect(!isReady())
        var text = ""
        while case let piece = unreadText(from: program.socket), !piece.isEmpty { text += piece }
        #expect(isReady() && text.utf8.count < program.sent)
        try program.rig.step {
            text += unreadText(from: program.socket)
            return text.utf8.count >= program.sent
        }
        let line = String(repeating: "x", count: 3999)
        #expect(text == Array(repeating: line + "\n", count: program.sent / 4000).joined())
        program.rig.step()
        #expect(!isReady() && listener.clients.count == 1)
        program.send(10)
        #expect(unreadText(from: program.socket) == "xxxxxxxxx\n")
    }

    @Test func `a path that is longer than an address can be is an error`() throws {
        let name = String(repeating: "x", count: 120)
        #expect(throws: PublishError.self) { try TransportRig("unix-listen:\(folder.path(name))", in: folder) }
    }
}
