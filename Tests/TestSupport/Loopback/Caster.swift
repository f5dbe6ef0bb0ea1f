import Foundation
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A caster on loopback that plays corrections, or what a receiver sends, to one client at a time, and records what it
/// sends and gets.
package final class Caster: Sendable {
    /// The behaviour towards a request for the corrections.
    package enum Manner: Sendable {
        /// The messages, every 50 milliseconds.
        case corrections
        /// The messages without any protocol, as the server of a base or of a receiver sends them.
        case plain
        /// An answer, and nothing after it.
        case silent
        case mute
        /// Random bytes and sentences instead of messages.
        case garbage
        /// The table of the caster, as for a mountpoint that it does not have.
        case table
        case page
        /// The beginning of an answer in chunks, and zeros without end as the size of the first one.
        case endless
    }

    package static let mountpoint = "MOUNT"

    package let port: UInt16
    private let listener: Int32
    private let manner: Manner
    private let login: String?
    private let wantsPosition: Bool
    private let message: @Sendable (Int) -> [UInt8]
    private let state = Lock(State())
    private let thread = Lock<NativeThread?>(nil)

    private struct State: Sendable {
        var connections = 0
        var clients = 0
        var sent: [[UInt8]] = []
        var received: [String] = []
        var isClosing = false
        var isOver = false
    }

    /// Starts a caster; one that is not started reserves a port, which refuses connections until `start()`.
    ///
    /// - Parameter message: Returns the message with a number, by default one of RTCM 3.
    package init(
        _ manner: Manner = .corrections, login: String? = nil, wantsPosition: Bool = false, at port: UInt16 = 0,
        isStarted: Bool = true, message: @escaping @Sendable (Int) -> [UInt8] = { Caster.message($0) }
    ) {
        self.manner = manner
        self.login = login
        self.wantsPosition = wantsPosition
        self.message = message
        let reserved = ReservedPort(port)
        listener = reserved.descriptor
        self.port = reserved.number
        if isStarted { start() }
    }

    deinit { close(listener) }

    /// The number of connections so far.
    package var connections: Int { state.withLock { $0.connections } }
    /// The number of clients that are connected.
    package var clients: Int { state.withLock { $0.clients } }
    package var sent: [[UInt8]] { state.withLock { $0.sent } }
    /// The requests and the lines after them.
    package var received: [String] { state.withLock { $0.received } }

    /// Accepts connections, on a thread that holds the caster until `stop()`.
    package func start() {
        listen(listener, 8)
        thread.withLock { $0 = try? NativeThread { self.serve() } }
    }

    package func hangUp() { state.withLock { $0.isClosing = true } }

    /// Ends the caster: its port refuses connections once this returns.
    package func stop() {
        state.withLock { $0.isOver = true }
        thread.withLock { $0?.join() }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    // MARK: The thread

    private func serve() {
        while !state.withLock({ $0.isOver }) {
            guard isReady(listener), case let client = accept(listener, nil, nil), client >= 0 else { continue }
            state.withLock {
                $0.connections += 1
                $0.clients += 1
                $0.isClosing = false
            }
            answer(client)
            close(client)
            state.withLock { $0.clients -= 1 }
        }
    }

    private func isReady(_ descriptor: Int32, within milliseconds: Int32 = 20) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, milliseconds) > 0
    }

    private var mustEnd: Bool { state.withLock { $0.isClosing || $0.isOver } }

    private func answer(_ client: Int32) {
        if manner == .plain { return play(message, to: client) }
        guard let request = line(from: client, endingWith: "\r\n\r\n") else { return }
        state.withLock { $0.received.append(request) }
        let table =
            "SOURCETABLE 200 OK\r\nContent-Type: text/plain\r\n\r\nSTR;\(Self.mountpoint);Test;RTCM 3.2;1005(1);2;GPS;NET;AUT;"
            + "48.2;16.4;\(wantsPosition ? 1 : 0);0;sim;none;B;N;9600;\r\nENDSOURCETABLE\r\n"
        if manner == .endless { return sendEndlessSize(to: client) }
        if request.hasPrefix("GET / ") { return send(table, to: client) }
        switch manner {
        case .mute: return wait(client)
        case .page: return send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>\r\n", to: client)
        case .table: return send(table, to: client)
        case .corrections, .plain, .silent, .garbage, .endless: break
        }
        guard request.hasPrefix("GET /\(Self.mountpoint) ") else { return send(table, to: client) }
        let isWelcome =
            login.map { request.contains("Authorization: Basic \(Data($0.utf8).base64EncodedString())\r\n") } ?? true
        guard isWelcome else { return send("HTTP/1.0 401 Unauthorized\r\n\r\n", to: client) }
        send("ICY 200 OK\r\n", to: client)
        switch manner {
        case .silent: wait(client)
        case .garbage: play(Self.garbage, to: client)
        default: play(message, to: client)
        }
    }

    /// Sends messages until the end, and records the lines that come.
    private func play(_ message: (Int) -> [UInt8], to client: Int32) {
        while !mustEnd {
            let frame = message(sent.count)
            state.withLock { $0.sent.append(frame) }
            guard Glibc.send(client, frame, frame.count, Int32(MSG_NOSIGNAL)) == frame.count else { return }
            if isReady(client, within: 50) {
                guard let line = line(from: client, endingWith: "\r\n") else { return }
                state.withLock { $0.received.append(line) }
            }
        }
    }

    private func wait(_ client: Int32) {
        while !mustEnd {
            if isReady(client), line(from: client, endingWith: "\n") == nil { return }
        }
    }

    private func sendEndlessSize(to client: Int32) {
        send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", to: client)
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 65_536)
        while !mustEnd, Glibc.send(client, zeros, zeros.count, Int32(MSG_NOSIGNAL)) > 0 {}
    }

    private func send(_ text: String, to client: Int32) {
        _ = Glibc.send(client, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    }

    private func line(from client: Int32, endingWith end: String) -> String? {
        var bytes: [UInt8] = []
        while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8), bytes.count < 65_536 {
            guard !mustEnd else { return nil }
            guard isReady(client) else { continue }
            var byte: UInt8 = 0
            guard recv(client, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Messages

    private static func garbage(_ number: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(number))
        return (0..<64).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            + Array("\r\n$GPGGA,garbage\r\n{\"class\":\"TPV\",\"mode\":3,\"lat\":1,\"lon\":1}\r\n".utf8)
    }

    /// Returns a message of RTCM 3 with its frame; each number has another one.
    package static func message(_ number: Int) -> [UInt8] {
        // The number of the message, 1005, and then anything.
        var payload: [UInt8] = [0x3E, 0xD0]
        payload += (0..<(17 + number % 200)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number &* 7) }
        payload += [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
        let bytes = [0xD3, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
        // CRC-24Q, one bit after the other.
        var sum: UInt32 = 0
        for byte in bytes {
            sum ^= UInt32(byte) << 16
            for _ in 0..<8 { sum = sum & 0x80_0000 == 0 ? sum << 1 : (sum << 1) ^ 0x186_4CFB }
        }
        return bytes + [UInt8(sum >> 16 & 0xFF), UInt8(sum >> 8 & 0xFF), UInt8(sum & 0xFF)]
    }
}
