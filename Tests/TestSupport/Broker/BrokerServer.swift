import Glibc
import LocwatchPlatform
import LocwatchSupport

/// The sockets of a scripted broker, and the work of its thread.
final class BrokerServer: Sendable {
    let port: UInt16

    private let listener: Int32
    private let wake: Event
    let broker: Watched<ScriptedBroker>
    private let isStopped = Lock(false)

    private struct Connection {
        var number: Int
        /// The bytes that the socket has not taken yet.
        var unsent: [UInt8] = []
    }

    init(_ broker: ScriptedBroker) throws(SystemFailure) {
        self.broker = Watched(broker)
        wake = try Event()
        let reserved = ReservedPort()
        (listener, port) = (reserved.descriptor, reserved.number)
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        listen(listener, 128)
    }

    deinit { close(listener) }

    /// Changes the broker and sends what follows from that.
    func change(_ body: @Sendable (inout ScriptedBroker, Duration) -> Void) {
        broker.change { body(&$0, Self.now) }
        wake.happen()
    }

    func stop() {
        isStopped.withLock { $0 = true }
        wake.happen()
    }

    private static var now: Duration { .nanoseconds(HostClock.nanoseconds(.awake)) }

    // MARK: The thread

    func run() {
        var connections: [Int32: Connection] = [:]
        defer { for descriptor in connections.keys { close(descriptor) } }
        while true {
            if isStopped.withLock({ $0 }) { return }
            let left = broker.value.deadline.map { max(.zero, $0 - Self.now).wholeMilliseconds } ?? -1
            var watched = [
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            for (descriptor, connection) in connections {
                let events = Int16(connection.unsent.isEmpty ? POLLIN : POLLIN | POLLOUT)
                watched.append(pollfd(fd: descriptor, events: events, revents: 0))
            }
            Glibc.poll(&watched, nfds_t(watched.count), left)
            wake.clear()
            accept(&connections)
            for entry in watched.dropFirst(2) where entry.revents & ~Int16(POLLOUT) != 0 {
                receive(entry.fd, &connections)
            }
            send(&connections)
        }
    }

    private func accept(_ connections: inout [Int32: Connection]) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            connections[descriptor] = Connection(number: broker.change { $0.accept() })
        }
    }

    private func receive(_ descriptor: Int32, _ connections: inout [Int32: Connection]) {
        guard let number = connections[descriptor]?.number else { return }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 {
            let received = Array(bytes.prefix(count))
            broker.change { $0.receive(received, on: number, at: Self.now) }
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            end(descriptor, &connections)
        }
    }

    private func send(_ connections: inout [Int32: Connection]) {
        for (descriptor, connection) in connections {
            let (bytes, isClosed) = broker.change { $0.takeOutput(of: connection.number, at: Self.now) }
            var unsent = connection.unsent + bytes
            if !unsent.isEmpty {
                let count = Glibc.send(descriptor, unsent, unsent.count, Int32(MSG_NOSIGNAL))
                if count > 0 { unsent.removeFirst(count) }
                connections[descriptor]?.unsent = unsent
            }
            if isClosed, unsent.isEmpty { end(descriptor, &connections) }
        }
    }

    private func end(_ descriptor: Int32, _ connections: inout [Int32: Connection]) {
        guard let connection = connections.removeValue(forKey: descriptor) else { return }
        broker.change { $0.forget(connection.number, at: Self.now) }
        close(descriptor)
    }
}
