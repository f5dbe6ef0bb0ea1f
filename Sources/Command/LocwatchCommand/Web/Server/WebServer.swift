import CMicrohttpd
import Glibc
import LocwatchPlatform
import LocwatchTerminal

/// A server of HTTP on the loop of the session: libmicrohttpd without a thread of its own.
///
/// The text of a response is made in pieces while the client takes it, so that a client that takes nothing costs a piece at
/// most; the kernel keeps `sendBuffer` bytes for it. A reader of the events is suspended while there is nothing for it.
final class WebServer {
    /// The memory of a connection, which limits its request line and headers.
    private static let connectionMemory = 8 * 1024
    private static let blockSize = 4096
    /// The maximum number of blocks that a reader is sent at once, so that no reader keeps the session waiting.
    private static let roundLimit = 16
    private static let sendBuffer: Int32 = 64 * 1024
    /// The interval at which limits are checked and readers are shown that the connection is alive.
    private static let tick = Duration.seconds(1)
    private static let keepAlive = Duration.seconds(15)
    /// The number of ended connections whose memory is worth being returned to the system.
    private static let crowd = 32

    private let library: MicrohttpdLibrary
    private var listening: ListeningSockets
    private let gate: ConnectionGate
    private let answer: (WebRequest) -> WebResponse
    private let snapshot: (UInt64) -> TextPieces
    private var daemon: OpaquePointer?
    private let limits: WebLimits
    private let clock = ContinuousClock()
    /// The connections, each with the time by which its request must be there or its response taken, if any.
    private var connections: [Int32: ContinuousClock.Instant?] = [:]
    /// The number of connections with such a time.
    private var timed = 0
    /// The greatest number of connections since memory was returned to the system.
    private var peak = 0
    private var streams: [ObjectIdentifier: WebStream] = [:]
    /// The bytes of all responses that were made and not sent yet.
    private(set) var unsent = 0
    /// The number of times that a reader of the events was given some.
    private var deliveries = 0
    private var lastTick: ContinuousClock.Instant
    /// The time at which libmicrohttpd wants to be called without an event, if any.
    private var nextRun: ContinuousClock.Instant?
    private var nextKeepAlive: ContinuousClock.Instant
    /// The events for the readers.
    var backlog: EventBacklog

    /// Creates a server that listens.
    ///
    /// - Parameters:
    ///   - answer: Returns the response to a request.
    ///   - snapshot: Returns the text with which a new reader of the events begins; see `EventReader.next`.
    init(
        _ library: MicrohttpdLibrary, _ sockets: consuming ListeningSockets, session: String,
        limits: WebLimits = WebLimits(), snapshot: @escaping (UInt64) -> TextPieces,
        answer: @escaping (WebRequest) -> WebResponse
    ) throws(SystemFailure) {
        self.library = library
        self.answer = answer
        self.snapshot = snapshot
        listening = sockets
        gate = try ConnectionGate()
        backlog = EventBacklog(session: session)
        self.limits = Self.permitted(limits)
        lastTick = clock.now
        nextKeepAlive = clock.now + Self.keepAlive
        try listening.listen()
        var settings = locwatch_MHD_settings()
        settings.connection_limit = UInt32(self.limits.connections)
        settings.connection_memory = Self.connectionMemory
        settings.idle_seconds = limits.idleSeconds
        settings.answer = answerWebRequest
        settings.completed = webRequestCompleted
        settings.changed = webConnectionChanged
        settings.context = Unmanaged.passUnretained(self).toOpaque()
        guard let daemon = locwatch_MHD_start_daemon(library.table, &settings) else {
            throw SystemFailure("start the web server", code: ENOMEM)
        }
        self.daemon = daemon
    }

    deinit { stop() }

    /// Ends all connections.
    func stop() {
        guard let daemon else { return }
        self.daemon = nil
        // libmicrohttpd does not stop with suspended connections.
        for stream in streams.values { stream.resume(library) }
        locwatch_MHD_stop_daemon(library.table, daemon)
        listening.refuse()
    }

    /// The bytes of events after which `wake` must be called within a burst, so that quick readers miss nothing.
    static var burst: Int { roundLimit * blockSize / 2 }

    /// The port at which the server listens.
    var port: UInt16 { listening.port }

    /// The number of readers of the events.
    var streamCount: Int { streams.count }

    /// Raises the number of descriptors that the process may have, and returns the limits that they permit.
    private static func permitted(_ limits: WebLimits) -> WebLimits {
        var permitted = limits
        permitted.connections = min(
            limits.connections, max(16, (DescriptorLimit.raise(to: limits.descriptors) ?? 356) - 100))
        permitted.streams = min(limits.streams, permitted.connections - 16)
        return permitted
    }

    // MARK: The loop

    /// The real time after which `serve` must be called without an event.
    var waitLimit: Duration? {
        guard let daemon, let due = nextTick else { return nil }
        let tick = max(.zero, due - clock.now) + .milliseconds(1)
        let wait = locwatch_MHD_get_timeout(library.table, daemon)
        nextRun = wait < 0 ? nil : clock.now + .milliseconds(wait)
        return wait < 0 ? tick : min(tick, .milliseconds(wait))
    }

    /// The time at which limits must be checked or readers be shown that the connection is alive, if any.
    private var nextTick: ContinuousClock.Instant? {
        if !gate.isEmpty || timed > 0 || isCrowdGone || gate.pauseEnd.map({ $0 > clock.now }) ?? false {
            return lastTick + Self.tick
        }
        return connections.isEmpty ? nil : nextKeepAlive
    }

    /// Whether so many connections have ended that their memory should be returned to the system.
    private var isCrowdGone: Bool { peak - connections.count >= Self.crowd }

    private var room: Int { limits.connections - connections.count }

    func addDescriptors(to set: inout PollSet) {
        guard let daemon else { return }
        set.add(locwatch_MHD_descriptor(library.table, daemon), POLLIN)
        if !gate.isEmpty { set.add(gate.descriptor, POLLIN) }
        guard room > gate.count, !gate.isFull, gate.pauseEnd.map({ $0 <= clock.now }) ?? true else { return }
        for descriptor in listening.descriptors { set.add(descriptor, POLLIN) }
    }

    /// Serves what is ready.
    func serve(_ set: PollSet) {
        guard let daemon else { return }
        for descriptor in listening.descriptors where set.isReady(descriptor, POLLIN) {
            gate.accept(at: descriptor, limit: room, now: clock.now)
        }
        var mustRun =
            set.isReady(locwatch_MHD_descriptor(library.table, daemon)) || nextRun.map { clock.now >= $0 } ?? false
        if set.isReady(gate.descriptor) {
            for socket in gate.begun() { admit(socket, daemon) }
            mustRun = true
        }
        if let due = nextTick, clock.now >= due {
            expire()
            mustRun = true
        }
        // libmicrohttpd 1.0 makes a connection of an admitted socket only here, so that there may be none yet.
        if mustRun { locwatch_MHD_run(library.table, daemon) }
    }

    private func admit(_ socket: Int32, _ daemon: OpaquePointer) {
        var size = Self.sendBuffer
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getpeername(socket, address, &length) == 0 else { return _ = close(socket) }
                _ = locwatch_MHD_add_connection(library.table, daemon, socket, address, length)
            }
        }
    }

    /// Sends the new events to the readers.
    func wake() {
        guard let daemon, !streams.isEmpty else { return }
        for stream in streams.values { stream.resume(library) }
        // Each round sends one block to each reader that takes it, and one of each other response.
        for _ in 0..<Self.roundLimit {
            let before = deliveries
            locwatch_MHD_run(library.table, daemon)
            guard deliveries > before, locwatch_MHD_get_timeout(library.table, daemon) == 0 else { return }
        }
    }

    private func expire() {
        let now = clock.now
        lastTick = now
        gate.expire(at: now)
        for (socket, deadline) in connections {
            // libmicrohttpd closes the connection when it notices the end.
            if let deadline, now > deadline { shutdown(socket, Int32(SHUT_RDWR)) }
        }
        if isCrowdGone {
            FreedMemory.release()
            peak = connections.count
        }
        guard now >= nextKeepAlive else { return }
        nextKeepAlive = now + Self.keepAlive
        for stream in streams.values where stream.isSuspended {
            unsent -= stream.reader.size
            stream.reader.keepAlive()
            unsent += stream.reader.size
            stream.resume(library)
        }
    }

    // MARK: Requests

    /// Notes that a connection has started or ended.
    func note(_ connection: OpaquePointer, hasStarted: Bool) {
        let socket = locwatch_MHD_connection_descriptor(library.table, connection)
        if let deadline = connections.removeValue(forKey: socket), deadline != nil { timed -= 1 }
        guard hasStarted else { return }
        connections.updateValue(clock.now + limits.requestTime, forKey: socket)
        timed += 1
        peak = max(peak, connections.count)
    }

    /// Notes that the response to a request was sent, or that the connection has ended before.
    func noteEnd(ofRequestOf connection: OpaquePointer) { limit(connection, to: limits.requestTime) }

    /// Sets the time within which a connection must go on, if any.
    private func limit(_ connection: OpaquePointer, to time: Duration?) {
        let socket = locwatch_MHD_connection_descriptor(library.table, connection)
        guard let deadline = connections[socket] else { return }
        timed += (time == nil ? 0 : 1) - (deadline == nil ? 0 : 1)
        connections.updateValue(time.map { clock.now + $0 }, forKey: socket)
    }

    /// Answers a request.
    ///
    /// - Parameter isComplete: Whether the request is complete, and not only its headers.
    func respond(
        to connection: OpaquePointer, method: String, path: String, isComplete: Bool
    ) -> MHD_Result {
        limit(connection, to: limits.responseTime)
        func header(_ name: String) -> String? {
            locwatch_MHD_header(library.table, connection, name).map { String(cString: $0) }
        }
        let length = header("Content-Length").map { $0 != "0" } ?? false
        if length || header("Transfer-Encoding") != nil {
            return queue(.text(413, "a request has no content here"), on: connection, method)
        }
        // A response before the request is complete would end the connection.
        guard isComplete else { return locwatch_MHD_accept() }
        let request = WebRequest(
            method: method, path: path, host: header("Host"), authorization: header("Authorization"),
            cookie: header("Cookie"), lastEventID: header("Last-Event-ID"),
            isEncrypted: WebRequest.isEncrypted(
                forwarded: header("X-Forwarded-Proto"),
                from: SocketAddress.peer(of: locwatch_MHD_connection_descriptor(library.table, connection))))
        return queue(answer(request), on: connection, method)
    }

    private func queue(_ response: WebResponse, on connection: OpaquePointer, _ method: String) -> MHD_Result {
        let made: OpaquePointer?
        switch response.body {
        case .constant(let bytes):
            made = locwatch_MHD_create_response_of_constant(library.table, bytes.baseAddress, bytes.count)
        case _ where unsent >= limits.unsent: return queue(.busy, on: connection, method)
        case .bytes(let bytes):
            made = stream(TextPieces(bytes), size: bytes.count, on: connection)
        // libmicrohttpd 0.9.75 ends a response of unknown size with the last chunk for HEAD too.
        case .pieces where method == "HEAD", .events where method == "HEAD":
            made = locwatch_MHD_create_response_of_constant(library.table, "", 0)
        case .pieces(let pieces): made = stream(pieces, on: connection)
        case .events where streams.count >= limits.streams:
            return queue(.text(503, "too many readers", [("Retry-After", "30")]), on: connection, method)
        case .events(let name):
            limit(connection, to: nil)
            var reader = EventReader(after: name, in: backlog)
            made = stream(
                TextPieces { [unowned self] _ in reader.next(backlog, snapshot) }, isOfEvents: true, on: connection)
        }
        guard let made else { return locwatch_MHD_refuse() }
        _ = locwatch_MHD_add_response_header(library.table, made, "Content-Type", response.mediaType)
        for (name, value) in response.headers {
            _ = locwatch_MHD_add_response_header(library.table, made, name, value)
        }
        return locwatch_MHD_queue_response(library.table, connection, UInt32(response.status), made)
    }

    // MARK: Streams

    private func stream(
        _ pieces: TextPieces, size: Int = -1, isOfEvents: Bool = false, on connection: OpaquePointer
    ) -> OpaquePointer? {
        let stream = WebStream(self, connection, pieces, isOfEvents: isOfEvents)
        if isOfEvents { streams[ObjectIdentifier(stream)] = stream }
        return locwatch_MHD_create_response_from_callback(
            library.table, Int64(size), Self.blockSize, readWebStream, Unmanaged.passRetained(stream).toOpaque(),
            releaseWebStream)
    }

    /// Copies the next bytes of a response; ends a text after its last byte, and suspends a reader if there are no
    /// events for it.
    func read(_ stream: WebStream, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard daemon != nil else { return locwatch_MHD_end_of_stream() }
        unsent -= stream.reader.size
        defer { unsent += stream.reader.size }
        let count = stream.reader.read(into: buffer)
        guard stream.isOfEvents else { return count > 0 ? count : locwatch_MHD_end_of_stream() }
        if count > 0 { deliveries += 1 } else { stream.suspend(library) }
        return count
    }

    /// Forgets a response that was sent or whose connection has ended.
    func remove(_ stream: WebStream) {
        unsent -= stream.reader.size
        streams[ObjectIdentifier(stream)] = nil
    }
}
