import Glibc
public import LocationPublishing
import LocwatchPlatform

/// The transport of records by UDP, which has no acknowledgements: each record counts as taken when it was sent.
///
/// A network that is down and a reader that is not there lose datagrams, as UDP does.
public final class DatagramTransport: DeliveryTransport {
    private var target: any StreamTarget
    private let host: String
    private let port: UInt16
    private var descriptor: Int32 = -1
    private var events: [DeliveryEvent] = []

    /// Creates a transport to a host, a broadcast address or a multicast address.
    public init(host: String, port: UInt16, _ target: any StreamTarget) {
        self.host = host
        self.port = port
        self.target = target
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Any number of records, while the address is known.
    public var room: Int { descriptor >= 0 ? 100 : 0 }

    /// Nothing is awaited.
    public var poll: (descriptor: Int32, events: Int16) { (-1, 0) }

    /// Only an event that waits to be emitted is due.
    public var deadline: Duration? { events.isEmpty ? nil : .zero }

    /// Resolves the host and opens a socket; a name is resolved on the caller's thread.
    public func open(at now: Duration) {
        disconnect()
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard code == 0, let address = found?.pointee else {
            return fail("cannot resolve \(host): \(String(cString: gai_strerror(code)))")
        }
        let kind = address.ai_socktype | O_CLOEXEC | O_NONBLOCK
        descriptor = socket(address.ai_family, kind, address.ai_protocol)
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &isOn, socklen_t(MemoryLayout<Int32>.size))
        guard descriptor >= 0, connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
            let reason = SystemFailure("connect", code: errno).reason
            disconnect()
            return fail("cannot send to \(host), port \(port): \(reason)")
        }
        events.append(.opened)
    }

    /// Sends the datagrams of records; one that the system does not take at once is lost.
    public func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        for record in records {
            for datagram in target.datagrams(for: record.record) {
                // A reader that was not there is reported with the next datagram, which is then sent again.
                if Glibc.send(descriptor, datagram, datagram.count, 0) < 0, errno == ECONNREFUSED {
                    Glibc.send(descriptor, datagram, datagram.count, 0)
                }
            }
        }
        events.append(.decided(.taken, numbers: records.map(\.number)))
    }

    /// Closes the socket.
    public func close(at now: Duration) {
        disconnect()
        events.append(.closed)
    }

    /// Emits what has happened.
    public func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        let due = events
        events = []
        due.forEach(emit)
    }

    private func disconnect() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    private func fail(_ cause: String) { events.append(.failed(cause: cause, isRefusal: false)) }
}
