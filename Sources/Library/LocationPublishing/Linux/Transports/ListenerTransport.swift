import Glibc
import LocwatchPlatform

/// The transport of records to programs that connect by TCP or to a Unix socket, such as chart plotters.
///
/// There are no acknowledgements: a record counts as taken when it was handed to all programs that are connected, even if
/// there are none. A program that does not read is disconnected, so that it delays no other.
final class ListenerTransport: DeliveryTransport {
    static let clientLimit = 32
    /// The time after which connections are accepted again when the system had no descriptor left.
    private static let pause = Duration.seconds(1)

    private let address: String?
    private let port: UInt16
    /// The Unix socket in the place of a port, if any.
    private let entry: SocketEntry?
    private let target: any StreamTarget
    private var group: PollGroup?
    private var lookup: HostLookup?
    private var listeners: [Int32] = []
    private(set) var clients: [Int32: ListenerClient] = [:]
    private var pauseEnd: Duration?
    private var events: [DeliveryEvent] = []

    /// Creates a transport that listens at an address of this machine; `nil` stands for the loopback addresses.
    init(address: String?, port: UInt16, _ target: any StreamTarget) {
        self.address = address
        self.port = port
        self.target = target
        entry = nil
    }

    /// Creates a transport that accepts connections at a path, which it claims at once.
    init(path: String, mode: UInt32, _ target: any StreamTarget) throws(SystemFailure) {
        address = nil
        port = 0
        self.target = target
        let entry = SocketEntry(path: path, mode: mode)
        self.entry = entry
        listeners = [try entry.listen()]
    }

    deinit { disconnect() }

    /// Any number of records, while the port is open.
    var room: Int { listeners.isEmpty ? 0 : 100 }

    /// The descriptor of the ports and of all connections.
    var poll: (descriptor: Int32, events: Int16) {
        (lookup?.descriptor ?? group?.descriptor ?? -1, Int16(POLLIN))
    }

    var deadline: Duration? { events.isEmpty ? pauseEnd : .zero }

    /// The port of the first socket, which the system has chosen if it was given as 0.
    var boundPort: UInt16 { listeners.first.map { SocketAddress.port(of: $0) } ?? 0 }

    // MARK: Delivery

    func open(at now: Duration) {
        do throws(SystemFailure) {
            if let entry {
                let listeners = try listeners.isEmpty ? [entry.listen()] : listeners
                self.listeners = listeners
                let group = try PollGroup()
                guard group.watch(listeners[0], for: POLLIN) else { throw SystemFailure("watch a socket", code: errno) }
                self.group = group
                return events.append(.opened(isAccepted: false))
            }
            disconnect()
            group = try PollGroup()
            lookup = try HostLookup(address ?? "127.0.0.1", port: port)
        } catch {
            fail("\(error)")
        }
    }

    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        do throws(SystemFailure) { try entry?.checkIsInPlace() } catch { return fail("\(error)") }
        var bytes: [UInt8] = []
        var decisions = StreamDecisions()
        for record in records { bytes += decisions.datagrams(for: record, by: target).joined() }
        events += decisions.events
        for (descriptor, client) in clients where !client.send(bytes) { drop(descriptor) }
        watchClients()
    }

    func close(at now: Duration) {
        disconnect()
        events.append(.closed)
    }

    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        listen()
        if let end = pauseEnd, now >= end {
            pauseEnd = nil
            for listener in listeners { _ = group?.watch(listener, for: POLLIN) }
        }
        for descriptor in group?.ready() ?? [] {
            if listeners.contains(descriptor) {
                accept(at: descriptor, now)
            } else if let client = clients[descriptor], !client.process() {
                drop(descriptor)
            }
        }
        watchClients()
        exchange(&events, with: []).forEach(emit)
    }

    // MARK: Sockets

    private func listen() {
        guard let outcome = lookup?.outcome else { return }
        lookup = nil
        switch outcome {
        case .failure(let cause): fail(cause)
        case .addresses(let addresses):
            var failure = EHOSTUNREACH
            for address in addresses {
                let listener = socket(address.family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
                // A port whose last connections have just ended is free.
                if listener >= 0, SocketOption.turnOn(SO_REUSEADDR, of: listener),
                    address.withPointer({ bind(listener, $0, $1) }) == 0, Glibc.listen(listener, SOMAXCONN) == 0,
                    group?.watch(listener, for: POLLIN) == true
                {
                    listeners.append(listener)
                } else {
                    failure = errno
                    Glibc.close(listener)
                }
            }
            guard listeners.isEmpty else { return events.append(.opened(isAccepted: false)) }
            let place = "\(self.address ?? "localhost"), port \(port)"
            fail(
                failure == EADDRINUSE
                    ? "cannot listen at \(place): another program uses the port"
                    : "cannot listen at \(place): \(SystemFailure("listen", code: failure).reason)")
        }
    }

    private func accept(at listener: Int32, _ now: Duration) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else {
                if SystemFailure.isShortage(errno) {
                    pauseEnd = now + Self.pause
                    listeners.forEach { group?.remove($0) }
                }
                return
            }
            let client = ListenerClient(descriptor)
            if clients.count >= Self.clientLimit, let ended = clients.first(where: \.value.hasInputEnded) {
                drop(ended.key)
            }
            guard clients.count < Self.clientLimit, group?.watch(descriptor, for: POLLIN) == true else { continue }
            clients[descriptor] = client
        }
    }

    private func watchClients() {
        for (descriptor, client) in clients {
            guard let events = client.changedEvents() else { continue }
            if group?.watch(descriptor, for: events) != true { drop(descriptor) }
        }
    }

    private func drop(_ descriptor: Int32) {
        group?.remove(descriptor)
        clients[descriptor] = nil
    }

    private func disconnect() {
        lookup = nil
        clients = [:]
        listeners.forEach { Glibc.close($0) }
        listeners = []
        entry?.remove()
        group = nil
        pauseEnd = nil
    }

    private func fail(_ cause: String) {
        disconnect()
        events.append(.failed(cause: cause, isRefusal: false))
    }
}
