import Glibc
import LocationCore
@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .alone) struct TerminalOutputTests {
    private let folder: Scratch
    private let rig: TransportRig

    init() throws {
        folder = try Scratch()
        rig = try TransportRig("pty:\(folder.path("gps"))", in: folder)
    }

    private func open() -> Int32 { Glibc.open(folder.path("gps"), O_RDWR | O_NOCTTY) }

    @Test func `only its owner can open the port, whose far end is a raw terminal`() throws {
        #expect(mode(of: folder.path("gps")) == 0o600)
        let reader = open()
        var line = termios()
        #expect(tcgetattr(reader, &line) == 0 && line.c_lflag & tcflag_t(ECHO | ICANON) == 0)
        close(reader)
    }

    /// Sends a position to a reader that stands still, and waits until the terminal holds a number of epochs.
    private func send(_ number: Int, at now: Duration, expecting count: Int) {
        let reader = open()
        rig.send(number, at: now)
        let end = ContinuousClock.now + .seconds(60)
        var found: Int32 = 0
        // The system hands the bytes over on a thread of its own.
        while ContinuousClock.now < end, Int(found) != count * Self.epoch { _ = ioctl(reader, UInt(FIONREAD), &found) }
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
        #expect(poll(&watched, 1, 60_000) == 1)
        #expect(unreadText(from: reader).contains(",0100.000000,N,"))
        close(reader)
        // Bytes that are unread for two seconds are discarded with the next position.
        for second in 2..<60 { send(second, at: .seconds(second), expecting: second % 2 + 1) }
        reader = open()
        watched.fd = reader
        let late = unreadText(from: reader)
        #expect(late.hasPrefix("$GPGGA") && late.contains(",5900.000000,N,") && !late.contains(",5700.000000,N,"))
        rig.send(60, at: .seconds(60))
        #expect(poll(&watched, 1, 60_000) == 1)
        #expect(unreadText(from: reader).contains(",6000.000000,N,"))
        #expect(rig.tookAll)
        close(reader)
    }

    @Test func `the last position before a pause is gone after two seconds`() {
        send(10, at: .seconds(1), expecting: 1)
        #expect(rig.transport.deadline == .seconds(3))
        rig.step(at: .seconds(3))
        #expect(rig.transport.deadline == nil)
        let reader = open()
        #expect(unreadText(from: reader).isEmpty)
        close(reader)
    }

    @Test func `the patience with a reader begins with the first position that it has not read as a whole`() {
        send(10, at: .seconds(1), expecting: 1)
        send(11, at: .milliseconds(2500), expecting: 2)
        let reader = open()
        var bytes = [UInt8](repeating: 0, count: Self.epoch)
        #expect(read(reader, &bytes, bytes.count) == bytes.count && rig.transport.deadline == .seconds(3))
        rig.step(at: .seconds(3))
        #expect(rig.transport.deadline == .milliseconds(4500))
        #expect(unreadText(from: reader).contains(",1100.000000,N,"))
        close(reader)
    }

    @Test func `a port that was removed has nothing to wait for`() {
        send(10, at: .seconds(1), expecting: 1)
        #expect(rig.transport.deadline == .seconds(3) && rig.transport.poll.descriptor >= 0)
        unlink(folder.path("gps"))
        rig.send(11, at: .seconds(2))
        #expect(rig.transport.deadline == nil && rig.transport.poll.descriptor == -1 && rig.transport.room == 0)
    }

    @Test func `a reader that stands still at ten positions a second gets whole sentences of the last ones`() {
        var waiting = 0
        for number in 0..<80 {
            waiting = (waiting + 1) * Self.epoch > 3_500 || waiting == 20 ? 1 : waiting + 1
            send(number, at: .milliseconds(100 * number), expecting: waiting)
        }
        let reader = open()
        let late = unreadText(from: reader)
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
            var watched = pollfd(rig.transport.poll)
            #expect(poll(&watched, 1, 60_000) == 1)
            rig.step()
        }
        #expect(unreadText(from: reader).isEmpty)
        close(reader)
    }
}
