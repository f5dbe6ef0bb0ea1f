import Glibc
import LocationCore
@testable import LocationPublishing
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
}
