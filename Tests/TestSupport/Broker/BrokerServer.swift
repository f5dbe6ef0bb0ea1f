import Glibc
import LocwatchPlatform
import LocwatchSupport

/// The listening socket of a scripted broker, and the work of its thread.
final class BrokerServer: Sendable {
    let port: UInt16
    let broker: Watched<ScriptedBroker>

    private let listener: Int32
    private let wake: Event
    private let isStopped = Lock(false)

    init(_ script: [[BrokerFault]]) throws(SystemFailure) {
        broker = Watched(ScriptedBroker(script))
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
        while !isStopped.withLock({ $0 }) {
            let deadline = broker.change { $0.flush(at: Self.now) }
            let connections = broker.value.sockets
            var watched = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            watched.append(pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0))
            watched += connections.map { pollfd(fd: $0.socket, events: Int16($0.events), revents: 0) }
            poll(&watched, nfds_t(watched.count), deadline.map { max(.zero, $0 - Self.now).wholeMilliseconds } ?? -1)
            wake.clear()
            accept()
            for (connection, entry) in zip(connections, watched[2...]) where entry.revents & ~Int16(POLLOUT) != 0 {
                receive(connection.socket, connection.number)
            }
        }
        for connection in broker.value.sockets { close(connection.socket) }
    }

    private func accept() {
        while case let socket = Glibc.accept(listener, nil, nil), socket >= 0 {
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            broker.change { $0.accept(socket) }
        }
    }

    private func receive(_ socket: Int32, _ number: Int) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count > 0 {
            let received = Array(bytes.prefix(count))
            broker.change { $0.receive(received, on: number, at: Self.now) }
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            broker.change { $0.forget(number, at: Self.now) }
        }
    }
}
