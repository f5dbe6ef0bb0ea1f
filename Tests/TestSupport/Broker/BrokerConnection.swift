import LocationPublishing

/// The state of one connection to a scripted broker.
struct BrokerConnection: Sendable {
    let faults: [BrokerFault]
    var parser = MQTTPacketParser()
    var outbox: BrokerOutbox
    /// The filters that the client has subscribed to, with the quality of each.
    var filters: [TopicFilter: MQTTMessage.Quality] = [:]
    private var client: BrokerClient?
    private var packetCount = 0
    private var messageCount = 0
    private var lastNumber: UInt16 = 0

    init(_ faults: [BrokerFault]) {
        self.faults = faults
        outbox = BrokerOutbox(faults)
    }

    /// Returns whether a packet is processed; it is not if the client has broken the rules, or a fault says so.
    mutating func admits(_ packet: ClientPacket, at now: Duration) -> Bool {
        packetCount += 1
        if faults.contains(.closes(atPacket: packetCount)) {
            outbox.close(at: now)
            return false
        }
        // The first packet introduces the client, and no other one does.
        let isIntroduction = if case .connect = packet { true } else { false }
        guard isIntroduction == (client == nil) else {
            outbox.close(at: now)
            return false
        }
        return true
    }

    /// Returns the will of the client, once.
    mutating func takeWill() -> MQTTMessage? {
        defer { client?.will = nil }
        return client?.will
    }

    mutating func connect(_ client: BrokerClient, at now: Duration) {
        self.client = client
        for fault in faults {
            switch fault {
            case .garbage(let bytes): return outbox.send(bytes, at: now)
            case .refusesVersion5 where client.version == .version5:
                self.client?.will = nil
                // Such a broker knows the packets of its own version only.
                outbox.send(BrokerPacket.connectionAcknowledgement(code: 1).bytes(in: .version3), at: now)
                return outbox.close(at: now)
            case .refuses(let code):
                self.client?.will = nil
                send(.connectionAcknowledgement(code: code), at: now)
                return outbox.close(at: now)
            default: break
            }
        }
        send(.connectionAcknowledgement(code: 0), at: now)
    }

    /// Answers a message as the faults say, and returns whether it is forwarded.
    mutating func admits(_ message: MQTTMessage, _ number: UInt16?, at now: Duration) -> Bool {
        for fault in faults {
            switch fault {
            case .refusesMessages(message.topic, let reason):
                if let number { send(.acknowledgement(number, reason: reason), at: now) }
                return false
            case .disconnects(message.topic, let reason):
                if version == .version5 { send(.disconnect(reason: reason), at: now) }
                outbox.close(at: now)
                return false
            default: continue
            }
        }
        acknowledge(number, at: now)
        return !faults.contains(.dropsMessages)
    }

    private var version: MQTTVersion { client?.version ?? .version3 }

    /// Acknowledges a message if it has a number, as the faults say.
    private mutating func acknowledge(_ number: UInt16?, at now: Duration) {
        messageCount += 1
        guard let number, !faults.contains(.losesAcknowledgement(of: messageCount)) else { return }
        var time = now
        for case .acknowledgesLate(let delay) in faults { time += delay }
        if faults.contains(.acknowledgesUnsent) { send(.acknowledgement(number &+ 1000), at: now) }
        for _ in 0..<(faults.contains(.acknowledgesTwice) ? 2 : 1) { send(.acknowledgement(number), at: time) }
    }

    mutating func subscribe(
        _ number: UInt16, _ new: [(filter: String, quality: UInt8)], retained: [String: MQTTMessage], at now: Duration
    ) {
        guard !faults.contains(.refusesSubscriptions) else {
            return send(
                .subscriptionAcknowledgement(number, granted: new.map { _ in version == .version5 ? 0x87 : 0x80 }),
                at: now)
        }
        let granted = new.map { MQTTMessage.Quality(rawValue: $0.quality) ?? .atLeastOnce }
        for (entry, quality) in zip(new, granted) { filters[TopicFilter(entry.filter)] = quality }
        send(.subscriptionAcknowledgement(number, granted: granted.map(\.rawValue)), at: now)
        for (topic, message) in retained.sorted(by: { $0.key < $1.key }) {
            guard new.contains(where: { TopicFilter($0.filter).matches(topic) }) else { continue }
            deliver(message, at: now)
        }
    }

    /// Sends a message to the client if it has subscribed to its topic.
    mutating func deliver(_ message: MQTTMessage, at now: Duration) {
        let qualities = filters.filter { $0.key.matches(message.topic) }.values.map(\.rawValue)
        guard let most = qualities.max(), let granted = MQTTMessage.Quality(rawValue: most) else { return }
        var copy = message
        if granted == .atMostOnce { copy.quality = .atMostOnce }
        guard copy.quality == .atLeastOnce else { return send(.publish(copy, number: nil), at: now) }
        lastNumber = lastNumber == .max ? 1 : lastNumber + 1
        send(.publish(copy, number: lastNumber), at: now)
    }

    mutating func send(_ packet: BrokerPacket, at time: Duration) {
        guard !faults.contains(.silent) else { return }
        outbox.send(packet.bytes(in: version), at: time)
    }
}
