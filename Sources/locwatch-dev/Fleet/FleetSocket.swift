import BrokerSimulation
import Glibc
import LocationTesting
import LocwatchPlatform

/// A non-blocking connection to a broker that sends and receives packets.
final class FleetSocket {
    let descriptor: Int32
    private var parser = MQTTPacketParser()
    private var unsent: [UInt8] = []
    private var unsentStart = 0
    private(set) var hasFailed = false

    /// Begins to connect.
    init(to address: BrokerSocketAddress) throws(SystemFailure) {
        descriptor = try address.connect()
    }

    deinit { close(descriptor) }

    /// The events of `poll(2)` that the connection waits for.
    var events: Int32 { unsent.isEmpty ? Int32(POLLIN) : Int32(POLLIN | POLLOUT) }

    /// Whether so much is unsent that more would only fill the memory.
    var isCongested: Bool { unsent.count - unsentStart > 1 << 16 }

    /// Appends bytes, which `flush()` sends.
    func append(_ bytes: [UInt8]) { unsent += bytes }

    /// Sends what the connection takes.
    func flush() {
        while unsentStart < unsent.count {
            let count = unsent.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress?.advanced(by: unsentStart), $0.count - unsentStart, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                // A connection that is not established yet is not ready either.
                if errno != EAGAIN, errno != EINTR, errno != ENOTCONN { hasFailed = true }
                return
            }
            unsentStart += count
        }
        unsent.removeAll(keepingCapacity: unsent.capacity <= 4096)
        unsentStart = 0
    }

    /// Receives what has come and calls `body` with each packet.
    func receive(into buffer: UnsafeMutableRawBufferPointer, _ body: (MQTTPacket) -> Void) {
        while !hasFailed {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else {
                if count == 0 || (errno != EAGAIN && errno != EINTR && errno != ENOTCONN) { hasFailed = true }
                return
            }
            parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            do throws(MQTTPacketFault) {
                while let packet = try parser.next() { body(packet) }
            } catch {
                hasFailed = true
            }
            if count < buffer.count { return }
        }
    }

    /// Makes the connection end with a reset, as that of a killed program can.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
