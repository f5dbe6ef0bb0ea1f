import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A non-blocking gpsd client that connects, watches, reads, and reconnects.
///
/// The owner polls it, so that one thread can serve it together with other descriptors. Releasing the client closes its
/// connection, established or not.
final class GPSDClient: Source {
    private let endpoint: GPSDEndpoint
    private let request: LocationRequest
    private let options: SessionOptions
    private let clock: SessionClock
    /// The filter that hides a password or a temporary path in what the daemon says, if any.
    private var redaction: ByteRedaction?
    /// The paths of the devices that have names instead in what the daemon says.
    private let paths: [String: String]
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: GPSDConversation.longestChunk, alignment: 16)
    /// The attempt to connect, on a thread of its own, because libgps blocks without a limit while it resolves a name
    /// and connects.
    private var attempt: Background<Result<GPSDConnection, LocationError>>?
    private var attemptDue: Moment
    /// Whether the outcome of the attempt is still wanted.
    private var isWanted: Watched<Bool>?
    private var session: GPSDConnection?
    private var open: OpenConversation?
    /// The deadline of the conversation after its last turn, and whether gpsd has greeted.
    private var remainder = (deadline: Moment.unknown, isOpen: false)
    private var nextAttempt: Moment?
    /// The count of a receiver's bytes over a connection of its own, while it runs: they would be mixed with reports here.
    private var count: Background<Int?>?
    private var backoff: Backoff
    private var hasConnected = false
    /// The time at which the last turn began.
    ///
    /// Deadlines are computed from it, because reading the clocks costs as much as decoding a number.
    private var turn: Moment

    /// Creates a client that connects with its first turn.
    init(
        _ endpoint: GPSDEndpoint, for request: LocationRequest, options: SessionOptions, clock: SessionClock,
        redaction: ByteRedaction? = nil, paths: [String: String] = [:]
    ) {
        self.redaction = redaction
        self.paths = paths
        self.endpoint = endpoint
        self.request = request
        self.options = options
        self.clock = clock
        backoff = Backoff(options.timeouts.retries)
        turn = clock.now
        attemptDue = turn
        nextAttempt = turn
    }

    deinit {
        stop()
        buffer.deallocate()
    }

    func stop() {
        isWanted?.change { $0 = false }
        isWanted = nil
        attempt = nil
        session = nil
        open = nil
        count = nil
    }

    var now: Moment { clock.now }

    /// The descriptor to poll for reading, or −1 while only the time matters.
    var descriptor: Int32 {
        if let attempt { return attempt.done.descriptor }
        return session?.descriptor ?? -1
    }

    func timeLeft(until deadline: Moment?) -> Duration? {
        // A task asks again without a turn, so the time of the last one would be too early.
        let now = clock.now
        let own = now.duration(to: self.deadline)
        return deadline.map { min(own, now.duration(to: $0)) } ?? own
    }

    /// Asked right after a turn, so the time of that turn is used instead of reading the clock.
    func hasReached(_ moment: Moment) -> Bool { turn >= moment }

    /// The latest moment for the next turn.
    private var deadline: Moment {
        if attempt != nil { return attemptDue }
        guard open != nil else { return nextAttempt ?? attemptDue }
        if remainder.isOpen, request.control?.hasRequests == true { return attemptDue }
        return remainder.deadline
    }

    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool {
        turn = clock.now
        let now = turn
        do throws(LocationError) {
            if open != nil {
                try talk(isReady: isReady, at: now, into: &updates)
            } else if attempt != nil {
                try connect(at: now)
            } else if let nextAttempt, now >= nextAttempt {
                updates.append(LocationUpdate(.searching(.connecting(attempt: backoff.failures + 1)), at: now))
                try beginToConnect(at: now)
            }
        } catch {
            open?.value.end(at: now, into: &updates)
            stop()
            if case .denied = error { updates.append(LocationUpdate(.authorization(.denied), at: now)) }
            let named = options.named(error)
            guard options.mayRetry(after: error, hasConnected: hasConnected) else { throw named }
            let pause = backoff.fail()
            nextAttempt = now.advanced(by: pause)
            updates.append(LocationUpdate(.failure(named, retry: pause), at: now))
        }
        return true
    }

    /// Whether a peer has accepted the connection, even if it is not a gpsd.
    var isConnected: Bool { open != nil }

    private func beginToConnect(at now: Moment) throws(LocationError) {
        nextAttempt = nil
        attemptDue = now.advanced(by: options.timeouts.connecting)
        let isWanted = Watched(true)
        self.isWanted = isWanted
        do throws(SystemFailure) {
            attempt = try Background { [endpoint] in
                do throws(LibgpsError) { return .success(try GPSDConnection(endpoint)) } catch {
                    // To find the cause blocks as long again.
                    return .failure(
                        isWanted.value ? LocationError(error, endpoint) : endpoint.unreachable("abandoned"))
                }
            }
        } catch {
            throw endpoint.unreachable("\(error)")
        }
    }

    private func connect(at now: Moment) throws(LocationError) {
        if let session = try attempt?.value?.get() {
            self.session = session
            attempt = nil
            hasConnected = true
            redaction?.restart()
            let device = endpoint.device.map { redaction?.applied(to: $0) ?? $0 }
            let conversation = GPSDConversation(
                endpoint, for: request, options: options, device: device, paths: paths, now: now)
            remainder = (conversation.deadline, false)
            open = OpenConversation(conversation)
        } else if now >= attemptDue {
            let cause = SystemFailure("connect", code: ETIMEDOUT).reason
            throw endpoint.unreachable(cause)
        }
    }

    private func talk(
        isReady: Bool, at now: Moment, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        let chunk = isReady ? try receive() : nil
        guard let chunk, redaction?.isClear(chunk) == false else {
            return try talk(hearing: chunk, at: now, into: &updates)
        }
        let bytes = redaction?.apply(to: chunk) ?? []
        try bytes.withUnsafeBufferPointer { (chunk) throws(LocationError) in
            try talk(hearing: UnsafeRawBufferPointer(chunk), at: now, into: &updates)
        }
    }

    private func talk(
        hearing chunk: UnsafeRawBufferPointer?, at now: Moment, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        guard let open else { return }
        let left = try open.value.turn(hearing: chunk, at: now, into: &updates)
        remainder = (left.deadline, left.isOpen)
        if let commands = left.commands { try send(commands) }
        if let (path, time) = left.countRequest {
            count = try? Background { [endpoint] in RawTraffic.count(of: path, at: endpoint, within: time) }
        }
        noteCount()
        if left.hasReceivedReports { backoff.succeed() }
    }

    /// Passes on the count of a receiver's bytes that the client has requested, as soon as it is known.
    private func noteCount() {
        guard let known = count?.value else { return }
        count = nil
        request.control?.byteCount = known
    }

    /// Returns the bytes that have arrived, if any; throws at the end of the connection.
    private func receive() throws(LocationError) -> UnsafeRawBufferPointer? {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        let code = errno
        if count > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
        guard count == 0 || (code != EINTR && code != EAGAIN) else { return nil }
        let cause = count == 0 ? "the daemon closed the connection" : SystemFailure("receive", code: code).reason
        throw open?.value.broken(cause) ?? endpoint.connectionLost(cause)
    }

    private func send(_ commands: String) throws(LocationError) {
        do throws(LibgpsError) { try session?.send(commands) } catch { throw LocationError(error, endpoint) }
    }
}

/// A conversation in a place of its own, from which a function borrows it: each use of an optional one copies its kilobyte, which took
/// 1,200 instructions a turn.
private final class OpenConversation {
    var value: GPSDConversation

    init(_ conversation: consuming GPSDConversation) { value = conversation }
}
