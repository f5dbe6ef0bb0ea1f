import CMicrohttpd
import Glibc
import LocwatchPlatform
import LocwatchTerminal

/// A server of HTTP on the loop of the session: libmicrohttpd without a thread of its own.
///
/// libmicrohttpd limits the connections, those of one address, their memory and their idle time. In addition, a new connection
/// takes the place of the one that has done nothing for longest if there are too many, so that no client can lock out the others; an
/// address at its own limit gets no place. A long response takes the room of those whose clients take nothing of them.
///
/// That cannot be left to the limits of libmicrohttpd, as a trial of 0.9.75 has shown. It closes what is silent, but a client that
/// sends a byte of its request each second stays, and if as many as the limit do so, no other client gets an answer. With a listening
/// socket of its own (`MHD_OPTION_LISTEN_SOCKET`) it accepts only while it has room, so that no connection can make way. It limits neither
/// the responses that wait in memory, nor the time after which the system gives up a client that has left the network.
final class WebServer {
    /// The memory of a connection, which limits its request line and headers.
    private static let connectionMemory = 8 * 1024
    private static let blockSize = 4096
    /// The size up to which a response needs no room, because those of all connections take 4 MB at most.
    static let shortSize = 64 * 1024
    /// The size of a block of a longer one, which a client must take in its time.
    private static let longBlockSize = 64 * 1024
    /// The maximum number of blocks that a reader is sent at once, so that no reader keeps the session waiting.
    private static let roundLimit = 16
    /// The maximum number of connections that are accepted at once.
    private static let acceptLimit = 16
    private static let acceptRetry = Duration.seconds(1)
    /// The size of the system's buffer for a connection, beyond which a client that takes nothing is noticed.
    private static let sendBuffer: Int32 = 64 * 1024
    /// The interval at which readers are shown that the connection is alive.
    private static let keepAlive = Duration.seconds(15)

    struct Connection {
        /// The address of the client without its port, if known.
        let address: String?
        /// The last time at which the client has connected, has asked, was answered, or has taken a block of a response.
        var since: ContinuousClock.Instant
        /// The size of the text or the tile that is being sent.
        var textSize = 0
        var reader: EventReader?
        /// Whether the connection was shut down, and is about to be closed.
        var isEnding = false

        /// The bytes that were made and not sent yet.
        var unsent: Int { isEnding ? 0 : textSize + (reader?.beginning.count ?? 0) }
    }

    private let library: MicrohttpdLibrary
    private var functions: locwatch_microhttpd { library.functions }
    private var listening: ListeningSockets
    private let answer: (WebRequest) -> WebResponse
    /// Returns the text with which a new reader of the events begins.
    private let snapshot: () -> [UInt8]
    private var daemon: OpaquePointer?
    private let limits: WebLimits
    private let clock = ContinuousClock()
    private(set) var connections: [Int32: Connection] = [:]
    private var memory = MemoryTrimmer(least: 1 << 20)
    /// The time until which nothing is accepted, after the system had no descriptor for a connection.
    private var acceptPause: ContinuousClock.Instant?
    /// The time at which libmicrohttpd wants to be called without an event, if any.
    private var nextRun: ContinuousClock.Instant?
    private var nextKeepAlive: ContinuousClock.Instant
    var backlog: EventBacklog

    init(
        _ library: MicrohttpdLibrary, _ sockets: consuming ListeningSockets, session: String, limits: WebLimits,
        snapshot: @escaping () -> [UInt8], answer: @escaping (WebRequest) -> WebResponse
    ) throws(SystemFailure) {
        self.library = library
        self.answer = answer
        self.snapshot = snapshot
        self.limits = limits
        listening = sockets
        backlog = EventBacklog(session: session)
        nextKeepAlive = clock.now + Self.keepAlive
        try listening.listen()
        var settings = locwatch_MHD_settings()
        settings.connection_limit = UInt32(limits.connections)
        settings.address_limit = limits.connectionsOfAddress
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

    func stop() {
        guard let daemon else { return }
        self.daemon = nil
        // libmicrohttpd does not stop with suspended connections.
        for reader in readers { reader.resume(library) }
        functions.MHD_stop_daemon(daemon)
        listening.refuse()
    }

    /// The bytes of events after which `wake` must be called within a burst, so that quick readers miss nothing.
    static var burst: Int { roundLimit * blockSize / 2 }

    var port: UInt16 { listening.port }

    var readerCount: Int { connections.values.count { $0.reader != nil } }

    /// The bytes of all texts and tiles that were made and not sent yet.
    var unsent: Int { connections.values.reduce(0) { $0 + $1.unsent } }

    private var readers: [EventReader] { connections.values.compactMap(\.reader) }

    // MARK: The loop

    /// The real time after which `serve` must be called without an event.
    var waitLimit: Duration? {
        guard let daemon else { return nil }
        let (now, wait) = (clock.now, locwatch_MHD_get_timeout(library.table, daemon))
        nextRun = wait < 0 ? nil : now + .milliseconds(wait)
        let due = [nextRun, acceptPause, readerCount > 0 ? nextKeepAlive : nil].compactMap(\.self).min()
        return due.map { max(.zero, $0 - now) }
    }

    func addDescriptors(to set: inout PollSet) {
        guard let daemon else { return }
        set.add(locwatch_MHD_descriptor(library.table, daemon), POLLIN)
        guard acceptPause == nil else { return }
        for descriptor in listening.descriptors { set.add(descriptor, POLLIN) }
    }

    /// Serves what is ready.
    func serve(_ set: PollSet) {
        guard let daemon else { return }
        if let end = acceptPause, clock.now >= end { acceptPause = nil }
        for descriptor in listening.descriptors where set.isReady(descriptor, POLLIN) {
            for _ in 0..<Self.acceptLimit where acceptPause == nil {
                guard accept(at: descriptor, daemon) else { break }
            }
        }
        if set.isReady(locwatch_MHD_descriptor(library.table, daemon)) || nextRun.map({ clock.now >= $0 }) ?? false {
            _ = functions.MHD_run(daemon)
        }
        if clock.now >= nextKeepAlive {
            nextKeepAlive = clock.now + Self.keepAlive
            if readerCount > 0 {
                backlog.appendComment()
                wake()
            }
        }
        memory.note(unsent)
    }

    /// Accepts a connection; returns false if there is none.
    private func accept(at listener: Int32, _ daemon: OpaquePointer) -> Bool {
        let socket = Glibc.accept(listener, nil, nil)
        guard socket >= 0 else {
            let code = errno
            if SystemFailure.isShortage(code) { acceptPause = clock.now + Self.acceptRetry }
            return code == ECONNABORTED || code == EINTR
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        SocketOption.set(SO_SNDBUF, to: Self.sendBuffer, of: socket)
        // A telephone that has left the network must not keep its place for a quarter of an hour.
        var idle = limits.idleSeconds * 1000
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &idle, socklen_t(MemoryLayout<UInt32>.size))
        guard let peer = SocketAddress.peer(of: socket) else {
            close(socket)
            return true
        }
        // libmicrohttpd refuses the connection of an address at its limit, so that no other one must make way for it.
        if connections.count >= limits.connections, hasRoom(for: peer) { endIdlest(daemon) }
        // Closes the socket itself if there is no room for it.
        if peer.withPointer({ functions.MHD_add_connection(daemon, socket, $0, $1) }) == locwatch_MHD_yes {
            // libmicrohttpd 1.0 makes the connection only here.
            _ = functions.MHD_run(daemon)
        }
        return true
    }

    /// Returns whether an address has fewer connections than its limit, if there is one.
    private func hasRoom(for peer: SocketAddress) -> Bool {
        let (limit, address) = (limits.connectionsOfAddress, peer.name)
        return limit == 0 || connections.values.count { $0.address == address } < limit
    }

    /// Ends the connection that has done nothing for longest, other than a reader of the events.
    private func endIdlest(_ daemon: OpaquePointer) {
        let others = connections.lazy.filter { $0.value.reader == nil }
        guard let (socket, _) = others.min(by: { $0.value.since < $1.value.since }) else { return }
        // libmicrohttpd closes the connection when it notices the end.
        shutdown(socket, Int32(SHUT_RDWR))
        _ = functions.MHD_run(daemon)
    }

    /// Sends the new events to the readers.
    func wake() {
        guard let daemon else { return }
        let readers = readers
        guard !readers.isEmpty else { return }
        for reader in readers { reader.resume(library) }
        // Each round sends one block to each reader that takes it.
        for _ in 0..<Self.roundLimit {
            _ = functions.MHD_run(daemon)
            guard locwatch_MHD_get_timeout(library.table, daemon) == 0 else { return }
        }
    }

    // MARK: Requests

    func note(_ connection: OpaquePointer, hasStarted: Bool) {
        let socket = locwatch_MHD_connection_descriptor(library.table, connection)
        connections[socket] =
            hasStarted ? Connection(address: SocketAddress.peer(of: socket)?.name, since: clock.now) : nil
    }

    /// Notes that the response to a request was sent, or that the connection has ended before.
    func noteEnd(ofRequestOf connection: OpaquePointer) {
        let socket = locwatch_MHD_connection_descriptor(library.table, connection)
        renew(socket)
    }

    /// Begins the time of a connection anew, without the state of its last response.
    private func renew(_ socket: Int32) {
        if let known = connections[socket] {
            connections[socket] = Connection(address: known.address, since: clock.now)
        }
    }

    /// Answers a request.
    ///
    /// - Parameter isComplete: Whether the request is complete, and not only its headers.
    func respond(
        to connection: OpaquePointer, method: String, path: String, isComplete: Bool
    ) -> MHD_Result {
        func header(_ name: String) -> String? {
            functions.MHD_lookup_connection_value(connection, locwatch_MHD_header, name).map { String(cString: $0) }
        }
        let length = header("Content-Length").map { $0 != "0" } ?? false
        if length || header("Transfer-Encoding") != nil {
            return queue(.text(413, "a request has no content here"), on: connection, method)
        }
        // A response before the request is complete would end the connection.
        guard isComplete else { return locwatch_MHD_yes }
        let request = WebRequest(
            method: method, path: path, host: header("Host"), authorization: header("Authorization"),
            cookie: header("Cookie"), lastEventID: header("Last-Event-ID"),
            isEncrypted: WebRequest.isEncrypted(
                forwarded: header("X-Forwarded-Proto"),
                from: SocketAddress.peer(of: locwatch_MHD_connection_descriptor(library.table, connection))))
        return queue(answer(request), on: connection, method)
    }

    private static var full: WebResponse { .busy("too many responses were not taken yet") }

    /// Notes that the client of a connection has taken what it was sent, so that it gets the next block.
    func noteProgress(of connection: OpaquePointer) {
        connections[locwatch_MHD_connection_descriptor(library.table, connection)]?.since = clock.now
    }

    /// Returns whether a response of a size can be kept until it is taken; if necessary, ends the connections that have taken
    /// nothing of theirs for longest.
    private func makeRoom(forSize size: Int) -> Bool {
        if size <= Self.shortSize || unsent < limits.unsent { return true }
        let latest = clock.now - limits.patience
        let slow = connections.filter { $0.value.unsent > 0 && $0.value.since <= latest }
        for (socket, _) in slow.sorted(by: { $0.value.since < $1.value.since }) where unsent >= limits.unsent {
            // libmicrohttpd, which must not be run within a request, closes the connection when it notices the end.
            connections[socket]?.isEnding = true
            shutdown(socket, Int32(SHUT_RDWR))
        }
        return unsent < limits.unsent
    }

    /// Returns libmicrohttpd's response with some bytes, which it copies unless they are many.
    private func content(_ bytes: [UInt8], on connection: OpaquePointer) -> OpaquePointer? {
        if bytes.count <= Self.shortSize {
            return locwatch_MHD_create_response_of_copy(library.table, bytes, bytes.count)
        }
        return functions.MHD_create_response_from_callback(
            UInt64(bytes.count), Self.longBlockSize, readWebBody,
            Unmanaged.passRetained(LongBody(self, connection, bytes)).toOpaque(), releaseWebBody)
    }

    private func queue(_ response: WebResponse, on connection: OpaquePointer, _ method: String) -> MHD_Result {
        let socket = locwatch_MHD_connection_descriptor(library.table, connection)
        var state = Connection(address: connections[socket]?.address, since: clock.now)
        let made: OpaquePointer?
        switch response.body {
        case .constant(let bytes):
            made = locwatch_MHD_create_response_of_constant(library.table, bytes.baseAddress, bytes.count)
        // No long text is made for nothing, and libmicrohttpd 0.9.75 ends a response of unknown size with the last chunk
        // for HEAD too.
        case .text where method == "HEAD", .events where method == "HEAD":
            made = locwatch_MHD_create_response_of_constant(library.table, "", 0)
        case .events where readerCount >= limits.readers:
            return queue(.busy("too many readers"), on: connection, method)
        case .text(let least, _) where !makeRoom(forSize: least):
            return queue(Self.full, on: connection, method)
        case .bytes(let bytes):
            guard makeRoom(forSize: bytes.count) else { return queue(Self.full, on: connection, method) }
            state.textSize = bytes.count
            made = content(bytes, on: connection)
        case .text(_, let make):
            let bytes = make()
            guard makeRoom(forSize: bytes.count) else { return queue(Self.full, on: connection, method) }
            state.textSize = bytes.count
            made = content(bytes, on: connection)
        case .events(let name):
            let place = name.flatMap(backlog.place(after:))
            let beginning = place == nil ? snapshot() : []
            guard makeRoom(forSize: beginning.count) else { return queue(Self.full, on: connection, method) }
            let reader = EventReader(self, connection, beginning: beginning, place: place ?? backlog.end)
            state.reader = reader
            made = functions.MHD_create_response_from_callback(
                locwatch_MHD_unknown_size, Self.blockSize, readWebEvents, Unmanaged.passRetained(reader).toOpaque(),
                releaseWebReader)
        }
        guard let made else { return locwatch_MHD_no }
        connections[socket] = state
        defer { functions.MHD_destroy_response(made) }
        _ = functions.MHD_add_response_header(made, "Content-Type", response.mediaType ?? WebResponse.plainText)
        for (name, value) in response.headers { _ = functions.MHD_add_response_header(made, name, value) }
        return functions.MHD_queue_response(connection, UInt32(response.status), made)
    }

    /// Copies the next events for a reader, and suspends it if there are none.
    func read(_ reader: EventReader, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard daemon != nil else { return locwatch_MHD_end_of_stream }
        guard let count = reader.read(backlog, into: buffer) else { return locwatch_MHD_broken_stream }
        if count == 0 { reader.suspend(library) } else { noteProgress(of: reader.connection) }
        return count
    }
}

struct WebLimits: Sendable {
    var connections = 64
    /// The number of connections of one address, or 0 without a limit.
    var connectionsOfAddress: UInt32 = 0
    /// The number of readers of the events, which leaves connections for everything else.
    var readers = 48
    /// The bytes of all texts and tiles together that were made and not sent yet, from which on requests for long ones get status 503.
    var unsent = 3 * 1024 * 1024
    /// The time within which a client must take the next block of a response if another one needs the room.
    var patience = Duration.seconds(2)
    /// The seconds after which a connection that takes and sends nothing is closed.
    var idleSeconds: UInt32 = 30

    /// Returns the limits of a server that other machines can reach, or only this one.
    ///
    /// Connections of this machine have one address, also those of many clients behind a proxy or a tunnel.
    static func serving(isLoopback: Bool) -> WebLimits { WebLimits(connectionsOfAddress: isLoopback ? 0 : 16) }
}
