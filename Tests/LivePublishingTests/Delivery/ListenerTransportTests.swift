import Glibc
import LocationCore
@testable import LocationPublishing
import LocwatchPlatform
import TestSupport
import Testing

@Suite(.serialized, .alone) struct ListenerTransportTests {
    /// A listener at a free port, stepped by the test.
    private final class Rig {
        let transport: ListenerTransport
        var events: [DeliveryEvent] = []
        private var number: UInt64 = 0

        init(address: String? = nil, port: UInt16 = 0) {
            transport = ListenerTransport(address: address, port: port, NMEATarget([.gga, .rmc]))
            transport.open(at: .zero)
        }

        var port: UInt16 { transport.boundPort }

        func step(at now: Duration = .zero) { transport.step(at: now) { events.append($0) } }

        /// Steps until a condition holds, for 20 s at most.
        func step(until condition: () -> Bool) {
            for _ in 0..<2_000 where !condition() {
                step()
                var watched = pollfd(fd: transport.poll.descriptor, events: transport.poll.events, revents: 0)
                if !condition() { poll(&watched, 1, 10) }
            }
            #expect(condition())
        }

        func send(_ count: Int = 1) {
            for _ in 0..<count {
                number += 1
                transport.send([QueuedRecord(number, record(0))], isOld: false, at: .zero)
                step()
            }
        }
    }

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
        let rig = Rig()
        rig.step()
        #expect(rig.events == [.opened(isAccepted: false)])
        rig.send()
        #expect(rig.events.last == .decided(.taken, numbers: [1]))
        let clients = try (0..<3).map { _ in try LoopbackPort.connect(to: rig.port) }
        rig.step { rig.transport.clientCount == 3 }
        rig.send(2)
        for client in clients {
            let lines = text(from: client, lines: 4)
            #expect(lines.hasPrefix("$GPGGA") && lines.hasSuffix("\r\n"))
            close(client)
        }
        #expect(rig.events.last == .decided(.taken, numbers: [3]))
    }

    @Test func `a program that does not read is disconnected, and the others lose nothing`() throws {
        let rig = Rig()
        rig.step()
        let (slow, fast) = (try LoopbackPort.connect(to: rig.port), try LoopbackPort.connect(to: rig.port))
        var small: Int32 = 4096
        setsockopt(slow, SOL_SOCKET, SO_RCVBUF, &small, 4)
        rig.step { rig.transport.clientCount == 2 }
        var sent = 0
        while rig.transport.clientCount == 2, sent < 200_000 {
            rig.send(100)
            sent += 100
            #expect(text(from: fast, lines: 200).utf8.count(where: { $0 == 0x0A }) == 200)
        }
        #expect(rig.transport.clientCount == 1)
        close(slow)
        close(fast)
    }

    @Test func `a program that has ended its own direction still gets records; one that has gone is removed`() throws {
        let rig = Rig()
        rig.step()
        let client = try LoopbackPort.connect(to: rig.port)
        _ = send(client, "hello", 5, 0)
        shutdown(client, Int32(SHUT_WR))
        rig.step { rig.transport.clientCount == 1 }
        rig.send()
        #expect(text(from: client, lines: 2).hasPrefix("$GPGGA"))
        close(client)
        rig.step {
            if rig.transport.clientCount > 0 { rig.send() }
            return rig.transport.clientCount == 0
        }
    }

    @Test func `more programs than the limit are turned away`() throws {
        let rig = Rig()
        rig.step()
        let clients = try (0..<(ListenerTransport.clientLimit + 5)).map { _ in
            let client = try LoopbackPort.connect(to: rig.port)
            rig.step()
            return client
        }
        rig.step { rig.transport.clientCount == ListenerTransport.clientLimit }
        clients.forEach { close($0) }
    }

    @Test func `a port in use and an address of another machine are failures with their reason`() throws {
        let first = Rig()
        first.step()
        let second = Rig(port: first.port)
        second.step()
        #expect(
            second.events == [
                .failed(
                    cause: "cannot listen at localhost, port \(first.port): another program uses the port",
                    isRefusal: false)
            ])
        let other = Rig(address: "192.0.2.1")
        other.step()
        guard case .failed(let cause, _)? = other.events.first else { throw SystemFailure("fail", code: 0) }
        #expect(cause.hasPrefix("cannot listen at 192.0.2.1, port 0: "))
        #expect(other.transport.room == 0 && other.transport.poll.descriptor == -1)
    }

    @Test func `closing ends the connections and frees the port`() throws {
        let rig = Rig()
        rig.step()
        let port = rig.port
        let client = try LoopbackPort.connect(to: port)
        rig.step { rig.transport.clientCount == 1 }
        rig.transport.close(at: .zero)
        rig.step()
        #expect(rig.events.last == .closed)
        #expect(text(from: client, lines: 1).isEmpty)
        close(client)
        let again = Rig(port: port)
        again.step()
        #expect(again.events == [.opened(isAccepted: false)])
    }
}
