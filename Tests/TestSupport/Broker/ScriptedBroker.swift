package import LocationPublishing

/// An MQTT broker that runs in a test: bytes go in, bytes come out, and it fails as its script says.
///
/// It has neither a socket nor a clock. It keeps retained messages, forwards messages to subscribers, publishes wills, and
/// remembers what it received. It stores nothing for clients that are not connected.
package struct ScriptedBroker: Sendable {
    /// A subscription that a client has asked for.
    package struct Subscription: Hashable, Sendable {
        package var filter: String
        /// The quality that the client asked for, up to 2.
        package var quality: UInt8
    }

    package private(set) var clients: [BrokerClient] = []
    /// The subscriptions that clients have asked for, in order.
    package private(set) var subscriptions: [Subscription] = []
    /// The messages that clients have published, in order, with those that were sent again.
    package private(set) var published: [MQTTMessage] = []
    /// The wills that were published, in order.
    package private(set) var publishedWills: [MQTTMessage] = []
    /// The retained messages by their topic.
    package private(set) var retained: [String: MQTTMessage] = [:]
    /// The number of connections that clients have ended with a goodbye.
    package private(set) var goodbyes = 0

    private var sessions: [Int: BrokerConnection] = [:]
    private var connectionCount = 0
    private let script: [[BrokerFault]]

    /// Creates a broker.
    package init(_ script: [[BrokerFault]]) { self.script = script }

    /// The number of connections that are open and have a subscription.
    package var subscriberCount: Int { sessions.values.count { !$0.filters.isEmpty } }

    /// The time at which the next bytes are due, if any.
    package var deadline: Duration? { sessions.values.compactMap(\.outbox.deadline).min() }

    // MARK: Connections

    /// Accepts a connection and returns its number, counted from 0.
    package mutating func accept() -> Int {
        defer { connectionCount += 1 }
        sessions[connectionCount] = BrokerConnection(
            script.indices.contains(connectionCount) ? script[connectionCount] : [])
        return connectionCount
    }

    /// Receives bytes of a connection.
    package mutating func receive(_ bytes: [UInt8], on connection: Int, at now: Duration) {
        sessions[connection]?.parser.append(bytes)
        do throws(MalformedPacket) {
            while sessions[connection]?.outbox.closing == nil,
                let packet = try sessions[connection]?.parser.next()
            {
                process(packet, on: connection, at: now)
            }
        } catch {
            end(connection, at: now)
        }
    }

    /// Ends a connection, which publishes the will of its client.
    package mutating func end(_ connection: Int, at now: Duration) {
        sessions[connection]?.outbox.close(at: now)
        sessions[connection]?.filters = [:]
        guard let will = sessions[connection]?.takeWill() else { return }
        publishedWills.append(will)
        publish(will, at: now)
    }

    /// Forgets a connection that the client has ended.
    package mutating func forget(_ connection: Int, at now: Duration) {
        end(connection, at: now)
        sessions[connection] = nil
    }

    /// Returns the bytes of a connection that are due, and whether the broker ends it after them.
    package mutating func takeOutput(of connection: Int, at now: Duration) -> (bytes: [UInt8], isClosed: Bool) {
        sessions[connection]?.outbox.takeDue(at: now) ?? ([], true)
    }

    // MARK: Messages

    /// Sends any bytes on a connection, such as a packet that no broker sends.
    package mutating func send(_ bytes: [UInt8], on connection: Int, at now: Duration) {
        sessions[connection]?.outbox.send(bytes, at: now)
    }

    package mutating func publish(_ message: MQTTMessage, at now: Duration) {
        if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : message }
        var live = message
        live.isRetained = false
        for connection in sessions.keys.sorted() { sessions[connection]?.deliver(live, at: now) }
    }

    private mutating func process(_ packet: ClientPacket, on connection: Int, at now: Duration) {
        guard var session = sessions[connection] else { return }
        guard session.admits(packet, at: now) else {
            sessions[connection] = session
            if session.outbox.closing != nil { end(connection, at: now) }
            return
        }
        var forwarded: MQTTMessage?
        switch packet {
        case .connect(let client):
            clients.append(client)
            session.connect(client, at: now)
        case .publish(let message, let number):
            published.append(message)
            if session.admits(message, number, at: now) { forwarded = message }
        case .subscribe(let number, let filters):
            subscriptions += filters.map { Subscription(filter: $0.filter, quality: $0.quality) }
            session.subscribe(number, filters, retained: retained, at: now)
        case .ping: session.send(.pong, at: now)
        case .disconnect:
            goodbyes += 1
            _ = session.takeWill()
            session.outbox.close(at: now)
        case .acknowledgement: break
        }
        sessions[connection] = session
        if let forwarded { publish(forwarded, at: now) }
        if session.outbox.closing != nil { end(connection, at: now) }
    }
}
