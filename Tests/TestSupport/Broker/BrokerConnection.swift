import Glibc
import LocationPublishing

/// One connection to a scripted broker, with its faults and the bytes that wait to be sent.
struct BrokerConnection: Sendable {
    let socket: Int32
    private let faults: [BrokerFault]
    var parser = MQTTPacketParser()
    /// The filters that the client has subscribed to, with the quality of each.
    var filters: [String: MQTTMessage.Quality] = [:]
    private var client: BrokerClient?
    private var packetCount = 0
    private var messageCount = 0
    private var lastNumber: UInt16 = 0
    /// The bytes to send, each with its time, and the number of all bytes so far.
    private var waiting: [(due: Duration, bytes: [UInt8])] = []
    private var byteCount = 0
    /// Whether the socket takes no more at present.
    private var isFull = false
    /// The time at which the connection is ended, if it is.
    private(set) var closing: Duration?

    init(_ socket: Int32, _ faults: [BrokerFault]) { (self.socket, self.faults) = (socket, faults) }

    private var version: MQTTVersion { client?.version ?? .version3 }

    // MARK: Packets

    /// Returns whether a packet is processed; the connection ends if the client has broken the rules, or a fault says so.
    mutating func admits(_ packet: ClientPacket) -> Bool {
        packetCount += 1
        // The first packet introduces the client, and no other one does.
        let isIntroduction = if case .connect = packet { true } else { false }
        return isIntroduction == (client == nil) && !faults.contains(.closes(atPacket: packetCount))
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
            case .garbage(let bytes): return send(bytes, at: now)
            // Such a broker knows the packets of its own version only.
            case .refusesVersion5 where client.version == .version5: return refuse(code: 1, in: .version3, at: now)
            case .refuses(let code): return refuse(code: code, in: version, at: now)
            default: break
            }
        }
        send(.connectionAcknowledgement(code: 0), at: now)
    }

    private mutating func refuse(code: UInt8, in version: MQTTVersion, at now: Duration) {
        client?.will = nil
        send(BrokerPacket.connectionAcknowledgement(code: code).bytes(in: version), at: now)
        close(at: now)
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
                close(at: now)
                return false
            default: continue
            }
        }
        acknowledge(number, at: now)
        return !faults.contains(.dropsMessages)
    }

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
            let refusals = new.map { _ in UInt8(version == .version5 ? 0x87 : 0x80) }
            return send(.subscriptionAcknowledgement(number, granted: refusals), at: now)
        }
        let granted = new.map { MQTTMessage.Quality(rawValue: $0.quality) ?? .atLeastOnce }
        for (entry, quality) in zip(new, granted) { filters[entry.filter] = quality }
        send(.subscriptionAcknowledgement(number, granted: granted.map(\.rawValue)), at: now)
        for (topic, message) in retained.sorted(by: { $0.key < $1.key })
        where new.contains(where: { Self.matches($0.filter, topic) }) {
            deliver(message, at: now)
        }
    }

    /// Sends a message to the client if it has subscribed to its topic.
    mutating func deliver(_ message: MQTTMessage, at now: Duration) {
        let qualities = filters.filter { Self.matches($0.key, message.topic) }.values
        guard let granted = qualities.max(by: { $0.rawValue < $1.rawValue }) else { return }
        var copy = message
        if granted == .atMostOnce { copy.quality = .atMostOnce }
        guard copy.quality == .atLeastOnce else { return send(.publish(copy, number: nil), at: now) }
        lastNumber = lastNumber == .max ? 1 : lastNumber + 1
        send(.publish(copy, number: lastNumber), at: now)
    }

    /// Returns whether a topic matches a filter: `+` stands for one level, and `#` for all that follow.
    private static func matches(_ filter: String, _ topic: String) -> Bool {
        var levels = filter.split(separator: "/", omittingEmptySubsequences: false)
        var names = topic.split(separator: "/", omittingEmptySubsequences: false)
        if levels.last == "#" {
            levels.removeLast()
            names = Array(names.prefix(levels.count))
        }
        return levels.elementsEqual(names) { $0 == "+" || $0 == $1 }
    }

    // MARK: Bytes

    mutating func send(_ packet: BrokerPacket, at time: Duration) {
        if !faults.contains(.silent) { send(packet.bytes(in: version), at: time) }
    }

    /// Sends bytes at a time; bytes that are due earlier overtake those that are due later.
    mutating func send(_ bytes: [UInt8], at time: Duration) {
        guard closing == nil else { return }
        var bytes = bytes
        var isCut = false
        for case .cutsAnswers(let limit) in faults {
            isCut = byteCount + bytes.count >= limit
            bytes = Array(bytes.prefix(limit - byteCount))
        }
        byteCount += bytes.count
        var pieces = [(due: time, bytes: bytes)]
        for case .trickles(let interval) in faults {
            let start = max(time, waiting.last?.due ?? time)
            pieces = bytes.enumerated().map { (start + interval * ($0.offset + 1), [$0.element]) }
        }
        // The sort is stable.
        waiting = (waiting + pieces).sorted { $0.due < $1.due }
        if isCut { close(at: time) }
    }

    /// Ends the connection after what was sent.
    mutating func close(at time: Duration) {
        if closing == nil { closing = max(time, waiting.last?.due ?? time) }
    }

    /// The time at which the next bytes are due, or the end of the connection, unless the socket has to be waited for.
    var deadline: Duration? { isFull ? nil : waiting.first?.due ?? closing }

    /// The events of the socket to wait for.
    var events: Int32 { isFull ? POLLIN | POLLOUT : POLLIN }

    /// Sends the bytes that are due, and returns whether the connection has ended with them.
    mutating func flush(at now: Duration) -> Bool {
        isFull = false
        while let next = waiting.first, next.due <= now {
            let count = Glibc.send(socket, next.bytes, next.bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            guard count == next.bytes.count else {
                waiting[0].bytes.removeFirst(max(0, count))
                isFull = true
                return false
            }
            waiting.removeFirst()
        }
        return waiting.isEmpty && closing.map { $0 <= now } == true
    }

    func hangUp() { Glibc.close(socket) }
}
