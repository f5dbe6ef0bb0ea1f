import Glibc
import LocwatchPlatform

/// A test of the way to a broker, step by step until one fails, on the caller's thread.
///
/// Over MQTT 3.1.1 brokers acknowledge a forbidden message and drop it, so the probe subscribes to the topic and waits for its
/// own message.
/// The client of the probe has a name of its own, because a second client with the name of a running one would end that.
package final class BrokerProbe {
    package enum Finding: Hashable, Sendable {
        /// The name of the host has these addresses.
        case resolved(addresses: [String])
        /// A TCP connection to an address was established.
        case connected(address: String)
        /// The connection is encrypted, and chain, name and dates of the certificate are right.
        case encrypted
        /// The broker has accepted the client, and speaks a version of the protocol.
        case accepted(MQTTVersion)
        /// The broker refuses a subscription to the topic, so that it is not known whether messages reach it.
        case subscriptionRefused(topic: String)
        /// A message to the topic has come back.
        case delivered(topic: String)
        /// The broker has refused a message to the topic, which it can say with MQTT 5 only.
        case rejected(topic: String, MQTTRefusal)
        /// The broker has acknowledged a message to the topic, and it has not come back.
        ///
        /// Over MQTT 5 the user may publish to the topic, but not read it. Over MQTT 3.1.1 the topic can also be forbidden: a
        /// broker does not say which.
        case notDelivered(topic: String, MQTTVersion)
        case failed(MQTTError)
    }

    /// The time in which a message must come back once it is acknowledged, and the goodbye must be written.
    private static let echoLimit = Duration.seconds(2)

    private let connection: MosquittoConnection
    /// The message whose way is tested.
    private var message: MQTTMessage?
    private var number: Int32?
    private var isAccepted = false
    private var isGranted: Bool?
    private var rejection: MQTTRefusal?
    private var isAcknowledged = false
    private var isReturned = false
    private var isClosed = false
    private var failure: MQTTError?

    private init(_ connection: MosquittoConnection) { self.connection = connection }

    /// Runs the steps, which can take as long as the limits of the connection and a few seconds, and returns what was found.
    ///
    /// - Parameters:
    ///   - settings: The settings of the connection; neither its name of the client nor its will is used.
    ///   - messages: Messages that subscribers ignore, one for each topic that is tested. They are not retained.
    package static func findings(_ settings: MQTTSettings, messages: [MQTTMessage]) -> [Finding] {
        var settings = settings
        settings.clientID = "locwatch-probe-\(getpid())"
        settings.will = nil
        let deadline = ContinuousClock.now + settings.connectionTimeout
        guard let addresses = (try? HostLookup(settings.host))?.wait(before: deadline) else {
            return [.failed(.timeout(settings.connectionTimeout))]
        }
        guard !addresses.isEmpty else { return [.failed(.unresolvable(host: settings.host))] }
        var findings = [Finding.resolved(addresses: addresses)]
        do throws(MQTTError) {
            let probe = BrokerProbe(try MosquittoConnection(settings))
            findings += probe.findings(of: messages.map { MQTTMessage($0.topic, $0.payload) })
        } catch {
            findings.append(.failed(error))
        }
        return findings
    }

    /// Connects, tests the topics of messages, disconnects, and returns what was found.
    private func findings(of messages: [MQTTMessage]) -> [Finding] {
        // The connection has a limit of its own.
        connection.open(at: now)
        wait { $0.isAccepted }
        if case .connectionLost = failure, connection.version == .version3 {
            // An old broker can close the connection of a client that speaks MQTT 5.
            failure = nil
            connection.open(at: now)
            wait { $0.isAccepted }
        }
        var findings: [Finding] = []
        if let peer = connection.peer { findings.append(.connected(address: peer)) }
        let isAnswered = if case .refused = failure { true } else { isAccepted }
        if isAnswered, connection.settings.encryption != nil { findings.append(.encrypted) }
        if isAccepted { findings.append(.accepted(connection.version)) }
        do throws(MQTTError) {
            try check()
            for message in messages { findings.append(try echo(of: message)) }
        } catch {
            findings.append(.failed(error))
        }
        connection.close(at: now)
        wait(within: Self.echoLimit) { $0.isClosed }
        return findings
    }

    private func echo(of message: MQTTMessage) throws(MQTTError) -> Finding {
        let limit = connection.settings.connectionTimeout
        (self.message, number, isGranted, rejection) = (message, nil, nil, nil)
        (isAcknowledged, isReturned) = (false, false)
        _ = try connection.subscribe([message.topic], at: now)
        guard wait(within: limit, until: { $0.isGranted != nil }) else { throw .timeout(limit) }
        try check()
        guard isGranted == true else { return .subscriptionRefused(topic: message.topic) }
        number = try connection.publish(message, at: now)
        guard wait(within: limit, until: { $0.isAcknowledged || $0.isReturned || $0.rejection != nil }) else {
            throw .timeout(limit)
        }
        try check()
        if rejection == nil { wait(within: Self.echoLimit) { $0.isReturned || $0.rejection != nil } }
        if let rejection { return .rejected(topic: message.topic, rejection) }
        return isReturned
            ? .delivered(topic: message.topic) : .notDelivered(topic: message.topic, connection.version)
    }

    private func check() throws(MQTTError) { if let failure { throw failure } }

    /// Drives the connection until a condition holds, it fails or a limit has passed; returns `false` after the limit.
    @discardableResult
    private func wait(within limit: Duration? = nil, until isSo: (BrokerProbe) -> Bool) -> Bool {
        let end = limit.map { now + $0 }
        while true {
            let time = now
            connection.step(at: time) { note($0) }
            if isSo(self) || failure != nil { return true }
            if let end, time >= end { return false }
            let next = [connection.deadline, end].compactMap { $0 }.min()
            var watched = pollfd(fd: connection.poll.descriptor, events: connection.poll.events, revents: 0)
            poll(&watched, 1, next.map { max(.zero, $0 - now).wholeMilliseconds } ?? -1)
        }
    }

    private func note(_ event: MosquittoConnection.Event) {
        switch event {
        case .opened: isAccepted = true
        case .subscribed(_, let refusals): isGranted = refusals.allSatisfy { $0 == nil }
        case .rejected(let other, let refusal): if other == number { rejection = refusal }
        case .acknowledged(let other): if other == number { isAcknowledged = true }
        case .received(let received):
            // A retained message is one of another time.
            if let message, !received.isRetained, received.topic == message.topic, received.payload == message.payload {
                isReturned = true
            }
        case .failed(let error): failure = error
        case .closed: isClosed = true
        case .oversized: break
        }
    }

    private var now: Duration { .nanoseconds(HostClock.nanoseconds(.sinceBoot)) }
}
