import Glibc
import LocwatchPlatform

/// The transport of records by UDP, which has no acknowledgements: each record counts as taken when it was sent.
///
/// A network that is down and a reader that is not there lose datagrams, as UDP does.
final class DatagramTransport: DeliveryTransport {
    private let target: any StreamTarget
    private let host: String
    private let port: UInt16
    /// The socket, or −1, which can be closed without an effect.
    private var descriptor: Int32 = -1
    /// The address to which the socket is connected.
    private var address: SocketAddress?
    private var lookup: HostLookup?
    private var events: [DeliveryEvent] = []

    /// Creates a transport to a host, a broadcast address or a multicast address.
    init(host: String, port: UInt16, _ target: any StreamTarget) {
        self.host = host
        self.port = port
        self.target = target
    }

    deinit { Glibc.close(descriptor) }

    /// Any number of records, while the address is known.
    var room: Int { descriptor >= 0 ? 100 : 0 }

    /// The descriptor of the resolution of the host's name while it is in progress.
    var poll: (descriptor: Int32, events: Int16) { (lookup?.descriptor ?? -1, Int16(POLLIN)) }

    /// Only an event that waits to be emitted is due.
    var deadline: Duration? { events.isEmpty ? nil : .zero }

    /// Begins to resolve the host; a socket is opened when its address is known.
    func open(at now: Duration) {
        disconnect()
        do throws(SystemFailure) {
            lookup = try HostLookup(host, port: port, for: SOCK_DGRAM)
        } catch {
            fail("\(error)")
        }
    }

    private func connect() {
        guard let outcome = lookup?.outcome else { return }
        lookup = nil
        switch outcome {
        case .failure(let cause): fail(cause)
        case .addresses(let addresses):
            var code = EHOSTUNREACH
            // The first address can be one of IPv6 without a route to it.
            for address in addresses {
                descriptor = socket(address.family, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
                if descriptor >= 0, SocketOption.turnOn(SO_BROADCAST, of: descriptor), connects(to: address) {
                    self.address = address
                    events.append(.opened(isAccepted: false))
                    return
                }
                code = errno
                disconnect()
            }
            failToConnect(code)
        }
    }

    /// Connects the socket to an address; returns `false` if the system cannot send to it, with the reason in `errno`.
    private func connects(to address: SocketAddress) -> Bool {
        address.withPointer { Glibc.connect(descriptor, $0, $1) } == 0
    }

    private func failToConnect(_ code: Int32) {
        disconnect()
        fail("cannot send to \(host), port \(port): \(SystemFailure("connect", code: code).reason)")
    }

    /// Sends the datagrams of records; one that the system does not take at once is lost.
    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        var decisions = StreamDecisions()
        for record in records {
            for datagram in decisions.datagrams(for: record, by: target) { send(datagram) }
        }
        events += decisions.events
    }

    private func send(_ datagram: [UInt8]) {
        guard descriptor >= 0, Glibc.send(descriptor, datagram, datagram.count, 0) < 0 else { return }
        guard ![EAGAIN, ENOBUFS, EMSGSIZE, EPERM].contains(errno) else { return }
        // A reader that was not there is reported with the next datagram, which is then sent again. The socket keeps the address
        // that this machine had when it was connected, which can be gone; the family 0 dissolves that connection.
        var nowhere = sockaddr()
        Glibc.connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
        guard let address, connects(to: address) else { return failToConnect(errno) }
        Glibc.send(descriptor, datagram, datagram.count, 0)
    }

    func close(at now: Duration) {
        disconnect()
        events.append(.closed)
    }

    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        connect()
        exchange(&events, with: []).forEach(emit)
    }

    private func disconnect() {
        Glibc.close(descriptor)
        descriptor = -1
        lookup = nil
    }

    private func fail(_ cause: String) { events.append(.failed(cause: cause, isRefusal: false)) }
}
