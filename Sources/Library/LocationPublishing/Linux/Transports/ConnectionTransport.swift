import Glibc
import LocwatchPlatform

/// The transport of records as bytes over TCP to a program that accepts connections; each record counts as taken when the system
/// has taken its bytes.
///
/// A program that stands still is disconnected, so that it gets no old positions when it goes on, unless the target keeps a queue, in
/// which records then wait.
final class ConnectionTransport: DeliveryTransport {
    private let target: any StreamTarget
    private let host: String
    private let port: UInt16
    private let keepsQueue: Bool
    private let connectionTimeout: Duration
    /// The socket, or −1, which can be closed without an effect.
    private var descriptor: Int32 = -1
    private var lookup: HostLookup?
    /// The addresses that were not tried yet.
    private var addresses: ArraySlice<SocketAddress> = []
    private var isConnected = false
    /// The time after which a connection is not waited for any more.
    private var limit: Duration?
    private var waiting: ArraySlice<UInt8> = []
    /// The records whose bytes wait, each with the number of bytes up to its end.
    private var unsent: ArraySlice<(number: UInt64, bytesLeft: Int)> = []
    private var isClosing = false
    private var events: [DeliveryEvent] = []

    /// The number of bytes that wait for a slow program, beyond the buffer of the system.
    static let waitingLimit = 1 << 16
    private static let piece = 4096

    init(
        host: String, port: UInt16, _ target: any StreamTarget, keepsQueue: Bool = false,
        connectionTimeout: Duration = .seconds(10)
    ) {
        self.host = host
        self.port = port
        self.target = target
        self.keepsQueue = keepsQueue
        self.connectionTimeout = connectionTimeout
    }

    deinit { Glibc.close(descriptor) }

    /// Any number of records while connected; with a queue, only while the program reads.
    var room: Int {
        isConnected && !isClosing && (!keepsQueue || waiting.count < Self.waitingLimit) ? 100 : 0
    }

    var poll: (descriptor: Int32, events: Int16) {
        if let lookup { return (lookup.descriptor, Int16(POLLIN)) }
        guard isConnected else { return (descriptor, Int16(POLLOUT)) }
        return (descriptor, Int16(waiting.isEmpty ? POLLIN : POLLIN | POLLOUT))
    }

    var deadline: Duration? { events.isEmpty ? limit : .zero }

    /// Begins to resolve the host, to whose addresses it then connects one after another.
    func open(at now: Duration) {
        disconnect()
        isClosing = false
        limit = now + connectionTimeout
        do throws(SystemFailure) { lookup = try HostLookup(host, port: port) } catch {
            fail("\(error)")
        }
    }

    /// Sends the bytes of records, as far as that is possible without waiting.
    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        var omitted: [UInt64] = []
        for record in records {
            let bytes = target.datagrams(for: record.record).flatMap(\.self)
            guard !bytes.isEmpty else {
                omitted.append(record.number)
                continue
            }
            waiting += bytes
            unsent.append((record.number, waiting.count))
        }
        if !omitted.isEmpty { events.append(.decided(.omitted, numbers: omitted)) }
        write()
    }

    func close(at now: Duration) {
        isClosing = true
        endIfSent()
    }

    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        if let lookup {
            if let outcome = lookup.outcome { begin(outcome) }
        } else if isConnected {
            discardInput()
            write()
        } else {
            checkConnection()
        }
        if let limit, now >= limit, !isConnected { fail("no connection within \(connectionTimeout)") }
        endIfSent()
        exchange(&events, with: []).forEach(emit)
    }

    // MARK: The connection

    private func begin(_ outcome: HostLookup.Outcome) {
        lookup = nil
        switch outcome {
        case .failure(let cause): fail(cause)
        case .addresses(let found):
            addresses = found[...]
            connectToNext(after: EHOSTUNREACH)
        }
    }

    /// Connects to the next address; the failure of the last one is that of the host.
    private func connectToNext(after code: Int32) {
        var code = code
        while let address = addresses.popFirst() {
            dropSocket()
            descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
            guard descriptor >= 0 else {
                code = errno
                continue
            }
            // A program whose machine was switched off is noticed even while nothing is sent.
            SocketOption.turnOn(SO_KEEPALIVE, of: descriptor)
            // The system's own buffer would grow to megabytes of old positions.
            SocketOption.set(SO_SNDBUF, to: Int32(Self.waitingLimit), of: descriptor)
            if address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 { return establish() }
            code = errno
            if code == EINPROGRESS { return }
        }
        fail("cannot connect to \(host), port \(port): \(SystemFailure("connect", code: code).reason)")
    }

    private func checkConnection() {
        guard PollSet.wait(for: descriptor, POLLOUT, within: .zero) else { return }
        var (code, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        if code == 0 { establish() } else { connectToNext(after: code) }
    }

    private func establish() {
        isConnected = true
        limit = nil
        events.append(.opened(isAccepted: true))
    }

    /// Discards what the program sends, such as a greeting, and notices the end of the connection.
    private func discardInput() {
        var bytes = [UInt8](repeating: 0, count: Self.piece)
        for _ in 0..<16 {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 { continue }
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            return fail("the program has closed the connection")
        }
    }

    private func write() {
        while isConnected, !waiting.isEmpty {
            let count = waiting.withUnsafeBytes { bytes in
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else {
                return fail("the connection has ended: \(SystemFailure("send", code: errno).reason)")
            }
            waiting = waiting.dropFirst(count)
            note(sent: count)
        }
        if isConnected, !keepsQueue, waiting.count > Self.waitingLimit {
            fail("the program reads too slowly")
        }
    }

    /// Notes that bytes were sent, which decides the fate of the records that end in them.
    private func note(sent count: Int) {
        var taken: [UInt64] = []
        for index in unsent.indices { unsent[index].bytesLeft -= count }
        while let first = unsent.first, first.bytesLeft <= 0 {
            taken.append(first.number)
            unsent.removeFirst()
        }
        if !taken.isEmpty { events.append(.decided(.taken, numbers: taken)) }
    }

    private func endIfSent() {
        guard isClosing, waiting.isEmpty || !isConnected else { return }
        isClosing = false
        disconnect()
        events.append(.closed)
    }

    // MARK: The end

    private func fail(_ cause: String) {
        disconnect()
        events.append(.failed(cause: cause, isRefusal: false))
    }

    private func disconnect() {
        dropSocket()
        lookup = nil
        addresses = []
        isConnected = false
        limit = nil
        waiting = []
        unsent = []
    }

    private func dropSocket() {
        Glibc.close(descriptor)
        descriptor = -1
    }
}
