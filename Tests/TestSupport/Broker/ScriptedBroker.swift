package import LocationPublishing

/// An MQTT broker that fails as its script says, without a clock.
///
/// It keeps retained messages, forwards messages to subscribers, publishes wills, and remembers what it received. It stores
/// nothing for clients that are not connected.
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

    private let script: [[BrokerFault]]
    private var connectionCount = 0
    private var connections: [Int: BrokerConnection] = [:]

    init(_ script: [[BrokerFault]]) { self.script = script }

    /// The number of connections that are open and have a subscription.
    package var subscriberCount: Int { connections.values.count { !$0.filters.isEmpty } }

    // MARK: Connections

    /// The sockets of the connections, with the events to wait for.
    var sockets: [(number: Int, socket: Int32, events: Int32)] {
        connections.map { ($0.key, $0.value.socket, $0.value.events) }
    }

    /// Adds a connection; they are counted from 0.
    mutating func accept(_ socket: Int32) {
        let faults = script.indices.contains(connectionCount) ? script[connectionCount] : []
        connections[connectionCount] = BrokerConnection(socket, faults)
        connectionCount += 1
    }

    /// Receives bytes of a connection.
    mutating func receive(_ bytes: [UInt8], on number: Int, at now: Duration) {
        connections[number]?.parser.append(bytes)
        do throws(MalformedPacket) {
            while connections[number]?.closing == nil, let packet = try connections[number]?.parser.next() {
                process(packet, on: number, at: now)
            }
        } catch {
            end(number, at: now)
        }
    }

    /// Ends a connection, which publishes the will of its client.
    mutating func end(_ number: Int, at now: Duration) {
        connections[number]?.close(at: now)
        connections[number]?.filters = [:]
        guard let will = connections[number]?.takeWill() else { return }
        publishedWills.append(will)
        publish(will, at: now)
    }

    /// Forgets a connection that the client has ended.
    mutating func forget(_ number: Int, at now: Duration) {
        end(number, at: now)
        connections.removeValue(forKey: number)?.hangUp()
    }

    /// Sends what is due, and closes the connections that end with that; returns the time at which more is due, if any.
    mutating func flush(at now: Duration) -> Duration? {
        for number in Array(connections.keys) where connections[number]?.flush(at: now) == true {
            forget(number, at: now)
        }
        return connections.values.compactMap(\.deadline).min()
    }

    // MARK: Messages

    /// Sends any bytes on a connection, such as a packet that no broker sends.
    mutating func send(_ bytes: [UInt8], on number: Int, at now: Duration) { connections[number]?.send(bytes, at: now) }

    mutating func publish(_ message: MQTTMessage, at now: Duration) {
        if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : message }
        var live = message
        live.isRetained = false
        for number in connections.keys.sorted() { connections[number]?.deliver(live, at: now) }
    }

    private mutating func process(_ packet: ClientPacket, on number: Int, at now: Duration) {
        guard connections[number]?.admits(packet) == true else { return end(number, at: now) }
        switch packet {
        case .connect(let client):
            clients.append(client)
            connections[number]?.connect(client, at: now)
        case .publish(let message, let identifier):
            published.append(message)
            if connections[number]?.admits(message, identifier, at: now) == true { publish(message, at: now) }
        case .subscribe(let identifier, let filters):
            subscriptions += filters.map { Subscription(filter: $0.filter, quality: $0.quality) }
            connections[number]?.subscribe(identifier, filters, retained: retained, at: now)
        case .ping: connections[number]?.send(.pong, at: now)
        case .disconnect:
            goodbyes += 1
            _ = connections[number]?.takeWill()
            connections[number]?.close(at: now)
        case .acknowledgement: break
        }
        if connections[number]?.closing != nil { end(number, at: now) }
    }
}
