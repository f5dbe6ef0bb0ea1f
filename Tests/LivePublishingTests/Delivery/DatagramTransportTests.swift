import Glibc
import LocationCore
@testable import LocationPublishing
import LocwatchPlatform
import TestSupport
import Testing

@Suite(.serialized, .alone) struct DatagramTransportTests {
    private func delivery(to port: UInt16, of queue: PositionQueue) -> TargetDelivery {
        let transport = DatagramTransport(host: "127.0.0.1", port: port, NMEATarget([.gga, .rmc]))
        return TargetDelivery(transport, queue, options: .init(batchSize: 10))
    }

    @Test func `datagrams reach a socket`() {
        let receiver = ReservedPort(receivesDatagrams: true)
        let delivery = delivery(to: receiver.number, of: PositionQueue(count: 3))
        delivery.step(at: .zero)
        delivery.step(at: .zero)
        #expect(delivery.status.taken == 3)
        var bytes = [UInt8](repeating: 0, count: 2_000)
        // A GGA and an RMC sentence for each record.
        for latitude in ["0000.", "0000.", "0100.", "0100.", "0200.", "0200."] {
            let count = recv(receiver.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            #expect(text.contains(",\(latitude)") && text.hasSuffix("\r\n"), "\(text)")
        }
    }

    @Test func `a reader that is not there is no failure`() {
        let receiver = ReservedPort(receivesDatagrams: true)
        let queue = PositionQueue(count: 3)
        let delivery = delivery(to: receiver.number, of: queue)
        delivery.step(at: .zero)
        delivery.step(at: .zero)
        #expect(delivery.status.taken == 3)
        close(receiver.descriptor)
        queue.end = 6
        for second in 1..<4 { delivery.step(at: .seconds(second)) }
        #expect(delivery.status.taken == 6 && delivery.status.obstacle == nil)
    }

    @Test func `a host that does not exist is tried again`() {
        let transport = DatagramTransport(host: "host.invalid", port: 10_110, NMEATarget([.gga, .rmc]))
        let delivery = TargetDelivery(transport, PositionQueue(count: 1))
        delivery.step(at: .zero)
        // Without a network the system may have answered within the first step.
        if delivery.status.phase == .connecting {
            var watched = pollfd(delivery.poll)
            #expect(poll(&watched, 1, 60_000) == 1)
            delivery.step(at: .zero)
        }
        #expect(delivery.status.obstacle?.hasPrefix("cannot resolve host.invalid") == true)
    }

    /// Reads the texts that have arrived at a socket.
    private func texts(at descriptor: Int32) -> [String] {
        var texts: [String] = []
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count >= 0 {
            texts.append(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
        return texts
    }

    private func rig(to port: UInt16, _ template: String = "%{lat}") throws -> TransportRig {
        let target = TextTarget(try PublishTemplate(template), isLine: false)
        let rig = TransportRig(DatagramTransport(host: "127.0.0.1", port: port, target))
        try rig.step { rig.events == [.opened(isAccepted: false)] }
        return rig
    }

    @Test func `a reader that comes back gets the first datagram after that`() throws {
        let gone = ReservedPort(receivesDatagrams: true)
        let rig = try rig(to: gone.number)
        close(gone.descriptor)
        rig.send(1)
        let reader = ReservedPort(gone.number, receivesDatagrams: true)
        defer { close(reader.descriptor) }
        rig.send(2)
        rig.send(3)
        #expect(texts(at: reader.descriptor) == ["2", "3"] && rig.tookAll)
    }

    @Test func `a datagram that is larger than any can be is lost, and the next one is sent`() throws {
        let reader = ReservedPort(receivesDatagrams: true)
        defer { close(reader.descriptor) }
        let large = try rig(to: reader.number, "%{lat}" + String(repeating: "x", count: 70_000))
        large.send(1)
        #expect(large.tookAll && large.transport.room == 100)
        let rig = try rig(to: reader.number)
        rig.send(2)
        #expect(texts(at: reader.descriptor) == ["2"])
    }

    @Test func `records without a datagram are omitted, and a transport that has ended takes none`() throws {
        let reader = ReservedPort(receivesDatagrams: true)
        defer { close(reader.descriptor) }
        let rig = try rig(to: reader.number)
        #expect(rig.transport.room == 100 && rig.transport.deadline == nil)
        let lost = PublishRecord(.lost, created: Timestamp(secondsSince1970: 1), location: nil)
        rig.transport.send([QueuedRecord(9, lost)], isOld: false, at: .zero)
        #expect(rig.transport.deadline == .zero)
        rig.step()
        #expect(rig.events.last == .decided(.omitted, numbers: [9]))
        rig.close()
        #expect(rig.events.last == .closed && rig.transport.room == 0 && rig.transport.poll.descriptor == -1)
        #expect(texts(at: reader.descriptor).isEmpty)
    }

    @Test func `a broadcast address can be used, and a transport that is opened again has one socket`() throws {
        let before = openFiles
        do {
            let target = TextTarget(try PublishTemplate("%{lat}"), isLine: false)
            let rig = TransportRig(DatagramTransport(host: "127.255.255.255", port: 9, target))
            for count in 2...3 {
                try rig.step { rig.events.last == .opened(isAccepted: false) }
                rig.send(1)
                #expect(rig.events.last == .decided(.taken, numbers: [UInt64(count - 1)]) && rig.transport.room == 100)
                rig.open()
                #expect(openFiles <= before + 2)
            }
        }
        #expect(openFiles == before)
    }

    @Test func `an address to which the system cannot send is a failure with its reason, and is tried again`() throws {
        // An address of one link, without the link.
        let transport = DatagramTransport(host: "fe80::1", port: 9, NMEATarget([.gga]))
        let rig = TransportRig(transport)
        try rig.step { rig.events.count == 1 }
        guard case .failed(let cause, false)? = rig.events.last else { throw SystemFailure("fail", code: 0) }
        #expect(cause.hasPrefix("cannot send to fe80::1, port 9: ") && transport.room == 0)
        #expect(!cause.hasSuffix("Success"))
        rig.open()
        try rig.step { rig.events.count == 2 }
    }
}
