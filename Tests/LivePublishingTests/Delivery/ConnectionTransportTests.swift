import Glibc
import LocationCore
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationPublishing

@Suite(.serialized, .alone) struct ConnectionTransportTests {
    let peer = LoopbackPeer()

    func transport(
        _ template: String = "%{lat} %{lon}", keepsQueue: Bool = false
    ) throws -> ConnectionTransport {
        ConnectionTransport(
            host: "127.0.0.1", port: peer.port, TextTarget(try PublishTemplate(template), isLine: true),
            keepsQueue: keepsQueue)
    }

    /// A template whose lines have 4,000 bytes, so that few of them fill the system's buffers.
    static let long = "%{lat} %{lon}" + String(repeating: "x", count: 3995)

    func isOpen(_ rig: TransportRig) -> Bool {
        rig.events.contains(.opened(isAccepted: true))
    }

    func failures(_ rig: TransportRig) -> [String] {
        rig.events.compactMap { if case .failed(let cause, false) = $0 { cause } else { nil } }
    }

    @Test func `each record is a line, and counts as taken when it is sent`() throws {
        peer.listen()
        let rig = TransportRig(try transport())
        try rig.step { isOpen(rig) }
        peer.accept()
        rig.send(45, times: 3)
        #expect(rig.tookAll)
        #expect(peer.receive(atMost: 100) == "45 7\n45 7\n45 7\n")
        rig.close()
        #expect(rig.events.last == .closed)
        #expect(peer.receive(atMost: 100) == "")
    }

    @Test
    func `a program that is not there, or goes away, is a failure after which another attempt works`()
        throws
    {
        let rig = TransportRig(try transport())
        try rig.step { !failures(rig).isEmpty }
        #expect(failures(rig) == ["cannot connect to 127.0.0.1, port \(peer.port): Connection refused"])
        peer.listen()
        rig.open()
        try rig.step { isOpen(rig) }
        peer.accept()
        peer.send("hello\n")
        rig.send(45)
        #expect(rig.tookAll == false && rig.events.last == .decided(.taken, numbers: [1]))
        peer.hangUp()
        try rig.step { failures(rig).count == 2 }
    }

    @Test func `a program that does not read is disconnected`() throws {
        peer.listen()
        let rig = TransportRig(try transport(Self.long))
        try rig.step { isOpen(rig) }
        peer.accept()
        while failures(rig).isEmpty, rig.number < 10_000 { rig.send(45) }
        #expect(failures(rig) == ["the program reads too slowly"])
    }

    @Test func `with a queue the records wait for a program that does not read`() throws {
        peer.listen()
        let kept = try transport(Self.long, keepsQueue: true)
        let rig = TransportRig(kept)
        try rig.step { isOpen(rig) }
        peer.accept()
        while kept.room > 0, rig.number < 10_000 { rig.send(45) }
        #expect(kept.room == 0 && failures(rig).isEmpty)
        // It goes on when the program reads again, and nothing is missing.
        var bytes = 0
        try rig.step {
            bytes += peer.isQuiet ? 0 : peer.receive(atMost: 1 << 16).utf8.count
            return bytes == 4000 * Int(rig.number)
        }
        #expect(failures(rig).isEmpty && kept.room > 0)
    }

    @Test func `a host that never answers is given up at the limit, and not before it`() throws {
        let hole = try BlackHole()
        let transport = ConnectionTransport(
            host: "127.0.0.1", port: hole.port, NMEATarget([.gga]), connectionTimeout: .seconds(3))
        #expect(transport.deadline == nil && transport.room == 0)
        let rig = TransportRig(transport)
        // Once the address is known, only the answer of the host is missing.
        try rig.step { transport.poll.events == Int16(POLLOUT) }
        rig.step(at: .seconds(3) - .nanoseconds(1))
        #expect(rig.events == [] && transport.deadline == .seconds(3))
        rig.step(at: .seconds(3))
        #expect(failures(rig) == ["no connection within 3.0 seconds"])
        #expect(rig.events.count == 1 && transport.deadline == nil && transport.room == 0)
        withExtendedLifetime(hole) {}
    }

    @Test func `a host that takes no connection is given up when its time is over, and the next attempt begins anew`()
        throws
    {
        let hole = try BlackHole()
        let transport = ConnectionTransport(
            host: "127.0.0.1", port: hole.port, NMEATarget([.gga]), connectionTimeout: .seconds(3))
        let rig = TransportRig(transport)
        try rig.step { transport.poll == (transport.poll.descriptor, Int16(POLLOUT)) }
        for attempt in 1...2 {
            let start = Duration.seconds(10 * attempt)
            rig.open(at: start)
            rig.step(at: start + .milliseconds(2999))
            #expect(failures(rig).count == attempt - 1 && transport.deadline == start + .seconds(3))
            #expect(transport.room == 0)
            rig.step(at: start + .seconds(3))
            #expect(failures(rig) == Array(repeating: "no connection within 3.0 seconds", count: attempt))
            #expect(transport.deadline == nil && transport.poll.descriptor == -1)
        }
    }

    @Test func `a connection that stands has no limit, and an event is due at once`() throws {
        peer.listen()
        let rig = TransportRig(try transport())
        try rig.step { isOpen(rig) }
        peer.accept()
        #expect(rig.transport.deadline == nil && rig.transport.poll.events == Int16(POLLIN))
        rig.step(at: .seconds(1000))
        #expect(failures(rig).isEmpty && rig.transport.room == 100)
        rig.transport.close(at: .zero)
        #expect(rig.transport.deadline == .zero && rig.transport.room == 0)
        rig.step()
        #expect(rig.transport.deadline == nil && rig.transport.poll.descriptor == -1)
    }

    @Test func `records without a text are omitted, and the others taken as their bytes leave`() throws {
        peer.listen()
        let rig = TransportRig(try transport())
        try rig.step { isOpen(rig) }
        peer.accept()
        let lost = PublishRecord(.lost, created: Timestamp(secondsSince1970: 1), location: nil)
        rig.transport.send([QueuedRecord(1, lost), QueuedRecord(2, lost)], isOld: false, at: .zero)
        rig.step()
        #expect(rig.events.last == .decided(.omitted, numbers: [1, 2]))
        rig.send(45)
        #expect(peer.receive(atMost: 100) == "45 7\n")
    }

    @Test func `with a queue a goodbye waits until the program has read what was sent before`() throws {
        peer.listen()
        let kept = try transport(Self.long, keepsQueue: true)
        let rig = TransportRig(kept)
        try rig.step { isOpen(rig) }
        peer.accept()
        while kept.room > 0, rig.number < 10_000 { rig.send(45) }
        rig.close()
        #expect(rig.events.last != .closed && kept.poll.events == Int16(POLLIN | POLLOUT))
        var bytes = 0
        try rig.step {
            bytes += peer.isQuiet ? 0 : peer.receive(atMost: 1 << 16).utf8.count
            return rig.events.last == .closed
        }
        while case let count = peer.receive(atMost: 1 << 16).utf8.count, count > 0 { bytes += count }
        #expect(bytes == 4000 * Int(rig.number) && failures(rig).isEmpty)
        // Each record was taken once, in order.
        let taken = rig.events.flatMap { if case .decided(.taken, let numbers) = $0 { numbers } else { [UInt64]() } }
        #expect(taken == Array(1...rig.number))
    }

    @Test func `a program that ends the connection is noticed while nothing is sent`() throws {
        peer.listen()
        let rig = TransportRig(try transport())
        try rig.step { isOpen(rig) }
        peer.accept()
        peer.send(String(repeating: "x", count: 100_000))
        rig.step()
        #expect(failures(rig).isEmpty)
        peer.hangUp()
        try rig.step { !failures(rig).isEmpty }
        #expect(failures(rig) == ["the program has closed the connection"])
        #expect(rig.transport.room == 0 && rig.transport.poll.descriptor == -1)
    }

    @Test func `a record leaves at once, and does not wait for a step`() throws {
        peer.listen()
        let rig = TransportRig(try transport())
        try rig.step { isOpen(rig) }
        peer.accept()
        let location = Location(coordinate: Coordinate(latitude: 1, longitude: 2))
        let record = PublishRecord(.moved, created: Timestamp(secondsSince1970: 1), location: location)
        rig.transport.send([QueuedRecord(1, record)], isOld: false, at: .zero)
        #expect(peer.receive(atMost: 100) == "1 2\n")
    }
}
