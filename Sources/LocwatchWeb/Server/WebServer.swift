import CMicrohttpd
import Glibc
import LocwatchPlatform
import LocwatchTerminal

/// A server of HTTP on the loop of the session: libmicrohttpd without a thread of its own.
///
/// A reader of the events is suspended while there is nothing for it, and then costs nothing. One that takes nothing for
/// `idleSeconds` although there is something is closed; the kernel keeps at most `sendBuffer` bytes for it.
final class WebServer {
    /// The maximum number of connections, of which `streamLimit` can be readers of the events.
    static let connectionLimit = 1100
    static let streamLimit = 1024
    /// The memory of a connection, which limits its request line and headers.
    private static let connectionMemory = 8 * 1024
    private static let idleSeconds: UInt32 = 30
    private static let blockSize = 4096
    /// The maximum number of blocks that a reader is sent at once, so that no reader keeps the session waiting.
    private static let roundLimit = 16
    private static let sendBuffer: Int32 = 64 * 1024
    /// The time for the headers of a request, and between two requests.
    private static let requestTime = Duration.seconds(30)
    /// The interval at which limits are checked and readers are shown that the connection is alive.
    private static let tick = Duration.seconds(1)
    private static let keepAlive = Duration.seconds(15)

    private let library: MicrohttpdLibrary
    private var listening: ListeningSockets
    private let gate: ConnectionGate
    private let answer: (WebRequest) -> WebResponse
    private let snapshot: (UInt64) -> [UInt8]
    private var daemon: OpaquePointer?
    private let limit: Int
    private let clock = ContinuousClock()
    /// The connections, each with the time since which a request is awaited, or `nil` during a response.
    private var connections: [Int32: ContinuousClock.Instant?] = [:]
    private var streams: [ObjectIdentifier: WebStream] = [:]
    /// The number of connections from which a request is awaited.
    private var awaited = 0
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
    ///   - snapshot: Returns the text with which a new reader of the events begins; see `EventReader.read`.
    init(
        _ library: MicrohttpdLibrary, _ sockets: consuming ListeningSockets, session: String,
        snapshot: @escaping (UInt64) -> [UInt8], answer: @escaping (WebRequest) -> WebResponse
    ) throws(SystemFailure) {
        self.library = library
        self.answer = answer
        self.snapshot = snapshot
        listening = sockets
        gate = try ConnectionGate()
        backlog = EventBacklog(session: session)
        limit = Self.raiseLimit()
        lastTick = clock.now
        nextKeepAlive = clock.now + Self.keepAlive
        try listening.listen()
        var settings = locwatch_MHD_settings()
        settings.connection_limit = UInt32(limit)
        settings.connection_memory = Self.connectionMemory
        settings.idle_seconds = Self.idleSeconds
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

    /// Raises the number of descriptors that the process may have, and returns how many connections that permits.
    private static func raiseLimit() -> Int {
        var limits = rlimit()
        let wanted = rlim_t(connectionLimit + 400)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return 256 }
        if limits.rlim_cur < wanted {
            limits.rlim_cur = min(wanted, limits.rlim_max)
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
            _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        }
        return max(16, min(connectionLimit, Int(clamping: limits.rlim_cur) - 100))
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
        if !gate.isEmpty || awaited > 0 || gate.pauseEnd.map({ $0 > clock.now }) ?? false {
            return lastTick + Self.tick
        }
        return connections.isEmpty ? nil : nextKeepAlive
    }

    private var room: Int { limit - connections.count }

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
        if mustRun, !connections.isEmpty { locwatch_MHD_run(library.table, daemon) }
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
        // Each round sends one block to each reader that takes it.
        for _ in 0..<Self.roundLimit {
            locwatch_MHD_run(library.table, daemon)
            guard locwatch_MHD_get_timeout(library.table, daemon) == 0 else { return }
        }
    }

    private func expire() {
        let now = clock.now
        lastTick = now
        gate.expire(at: now)
        for (socket, since) in connections {
            // libmicrohttpd closes the connection when it notices the end.
            if let since, now - since > Self.requestTime { shutdown(socket, Int32(SHUT_RDWR)) }
        }
        guard now >= nextKeepAlive else { return }
        nextKeepAlive = now + Self.keepAlive
        for stream in streams.values where stream.isSuspended {
            stream.reader.keepAlive()
            stream.resume(library)
        }
    }

    // MARK: Requests

    /// Notes that a connection has started or ended.
    func note(_ connection: OpaquePointer, hasStarted: Bool) {
        let socket = locwatch_MHD_connection_descriptor(library.table, connection)
        if let since = connections.removeValue(forKey: socket), since != nil { awaited -= 1 }
        guard hasStarted else { return }
        connections.updateValue(clock.now, forKey: socket)
        awaited += 1
    }

    /// Notes that a request of a connection has come, or that its response was sent.
    func noteRequest(of connection: OpaquePointer, isOver: Bool) {
        let socket = locwatch_MHD_connection_descriptor(library.table, connection)
        guard let since = connections[socket] else { return }
        awaited += (isOver ? 1 : 0) - (since == nil ? 0 : 1)
        connections.updateValue(isOver ? clock.now : nil, forKey: socket)
    }

    /// Answers a request.
    ///
    /// - Parameter isComplete: Whether the request is complete, and not only its headers.
    func respond(
        to connection: OpaquePointer, method: String, path: String, isComplete: Bool
    ) -> MHD_Result {
        noteRequest(of: connection, isOver: false)
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
            cookie: header("Cookie"), lastEventID: header("Last-Event-ID"))
        return queue(answer(request), on: connection, method)
    }

    private func queue(_ response: WebResponse, on connection: OpaquePointer, _ method: String) -> MHD_Result {
        let made: OpaquePointer?
        switch response.body {
        case .constant(let bytes):
            made = locwatch_MHD_create_response_of_constant(library.table, bytes.baseAddress, bytes.count)
        case .bytes(let bytes): made = locwatch_MHD_create_response_copying(library.table, bytes, bytes.count)
        case .events where method == "HEAD":
            made = locwatch_MHD_create_response_of_constant(library.table, "", 0)
        case .events where streams.count >= min(Self.streamLimit, limit - 16):
            return queue(.text(503, "too many readers", [("Retry-After", "30")]), on: connection, method)
        case .events(let name):
            let stream = WebStream(self, connection, EventReader(after: name, in: backlog))
            streams[ObjectIdentifier(stream)] = stream
            made = locwatch_MHD_create_response_from_callback(
                library.table, Self.blockSize, readWebStream, Unmanaged.passRetained(stream).toOpaque(),
                releaseWebStream)
        }
        guard let made else { return locwatch_MHD_refuse() }
        _ = locwatch_MHD_add_response_header(library.table, made, "Content-Type", response.mediaType)
        for (name, value) in response.headers {
            _ = locwatch_MHD_add_response_header(library.table, made, name, value)
        }
        return locwatch_MHD_queue_response(library.table, connection, UInt32(response.status), made)
    }

    // MARK: Streams

    /// Copies the next bytes for a reader, and suspends it if there are none.
    func read(_ stream: WebStream, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard daemon != nil else { return locwatch_MHD_end_of_stream() }
        let count = stream.reader.read(into: buffer, from: backlog, snapshot: snapshot)
        if count == 0 { stream.suspend(library) }
        return count
    }

    /// Forgets a reader whose connection has ended.
    func remove(_ stream: WebStream) { streams[ObjectIdentifier(stream)] = nil }
}
