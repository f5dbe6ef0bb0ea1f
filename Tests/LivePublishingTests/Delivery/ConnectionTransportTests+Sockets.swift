import Glibc
import LocationCore
@testable import LocationPublishing
import TestSupport
import Testing

/// The sockets of a connection, and what is left of it at its end.
extension ConnectionTransportTests {
    /// Returns a transport whose connection the peer has accepted.
    private func opened(_ template: String = "%{lat} %{lon}", keepsQueue: Bool = false) throws -> TransportRig {
        peer.listen()
        let rig = TransportRig(try transport(template, keepsQueue: keepsQueue))
        try rig.step { isOpen(rig) }
        peer.accept()
        return rig
    }

    @Test func `the system keeps 64 KiB of a connection, and notices a machine that was switched off`() throws {
        let rig = try opened()
        let socket = rig.transport.poll.descriptor
        // The system doubles the size that it is given.
        #expect(option(SO_KEEPALIVE, of: socket) == 1 && option(SO_SNDBUF, of: socket) == 2 * 65_536)
        #expect(fcntl(socket, F_GETFD) == FD_CLOEXEC)
    }

    @Test func `without another limit a connection is waited for ten seconds`() throws {
        let transport = try transport()
        transport.open(at: .seconds(5))
        #expect(transport.deadline == .seconds(15))
    }

    @Test func `a greeting of one byte is not the end of the connection`() throws {
        let rig = try opened()
        peer.send("x")
        var watched = pollfd(rig.transport.poll)
        #expect(poll(&watched, 1, 60_000) == 1)
        rig.step()
        #expect(failures(rig).isEmpty && rig.transport.room == 100)
    }

    @Test(arguments: [false, true])
    func `64 KiB wait for a program that does not read, beyond what the system keeps`(keepsQueue: Bool) throws {
        let rig = try opened(Self.long, keepsQueue: keepsQueue)
        while rig.transport.room > 0, rig.number < 10_000 { rig.send(45) }
        let taken = rig.events.reduce(0) {
            if case .decided(.taken, let numbers) = $1 { $0 + numbers.count } else { $0 }
        }
        // A part of the first record that waits can have left, and the last one comes on top of the limit.
        #expect((65_536...(65_536 + 8000)).contains(4000 * (Int(rig.number) - taken)))
    }

    @Test func `what waited for a program that was disconnected is not sent over the next connection`() throws {
        let rig = try opened(Self.long)
        while failures(rig).isEmpty, rig.number < 10_000 { rig.send(45) }
        peer.hangUp()
        rig.open()
        try rig.step { rig.events.last == .opened(isAccepted: true) }
        peer.accept()
        rig.send(46)
        #expect(rig.events.last == .decided(.taken, numbers: [rig.number]))
        let text = peer.receive(atMost: 1 << 16)
        #expect(text.hasPrefix("46 7x") && text.utf8.count == 4000 && peer.isQuiet)
    }

    @Test func `an attempt while a connection stands ends that connection first`() throws {
        let rig = try opened()
        rig.open()
        #expect(rig.transport.room == 0 && peer.receive(atMost: 1) == "" && !peer.isQuiet)
        try rig.step { rig.events.count == 2 }
        #expect(rig.events == [.opened(isAccepted: true), .opened(isAccepted: true)])
    }

    @Test func `a transport that was closed can be opened again`() throws {
        let rig = try opened()
        rig.close()
        #expect(rig.transport.room == 0 && rig.transport.poll.descriptor == -1)
        peer.hangUp()
        rig.open()
        try rig.step { rig.events.last == .opened(isAccepted: true) }
        #expect(rig.transport.room == 100 && rig.events.count == 3)
    }

    @Test func `a host is reached by its name, at one of its addresses, and no file stays open`() throws {
        let before = openFiles
        peer.listen()
        do {
            let target = TextTarget(try PublishTemplate("%{lat}"), isLine: true)
            let rig = TransportRig(ConnectionTransport(host: "localhost", port: peer.port, target))
            try rig.step { isOpen(rig) }
            peer.accept()
            rig.send(45)
            #expect(peer.receive(atMost: 100) == "45\n")
        }
        #expect(peer.receive(atMost: 100) == "")
        peer.hangUp()
        // The thread that has resolved the name ends a moment after its answer.
        try drive(until: { openFiles == before }, state: "\(openFiles) files, and \(before) before") { ([], false) }
    }
}
