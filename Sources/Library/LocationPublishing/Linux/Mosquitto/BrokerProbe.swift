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
    /// The events of the connection that were not examined yet.
    private var events: [MosquittoConnection.Event] = []

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
        var failure = attempt()
        // An old broker can close the connection of a client that speaks MQTT 5.
        if case .connectionLost = failure, connection.version == .version3 { failure = attempt() }
        var findings: [Finding] = []
        if let peer = connection.peer { findings.append(.connected(address: peer)) }
        let isAnswered = if case .refused = failure { true } else { failure == nil }
        if isAnswered, connection.settings.encryption != nil { findings.append(.encrypted) }
        if failure == nil { findings.append(.accepted(connection.version)) }
        do throws(MQTTError) {
            if let failure { throw failure }
            try check()
            for message in messages { findings.append(try echo(of: message)) }
        } catch {
            findings.append(.failed(error))
        }
        connection.close(at: now)
        _ = try? next(within: Self.echoLimit) { $0 == .closed ? true : nil }
        return findings
    }

    /// Connects, and returns the reason for which that fails, if any; the connection has a limit of its own.
    private func attempt() -> MQTTError? {
        connection.open(at: now)
        do throws(MQTTError) { _ = try next { $0 == .opened ? true : nil } } catch { return error }
        return nil
    }

    private func echo(of message: MQTTMessage) throws(MQTTError) -> Finding {
        let (limit, topic) = (connection.settings.connectionTimeout, message.topic)
        _ = try connection.subscribe([topic], at: now)
        let answer = try next(within: limit) { event -> Bool? in
            if case .subscribed(_, let refusals) = event { refusals.allSatisfy { $0 == nil } } else { nil }
        }
        guard let isGranted = answer else { throw .timeout(limit) }
        try check()
        guard isGranted else { return .subscriptionRefused(topic: topic) }
        let number = try connection.publish(message, at: now)
        func finding(_ event: MosquittoConnection.Event) -> Finding? {
            switch event {
            case .rejected(number, let refusal): .rejected(topic: topic, refusal)
            // A retained message is one of another time.
            case .received(let received)
            where !received.isRetained && received.topic == topic && received.payload == message.payload:
                .delivered(topic: topic)
            default: nil
            }
        }
        let dropped = Finding.notDelivered(topic: topic, connection.version)
        let fate = try next(within: limit) { $0 == .acknowledged(number) ? dropped : finding($0) }
        guard let first = fate else { throw .timeout(limit) }
        try check()
        return first == dropped ? (try? next(within: Self.echoLimit, finding)) ?? dropped : first
    }

    /// Throws the failure that follows the events that were examined, if any.
    private func check() throws(MQTTError) {
        for case .failed(let error) in events { throw error }
    }

    /// Drives the connection until an event has a value; throws if it fails, and returns `nil` after the limit.
    private func next<Value>(
        within limit: Duration? = nil, _ value: (MosquittoConnection.Event) -> Value?
    ) throws(MQTTError) -> Value? {
        let end = limit.map { now + $0 }
        while true {
            let time = now
            connection.step(at: time) { events.append($0) }
            while !events.isEmpty {
                let event = events.removeFirst()
                if let value = value(event) { return value }
                if case .failed(let error) = event { throw error }
            }
            if let end, time >= end { return nil }
            let next = [connection.deadline, end].compactMap { $0 }.min()
            let (descriptor, awaited) = connection.poll
            PollSet.wait(for: descriptor, Int32(awaited), within: next.map { $0 - now })
        }
    }

    private var now: Duration { .nanoseconds(HostClock.nanoseconds(.sinceBoot)) }
}
