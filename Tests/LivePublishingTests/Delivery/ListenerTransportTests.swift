import Glibc
import LocationCore
@testable import LocationPublishing
import LocwatchPlatform
import TestSupport
import Testing

@Suite(.serialized, .alone) struct ListenerTransportTests {
    private let listener = ListenerTransport(address: nil, port: 0, NMEATarget([.gga, .rmc]))
    private let rig: TransportRig

    init() { rig = TransportRig(listener) }

    /// Reads until a number of lines has come, or until the connection ends.
    private func text(from client: Int32, lines: Int) -> String {
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while text.count(where: { $0 == 0x0A }) < lines {
            let count = recv(client, &piece, piece.count, 0)
            guard count > 0 else { break }
            text += piece.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    @Test func `every program that is connected gets every record, and without one records count as taken`() throws {
        #expect(rig.events == [.opened(isAccepted: false)])
        rig.send(1)
        #expect(rig.events.last == .decided(.taken, numbers: [1]))
        let clients = try (0..<3).map { _ in try LoopbackPort.connect(to: listener.boundPort) }
        try rig.step { listener.clients.count == 3 }
        rig.send(1, times: 2)
        for client in clients {
            let lines = text(from: client, lines: 4)
            #expect(lines.hasPrefix("$GPGGA") && lines.hasSuffix("\r\n"))
            close(client)
        }
        #expect(rig.events.last == .decided(.taken, numbers: [3]))
    }

    @Test func `a program that does not read is disconnected, and the others lose nothing`() throws {
        let slow = try LoopbackPort.connect(to: listener.boundPort)
        let fast = try LoopbackPort.connect(to: listener.boundPort)
        var small: Int32 = 4096
        setsockopt(slow, SOL_SOCKET, SO_RCVBUF, &small, 4)
        try rig.step { listener.clients.count == 2 }
        var sent = 0
        while listener.clients.count == 2, sent < 200_000 {
            rig.send(1, times: 100)
            sent += 100
            #expect(text(from: fast, lines: 200).utf8.count(where: { $0 == 0x0A }) == 200)
        }
        #expect(listener.clients.count == 1)
        close(slow)
        close(fast)
    }

    @Test func `a program that has ended its own direction still gets records; one that has gone is removed`() throws {
        let client = try LoopbackPort.connect(to: listener.boundPort)
        _ = send(client, "hello", 5, 0)
        shutdown(client, Int32(SHUT_WR))
        try rig.step { listener.clients.count == 1 }
        rig.send(1)
        #expect(text(from: client, lines: 2).hasPrefix("$GPGGA"))
        close(client)
        try rig.step {
            if !listener.clients.isEmpty { rig.send(1) }
            return listener.clients.isEmpty
        }
    }

    @Test func `more programs than the limit are turned away`() throws {
        let clients = try (0..<(ListenerTransport.clientLimit + 5)).map { _ in
            let client = try LoopbackPort.connect(to: listener.boundPort)
            rig.step()
            return client
        }
        try rig.step { listener.clients.count == ListenerTransport.clientLimit }
        clients.forEach { close($0) }
    }

    @Test func `a port in use and an address of another machine are failures with their reason`() throws {
        let port = listener.boundPort
        let second = TransportRig(ListenerTransport(address: nil, port: port, NMEATarget()))
        #expect(
            second.events == [
                .failed(
                    cause: "cannot listen at localhost, port \(port): another program uses the port", isRefusal: false)
            ])
        let other = TransportRig(ListenerTransport(address: "192.0.2.1", port: 0, NMEATarget()))
        guard case .failed(let cause, _)? = other.events.first else { throw SystemFailure("fail", code: 0) }
        #expect(cause.hasPrefix("cannot listen at 192.0.2.1, port 0: "))
        #expect(other.transport.room == 0 && other.transport.poll.descriptor == -1)
    }

    @Test func `closing ends the connections and frees the port`() throws {
        let port = listener.boundPort
        let client = try LoopbackPort.connect(to: port)
        try rig.step { listener.clients.count == 1 }
        listener.close(at: .zero)
        rig.step()
        #expect(rig.events.last == .closed)
        #expect(text(from: client, lines: 1).isEmpty)
        close(client)
        let again = TransportRig(ListenerTransport(address: nil, port: port, NMEATarget()))
        #expect(again.events == [.opened(isAccepted: false)])
    }

    /// Reads what is there, until a number of bytes has come or the connection has ended.
    private func count(from client: Int32, atMost most: Int) -> Int {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(client, &piece, min(most, piece.count), Int32(MSG_DONTWAIT))
        return max(0, count)
    }

    @Test func `a program that stands still for a while gets the rest when it reads on, and nothing twice`() throws {
        let client = try LoopbackPort.connect(to: listener.boundPort)
        var small: Int32 = 4096
        setsockopt(client, SOL_SOCKET, SO_RCVBUF, &small, socklen_t(MemoryLayout<Int32>.size))
        try rig.step { listener.clients.count == 1 }
        let length = NMEATarget([.gga, .rmc]).datagrams(
            for: PublishRecord(
                .moved, created: Timestamp(secondsSince1970: 1.7e9),
                location: Location(coordinate: Coordinate(latitude: 10, longitude: 7)))
        ).joined().count
        rig.send(10, times: 1000)
        #expect(listener.clients.count == 1)
        var bytes = 0
        try rig.step {
            bytes += count(from: client, atMost: 1 << 16)
            return bytes == 1000 * length
        }
        for _ in 0..<10 { rig.step() }
        #expect(count(from: client, atMost: 10) == 0 && rig.tookAll)
        close(client)
    }

    @Test func `the thirty-third program takes the place of one that has ended its own direction`() throws {
        let clients = try (0..<32).map { _ in
            let client = try LoopbackPort.connect(to: listener.boundPort)
            rig.step()
            return client
        }
        try rig.step { listener.clients.count == 32 }
        let refused = try LoopbackPort.connect(to: listener.boundPort)
        // The end of the connection is there once the listener has accepted it.
        try rig.step {
            var byte: UInt8 = 0
            return recv(refused, &byte, 1, Int32(MSG_DONTWAIT)) == 0
        }
        #expect(listener.clients.count == 32)
        shutdown(clients[0], Int32(SHUT_WR))
        try rig.step { listener.clients.values.contains(where: \.hasInputEnded) }
        let late = try LoopbackPort.connect(to: listener.boundPort)
        try rig.step { !listener.clients.values.contains(where: \.hasInputEnded) }
        #expect(listener.clients.count == 32)
        rig.send(1)
        #expect(text(from: late, lines: 2).hasPrefix("$GPGGA"))
        (clients + [refused, late]).forEach { close($0) }
    }

    @Test func `a listener takes any number of records and waits for nothing but its programs`() throws {
        #expect(listener.room == 100 && listener.deadline == nil && listener.poll.descriptor >= 0)
        let lost = PublishRecord(.lost, created: Timestamp(secondsSince1970: 1), location: nil)
        let event = PublishRecord(
            .fence(.enter, name: "x"), created: Timestamp(secondsSince1970: 1), location: lost.location)
        listener.send([QueuedRecord(1, event), QueuedRecord(2, lost)], isOld: false, at: .zero)
        #expect(listener.deadline == .zero)
        rig.step()
        #expect(rig.events.suffix(2) == [.decided(.omitted, numbers: [1]), .decided(.taken, numbers: [2])])
        rig.close()
        #expect(listener.room == 0 && listener.poll.descriptor == -1 && listener.deadline == nil)
        #expect(listener.boundPort == 0)
        rig.open()
        try rig.step { listener.room == 100 }
    }

    @Test func `the socket of a program is its own, does not block, and keeps 64 KiB in the system`() throws {
        let client = try LoopbackPort.connect(to: listener.boundPort)
        try rig.step { listener.clients.count == 1 }
        let socket = try #require(listener.clients.keys.first)
        #expect(fcntl(socket, F_GETFD) == FD_CLOEXEC && fcntl(socket, F_GETFL) & O_NONBLOCK != 0)
        // The system doubles the size that it is given.
        #expect(option(SO_KEEPALIVE, of: socket) == 1 && option(SO_SNDBUF, of: socket) == 2 * 65_536)
        close(client)
    }

    @Test func `a program that has ended its direction, or has read everything, does not keep the thread busy`() throws
    {
        func isReady() -> Bool {
            var watched = pollfd(listener.poll)
            return poll(&watched, 1, 0) == 1
        }
        let client = try LoopbackPort.connect(to: listener.boundPort)
        try rig.step { listener.clients.count == 1 }
        #expect(!isReady())
        shutdown(client, Int32(SHUT_WR))
        try rig.step { listener.clients.values.contains(where: \.hasInputEnded) }
        #expect(!isReady())
        rig.send(1)
        #expect(!isReady() && text(from: client, lines: 2).hasPrefix("$GPGGA"))
        close(client)
        try rig.step {
            if !listener.clients.isEmpty { rig.send(1) }
            return listener.clients.isEmpty
        }
        #expect(!isReady())
    }

    @Test func `a program that resets its connection is removed while nothing is sent`() throws {
        let client = try LoopbackPort.connect(to: listener.boundPort)
        try rig.step { listener.clients.count == 1 }
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(client, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        close(client)
        try rig.step { listener.clients.isEmpty }
    }

    @Test func `a transport that is closed before its address is known opens no socket`() throws {
        let target = TextTarget(try PublishTemplate("%{lat}"), isLine: true)
        let transports: [any DeliveryTransport] = [
            ListenerTransport(address: nil, port: 0, target),
            ConnectionTransport(host: "127.0.0.1", port: listener.boundPort, target),
            DatagramTransport(host: "127.0.0.1", port: 9, target),
        ]
        for transport in transports {
            var events: [DeliveryEvent] = []
            transport.open(at: .zero)
            #expect(transport.poll.descriptor >= 0 && transport.poll.events == Int16(POLLIN))
            transport.close(at: .zero)
            for _ in 0..<2 { transport.step(at: .zero) { events.append($0) } }
            #expect(events == [.closed] && transport.room == 0 && transport.poll.descriptor == -1)
        }
    }

    @Test func `a listener that is closed while programs wait for a descriptor has no time to wait for`() throws {
        let first = try LoopbackPort.connect(to: listener.boundPort)
        stepWithoutDescriptors(beside: first, at: .seconds(5))
        #expect(listener.deadline == .seconds(6))
        rig.close()
        #expect(listener.deadline == nil)
        close(first)
    }

    @Test func `without a free descriptor programs wait for a second, and are then accepted`() throws {
        let first = try LoopbackPort.connect(to: listener.boundPort)
        stepWithoutDescriptors(beside: first, at: .seconds(5))
        #expect(listener.clients.isEmpty && listener.deadline == .seconds(6))
        rig.step(at: .milliseconds(5999))
        #expect(listener.clients.isEmpty && listener.deadline == .seconds(6))
        rig.step(at: .seconds(6))
        rig.step(at: .seconds(6))
        #expect(listener.clients.count == 1 && listener.deadline == nil)
        close(first)
    }

    /// Steps the listener while this process can open no further file.
    private func stepWithoutDescriptors(beside first: Int32, at now: Duration) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        getrlimit(resource, &limit)
        // The next descriptor of this process has a number of the limit or more.
        let next = dup(first)
        close(next)
        let usual = exchange(&limit.rlim_cur, with: rlim_t(next))
        setrlimit(resource, &limit)
        rig.step(at: now)
        limit.rlim_cur = usual
        setrlimit(resource, &limit)
    }
}
