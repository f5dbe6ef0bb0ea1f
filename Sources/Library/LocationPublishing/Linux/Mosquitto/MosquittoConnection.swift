import CMosquitto
import Glibc
import LocwatchPlatform

/// A connection to an MQTT broker with a clean session, over libmosquitto without a thread of its own.
///
/// It speaks MQTT 5, and MQTT 3.1.1 with a broker that refuses version 5. Old brokers can also close the connection instead of
/// refusing the version, so the attempt after such an end is one with 3.1.1.
///
/// The owner polls a descriptor until a deadline, and then calls `step`. No call blocks: the host is resolved on a thread,
/// and everything else goes through a socket that does not block. The connection is tried over IPv6 first, and over IPv4
/// when that fails or half of the time limit has passed. A connection that has ended can be opened again.
///
/// libmosquitto's own loop and its reconnecting (`mosquitto_loop_start`, `mosquitto_reconnect_delay_set`) cannot do this, as a trial of
/// 2.0.11 has shown. Its pauses are whole seconds and the same for every client (1, 4 and 9 s), so that all machines return to a broker
/// at the same moments, while two targets at one broker share no pause. An attempt that is refused calls nothing, so that neither its reason
/// nor the time of the next one can be shown. Each connection has a thread, on which its callbacks come. A message without an
/// acknowledgement waits for ever, and a packet without an end takes 256 MiB.
package final class MosquittoConnection {
    private enum Phase {
        case idle
        case resolving(Dial)
        case connecting(MosquittoClient)
        case greeting(MosquittoClient)
        case open(MosquittoClient)
        case closing(MosquittoClient)
    }

    /// A client with the result of the call that began to connect, or the reason for which it cannot be made.
    private typealias Dial = Background<Result<(client: MosquittoClient, result: MosquittoClient.Result), MQTTError>>

    /// The maximum number of packets that are read in one step, so that other work of the thread is not delayed.
    private static let packetLimit = 256
    /// The first byte of the packet with which a broker answers.
    private static let answerByte: UInt8 = 0x20
    /// The time for the goodbye.
    private static let closingLimit = Duration.seconds(2)
    /// The time after which a message without an acknowledgement ends the connection.
    ///
    /// A broker acknowledges at once. An acknowledgement that has not come is lost, even if later ones have arrived.
    private static let acknowledgementTimeout = Duration.seconds(30)

    /// The settings of the next connection.
    package var settings: MQTTSettings

    /// The address of the server, once a TCP connection to it was established.
    package private(set) var peer: String?
    /// The version of the protocol that is spoken, or tried next.
    package private(set) var version: MQTTVersion
    /// The families of addresses in the order in which they are tried.
    var familyOrder = AddressFamily.allCases

    private let library: MosquittoLibrary
    private var phase = Phase.idle
    private var attempts = AddressAttempts()
    /// The time at which the connection must be established, or ended.
    private var limit = Duration.zero
    private var nextMaintenance = Duration.zero
    /// The requests without an answer, in the order in which they were sent.
    private var awaited: [(number: Int32, sent: Duration)] = []
    private var events: [Event] = []
    private var hasMore = false

    /// Creates a connection that is not open.
    ///
    /// - Parameter version: The version that is tried first, such as the `version` of a connection that has failed.
    /// - Throws: `MQTTError.libraryMissing` if libmosquitto is not installed.
    package init(_ settings: MQTTSettings, version: MQTTVersion = .version5) throws(MQTTError) {
        library = try MosquittoLibrary.load()
        self.settings = settings
        self.version = version
    }

    // MARK: Waiting

    /// The descriptor to poll, or −1, and the events to poll it for, as in `poll(2)`.
    package var poll: (descriptor: Int32, events: Int16) {
        switch phase {
        case .idle: (-1, 0)
        case .resolving(let dial): (dial.done.descriptor, Int16(POLLIN))
        case .connecting(let client): (client.descriptor, Int16(POLLOUT))
        case .greeting(let client), .open(let client), .closing(let client): (client.descriptor, client.events)
        }
    }

    /// The time at which `step` is called if the descriptor is not ready before.
    package var deadline: Duration? {
        if hasMore || !events.isEmpty { return .zero }
        switch phase {
        case .idle: return nil
        case .connecting: return attempts.limit
        case .resolving, .greeting, .closing: return limit
        case .open:
            let overdue = awaited.first.map { $0.sent + Self.acknowledgementTimeout }
            return overdue.map { min($0, nextMaintenance) } ?? nextMaintenance
        }
    }

    /// Whether the broker has accepted the client, and messages can be sent.
    package var isOpen: Bool { if case .open = phase { true } else { false } }

    // MARK: Opening and closing

    /// Begins to connect; `opened` or `failed` follows.
    package func open(at now: Duration) {
        limit = now + settings.connectionTimeout
        attempts = AddressAttempts(familyOrder)
        peer = nil
        awaited = []
        tryNext(at: now)
    }

    /// Begins to end the connection with a goodbye; `closed` follows.
    package func close(at now: Duration) {
        guard case .open(let client) = phase else {
            phase = .idle
            events.append(.closed)
            return
        }
        limit = now + Self.closingLimit
        phase = .closing(client)
        client.disconnect()
    }

    /// Tries the next address, or reports the last failure if there is none.
    private func tryNext(at now: Duration) {
        guard now < limit else { return fail(attempts.failure ?? .timeout(settings.connectionTimeout)) }
        guard let family = attempts.next() else {
            return fail(attempts.failure ?? .unresolvable(host: settings.host))
        }
        dial(family)
    }

    /// Resolves the host in the background, and begins a connection.
    ///
    /// libmosquitto resolves the host itself, because it compares the name with the certificate, and a name server that does
    /// not answer blocks it for many seconds. A dial that is released ends its client when the thread returns from that.
    private func dial(_ family: AddressFamily) {
        do throws(SystemFailure) {
            phase = .resolving(
                try Background { [library, settings, version] in
                    Result { () throws(MQTTError) in
                        let client = try MosquittoClient(library, settings, version)
                        return (client, client.connect(settings, over: family))
                    }
                })
        } catch {
            fail(.other(cause: "\(error)"))
        }
    }

    private func giveUp(_ failure: MQTTError, at now: Duration) {
        attempts.failure = failure
        tryNext(at: now)
    }

    private func fail(_ error: MQTTError) {
        phase = .idle
        awaited = []
        version = .version5
        events.append(.failed(error))
    }

    // MARK: Messages

    /// Publishes a message and returns its number, which `acknowledged` has too.
    ///
    /// - Throws: An error if the message can never be sent, such as for its topic.
    package func publish(_ message: MQTTMessage, at now: Duration) throws(MQTTError) -> Int32 {
        try send(at: now) { $0.publish(message) }
    }

    /// Subscribes to topic filters and returns the number of the request, which `subscribed` has too.
    ///
    /// - Throws: An error if a filter is not valid.
    package func subscribe(
        _ filters: [String], quality: MQTTMessage.Quality = .atLeastOnce, at now: Duration
    ) throws(MQTTError) -> Int32 {
        try send(at: now) { $0.subscribe(filters, quality: quality) }
    }

    private func send(
        at now: Duration, _ call: (MosquittoClient) -> (number: Int32, code: Int32)
    ) throws(MQTTError) -> Int32 {
        guard case .open(let client) = phase else { throw .connectionLost(cause: "there is no connection") }
        let (number, code) = call(client)
        switch mosq_err_t(code) {
        case MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_OVERSIZE_PACKET,
            MOSQ_ERR_QOS_NOT_SUPPORTED, MOSQ_ERR_RETAIN_NOT_SUPPORTED:
            throw .other(cause: "a message cannot be sent: \(library.text(of: code))")
        default: break
        }
        // Any other failure is one of the connection, which the next step reports.
        awaited.append((number, now))
        return number
    }

    // MARK: Work

    /// Performs the work that is possible now, and emits what has happened.
    package func step(at now: Duration, _ emit: (Event) -> Void) {
        hasMore = false
        switch phase {
        case .idle: break
        case .resolving(let dial): resolve(dial, at: now)
        case .connecting(let client): connect(client, at: now)
        case .greeting(let client), .open(let client), .closing(let client): exchange(with: client, at: now)
        }
        Swift.exchange(&events, with: []).forEach(emit)
    }

    private func resolve(_ dial: Dial, at now: Duration) {
        switch dial.value {
        case nil:
            if now >= limit { fail(.timeout(settings.connectionTimeout)) }
        case .failure(let error): fail(error)
        case .success(let outcome):
            guard outcome.result.isSuccess else {
                // A quick server answers while libmosquitto begins to connect, and its certificate can end that.
                peer = outcome.client.inbox.peer
                let failure = failure(of: outcome.client, outcome.result, at: .resolving)
                if failure.isFamilyMissing { return tryNext(at: now) }
                let error = failure.error(for: settings)
                if case .unreachable = error { giveUp(error, at: now) } else { fail(error) }
                return
            }
            attempts.begin(at: now, until: limit)
            phase = .connecting(outcome.client)
            connect(outcome.client, at: now)
        }
    }

    private func connect(_ client: MosquittoClient, at now: Duration) {
        guard PollSet.wait(for: client.descriptor, POLLOUT, within: .zero) else {
            if now >= attempts.limit { giveUp(.timeout(settings.connectionTimeout), at: now) }
            return
        }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(client.descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        // The server had accepted the connection and has ended it already.
        if code == ECONNRESET { return fail(.connectionLost(cause: MosquittoFailure.noAnswer)) }
        guard code == 0 else {
            let cause = SystemFailure("connect", code: code).reason
            return giveUp(.unreachable(host: settings.host, port: settings.port, cause: cause), at: now)
        }
        peer = SocketAddress.peer(of: client.descriptor)?.name
        phase = .greeting(client)
        exchange(with: client, at: now)
    }

    private func exchange(with client: MosquittoClient, at now: Duration) {
        // libmosquitto would take the greeting of another kind of server for a packet, and wait for the rest of it.
        if case .greeting = phase, settings.encryption == nil, let byte = client.firstByte, byte != Self.answerByte {
            return fail(.notABroker)
        }
        // Reading comes first: a write to a connection that the broker has ended fails, and hides the last words.
        var result = client.read()
        var packets = 1
        // A broker that sends without end would otherwise fill the memory with 256 messages of 1 MiB.
        while result.isSuccess, !result.isDrained, packets < Self.packetLimit,
            client.inbox.size < MosquittoInbox.sizeLimit
        {
            result = client.read()
            packets += 1
        }
        hasMore = result.isSuccess && !result.isDrained
        if result.isSuccess { result = client.write() }
        for event in client.inbox.takeEvents() { process(event, from: client, at: now) }
        if case .open = phase, result.isSuccess, now >= nextMaintenance {
            nextMaintenance = now + settings.keepAlive / 10
            result = client.maintain()
        }
        if !result.isSuccess { end(client, result) } else { checkTime(at: now) }
    }

    private func process(_ event: Event, from client: MosquittoClient, at now: Duration) {
        switch (event, phase) {
        case (.opened, .greeting):
            phase = .open(client)
            events.append(event)
        case (.failed(.disconnected), .greeting): break
        case (.failed(let error), .greeting):
            guard error == .refused(.version), version == .version5, let family = attempts.current else {
                return fail(error)
            }
            version = .version3
            dial(family)
        case (.failed(.disconnected(let refusal)), .open): fail(.disconnected(refusal))
        case (.opened, _), (.failed, _), (.closed, _): break
        case (.acknowledged(let number), _), (.rejected(let number, _), _), (.subscribed(let number, _), _):
            // An answer to no request, or a second one, means nothing.
            guard let index = awaited.firstIndex(where: { $0.number == number }) else { return }
            awaited.remove(at: index)
            events.append(event)
        case (.received, _), (.oversized, _): events.append(event)
        }
    }

    private func end(_ client: MosquittoClient, _ result: MosquittoClient.Result) {
        switch phase {
        // The refusal was already reported.
        case .idle, .resolving, .connecting: break
        case .closing:
            phase = .idle
            events.append(.closed)
        case .greeting:
            let (error, tried) = (failure(of: client, result, at: .unanswered).error(for: settings), version)
            fail(error)
            if case .connectionLost = error, tried == .version5 { version = .version3 }
        case .open: fail(failure(of: client, result, at: .open).error(for: settings))
        }
    }

    private func checkTime(at now: Duration) {
        switch phase {
        case .idle, .resolving, .connecting: break
        case .greeting: if now >= limit { fail(.timeout(settings.connectionTimeout)) }
        case .closing(let client):
            guard client.descriptor < 0 || now >= limit else { return }
            phase = .idle
            events.append(.closed)
        case .open:
            guard let oldest = awaited.first, now >= oldest.sent + Self.acknowledgementTimeout else { return }
            fail(.connectionLost(cause: "a message was not acknowledged within \(Self.acknowledgementTimeout)"))
        }
    }

    private func failure(
        of client: MosquittoClient, _ result: MosquittoClient.Result, at stage: MosquittoFailure.Stage
    ) -> MosquittoFailure {
        MosquittoFailure(
            stage: stage, result: result, text: library.text(of: result.code), complaints: client.inbox.complaints,
            verification: client.inbox.verification)
    }
}
