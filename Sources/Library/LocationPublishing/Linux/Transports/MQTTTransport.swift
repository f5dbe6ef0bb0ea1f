import LocationCore

/// The transport of records to an MQTT broker.
///
/// A record counts as taken when the broker has acknowledged all of its messages. Over MQTT 5 a broker refuses a message that
/// is forbidden; over MQTT 3.1.1 it acknowledges and drops the message, or ends the connection. If the connection ends
/// three times in a row shortly after the same message, that message is taken for refused.
final class MQTTTransport: DeliveryTransport {
    /// The number of records in flight; mosquitto drops messages when more than 20 wait for a subscriber.
    private static let inFlightLimit = 20
    /// The maximum number of messages in flight with which a received message is answered.
    private static let answerLimit = 200
    /// The time in which the broker must have acknowledged everything before the goodbye.
    private static let closingLimit = Duration.seconds(2)
    /// The time after a message in which the end of the connection can be an answer to it, and how often it must end.
    private static let suspicion = (time: Duration.seconds(5), ends: 3)
    /// The life of a connection that does not end because of another client with the same name.
    private static let steady = Duration.seconds(10)

    private enum Phase: Equatable {
        case closed
        case opening
        case open
        /// The last messages are in flight, until a time at the latest.
        case closing(limit: Duration)
        case disconnecting
    }

    /// A message that is not acknowledged; one without a record is a greeting, an answer, a farewell, or of a refused record.
    private struct Message {
        var number: Int32
        var record: UInt64?
        var topic: String
        var sent: Duration
    }

    private let connection: MosquittoConnection
    private let will: MQTTMessage?
    private let wallClock: () -> Timestamp
    private var target: any MQTTTarget
    private var phase = Phase.closed
    /// The messages that are not acknowledged, in the order in which they were sent.
    private var messages: [Message] = []
    /// The message after which the connection has ended, and how often.
    private var suspect: (record: UInt64?, topic: String, ends: Int)?
    /// The time at which the broker accepted the client, while there is a connection.
    private var acceptance: Duration?
    /// The number of connections in a row that ended shortly after they began, without a reason.
    private var briefConnections = 0
    private var events: [DeliveryEvent] = []

    /// Creates a transport that publishes what `target` encodes; its will takes the place of that in `settings`.
    ///
    /// - Throws: `MQTTError.libraryMissing` if libmosquitto is not installed.
    convenience init(_ settings: MQTTSettings, _ target: any MQTTTarget) throws(MQTTError) {
        try self.init(MosquittoConnection(settings), target) { .now }
    }

    init(_ connection: MosquittoConnection, _ target: any MQTTTarget, wallClock: @escaping () -> Timestamp) {
        self.connection = connection
        self.target = target
        self.wallClock = wallClock
        will = connection.settings.will
    }

    // MARK: Delivery

    /// The number of records that can be sent before the broker has acknowledged earlier ones.
    var room: Int {
        guard phase == .open else { return 0 }
        // The messages of a record follow each other.
        let records = messages.indices.count { index in
            messages[index].record != nil && (index == 0 || messages[index].record != messages[index - 1].record)
        }
        return max(0, Self.inFlightLimit - records)
    }

    var poll: (descriptor: Int32, events: Int16) { connection.poll }

    var deadline: Duration? {
        guard events.isEmpty else { return .zero }
        guard case .closing(let limit) = phase else { return connection.deadline }
        return connection.deadline.map { min($0, limit) } ?? limit
    }

    /// Begins to connect, unless the broker has refused a message and left the connection open.
    func open(at now: Duration) {
        messages = []
        guard !connection.isOpen else { return greet(at: now) }
        target.willConnect(at: wallClock())
        connection.settings.will = target.will ?? will
        phase = .opening
        connection.open(at: now)
    }

    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        var omitted: [UInt64] = []
        for record in records {
            let due = target.messages(for: record.record, isOld: isOld)
            var sent: [Message] = []
            do throws(MQTTError) {
                for message in due {
                    let number = try connection.publish(message, at: now)
                    sent.append(Message(number: number, record: record.number, topic: message.topic, sent: now))
                }
            } catch {
                events.append(.decided(.rejected(cause: "\(error)"), numbers: [record.number]))
                continue
            }
            guard !sent.isEmpty else {
                omitted.append(record.number)
                continue
            }
            messages += sent
        }
        if !omitted.isEmpty { events.append(.decided(.omitted, numbers: omitted)) }
    }

    /// Publishes the farewell, and ends the connection when everything is acknowledged or 2 s have passed.
    func close(at now: Duration) {
        guard phase == .open else { return disconnect(at: now) }
        phase = .closing(limit: now + Self.closingLimit)
        publish(target.farewell(), at: now)
        if messages.isEmpty { disconnect(at: now) }
    }

    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        var finished: [UInt64] = []
        connection.step(at: now) { process($0, &finished, at: now) }
        report(&finished)
        if case .closing(let limit) = phase, messages.isEmpty || now >= limit { disconnect(at: now) }
        exchange(&events, with: []).forEach(emit)
    }

    // MARK: Connection

    private func process(_ event: MosquittoConnection.Event, _ finished: inout [UInt64], at now: Duration) {
        switch event {
        case .opened: greet(at: now)
        case .acknowledged(let number):
            guard let record = remove(number)?.record, !messages.contains(where: { $0.record == record })
            else { return }
            finished.append(record)
        case .rejected(let number, let refusal):
            guard let message = remove(number), phase == .open else { return }
            report(&finished)
            refuse(message, refusal, "the broker refused a message to \(message.topic): \(refusal)")
        case .received(let message):
            // A server that asks again and again gets no more answers than it has acknowledged.
            guard phase == .open, messages.count < Self.answerLimit else { return }
            publish(target.response(to: message), at: now)
        case .failed(let error):
            report(&finished)
            let wasClosing = phase != .opening && phase != .open
            let isAnswer = phase == .open && isAnswer(error, at: now)
            let cause = supposition(about: error, at: now) ?? "\(error)"
            phase = .closed
            events.append(
                wasClosing ? .closed : .failed(cause: cause, isRefusal: error.isRefusal && !isAnswer))
        case .closed:
            report(&finished)
            phase = .closed
            events.append(.closed)
        case .subscribed, .oversized: break
        }
    }

    private func remove(_ number: Int32) -> Message? {
        messages.firstIndex { $0.number == number }.map { messages.remove(at: $0) }
    }

    /// Reports that the broker refuses a message, and with it a record, or everything if the message belongs to none.
    private func refuse(_ message: Message, _ refusal: MQTTRefusal, _ cause: String) {
        for index in messages.indices where messages[index].record == message.record { messages[index].record = nil }
        let verdict: DeliveryVerdict =
            if refusal.concernsContent, message.record != nil {
                .rejected(cause: cause)
            } else {
                refusal.isFinal ? .refused(cause: cause) : .tryAgain(cause: cause, after: nil)
            }
        events.append(.decided(verdict, numbers: message.record.map { [$0] } ?? []))
    }

    /// Reports a refusal if the end of the connection is the broker's answer to a message, and returns whether it is.
    ///
    /// A broker processes messages in order, so the answer concerns the first one that is not acknowledged.
    private func isAnswer(_ error: MQTTError, at now: Duration) -> Bool {
        guard let message = messages.first, now - message.sent < Self.suspicion.time else { return false }
        switch error {
        case .disconnected(let refusal) where refusal.concernsMessages:
            refuse(message, refusal, "the broker ended the connection at a message to \(message.topic): \(refusal)")
            return true
        case .connectionLost:
            let before = suspect.flatMap { $0.record == message.record && $0.topic == message.topic ? $0.ends : nil }
            let ends = (before ?? 0) + 1
            suspect = (message.record, message.topic, ends)
            guard ends >= Self.suspicion.ends else { return false }
            suspect = nil
            refuse(message, .notAuthorized, "the broker ends the connection at a message to \(message.topic)")
            return true
        default: return false
        }
    }

    /// Returns a supposed cause for a connection that has ended, if connections end without a reason again and again.
    ///
    /// mosquitto 2.0.11 ends the connection of a client whose name another one uses, and does not say so.
    private func supposition(about error: MQTTError, at now: Duration) -> String? {
        guard let acceptance, case .connectionLost = error else { return nil }
        self.acceptance = nil
        briefConnections = now - acceptance < Self.steady ? briefConnections + 1 : 0
        guard briefConnections > 1 else { return nil }
        return "closed: another client may have the name \(connection.settings.clientID)"
    }

    private func report(_ finished: inout [UInt64]) {
        if !finished.isEmpty { events.append(.decided(.taken, numbers: finished)) }
        finished = []
    }

    private func greet(at now: Duration) {
        phase = .open
        acceptance = now
        // A subscription that the broker refuses costs only answers to what it would have sent.
        if !target.subscriptions.isEmpty { _ = try? connection.subscribe(target.subscriptions, at: now) }
        publish(target.greeting(), at: now)
        events.append(.opened(isAccepted: true))
    }

    private func publish(_ messages: [MQTTMessage], at now: Duration) {
        for message in messages {
            // A message that can never be sent, such as one with too long a name, is left out.
            guard let number = try? connection.publish(message, at: now) else { continue }
            self.messages.append(Message(number: number, topic: message.topic, sent: now))
        }
    }

    private func disconnect(at now: Duration) {
        phase = .disconnecting
        connection.close(at: now)
    }
}

extension MQTTError {
    /// Whether another attempt soon will not change the outcome.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused(let refusal), .disconnected(let refusal): refusal.isFinal
        case .tls, .notABroker: true
        default: false
        }
    }
}
