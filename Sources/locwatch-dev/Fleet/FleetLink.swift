import BrokerSimulation
import LocationPublishing
import LocationTesting
import LocwatchPlatform

/// The connection of one device: a queue of its own, sent in order, and what waits for its acknowledgement.
final class FleetLink {
    private enum Phase {
        case away(until: Int64)
        case connecting(since: Int64)
        case open
    }

    /// A message with its number among those of the device.
    struct Fix {
        var sequence: Int
        var payload: [UInt8]
    }

    let number: Int
    var device: FleetDevice
    private(set) var socket: FleetSocket?
    private var phase = Phase.away(until: 0)
    /// The number of failed connections since the last one that was accepted.
    private var failures: Int
    /// The due time of each message that was made.
    private(set) var due: [Int64] = []
    private var waiting: [Fix] = []
    private var inFlight: [(number: UInt16, fix: Fix, sent: Int64)] = []
    private var lastNumber: UInt16 = 0
    private var lastSent: Int64 = 0

    /// The messages that were sent, and those that the broker has acknowledged.
    private(set) var sent = SequenceSet()
    private(set) var acknowledged = SequenceSet()
    /// The number of messages that were sent again because their connection ended.
    private(set) var resent = 0
    /// The number of connections that the broker accepted.
    private(set) var connections = 0

    init(_ number: Int, _ device: FleetDevice) {
        self.number = number
        self.device = device
        failures = number
    }

    var isOpen: Bool { if case .open = phase { true } else { false } }
    var isConnecting: Bool { if case .connecting = phase { true } else { false } }
    /// Whether everything was sent, and acknowledged if that was asked for.
    var isDrained: Bool { waiting.isEmpty && inFlight.isEmpty }
    /// The number of messages that were not acknowledged or not sent.
    var queued: Int { waiting.count + inFlight.count }

    /// Appends the message of a moment, unless the device has no fix.
    func makeFix(_ payload: [UInt8]?, due: Int64) {
        guard let payload else { return }
        let stamp = FleetStamp(sequence: self.due.count, due: due)
        waiting.append(Fix(sequence: stamp.sequence, payload: stamp.added(to: payload)))
        self.due.append(due)
    }

    // MARK: The connection

    /// Begins to connect if the time has come; returns whether it does.
    func connect(_ brokers: [BrokerSocketAddress], at now: Int64) -> Bool {
        guard case .away(let until) = phase, now >= until else { return false }
        do throws(SystemFailure) {
            let socket = try FleetSocket(to: brokers[failures % brokers.count])
            var client = BrokerClient(clientID: "fleet-d\(number)")
            client.keepAlive = 120
            socket.append(MQTTPacket.connect(client).bytes)
            self.socket = socket
            phase = .connecting(since: now)
            return true
        } catch {
            leave(at: now)
            return false
        }
    }

    /// Ends the connection without a goodbye; what was not acknowledged is sent again by the next one.
    func leave(at now: Int64, isRetriedAtOnce: Bool = false) {
        socket?.reset()
        socket = nil
        failures += 1
        // The devices do not return together, and wait for 4 s at most.
        let delay = Int64.random(in: 100_000_000...1_000_000_000) << Int64(min(2, failures / 4))
        phase = .away(until: isRetriedAtOnce ? now : now + delay)
        resent += inFlight.count
        waiting.insert(contentsOf: inFlight.map(\.fix), at: 0)
        inFlight = []
    }

    /// Processes what has come.
    func receive(into buffer: UnsafeMutableRawBufferPointer, at now: Int64) {
        socket?.receive(into: buffer) { packet in
            switch packet {
            case .connectionAcknowledgement(code: 0, _):
                phase = .open
                failures = number
                connections += 1
            case .acknowledgement(let number, _):
                guard let index = inFlight.firstIndex(where: { $0.number == number }) else { return }
                _ = acknowledged.insert(inFlight.remove(at: index).fix.sequence)
            default: break
            }
        }
        if socket?.hasFailed == true { leave(at: now) }
    }

    /// Sends what may be sent.
    func send(_ options: FleetOptions, at now: Int64) {
        guard let socket else { return }
        if isOpen, !waiting.isEmpty {
            var count = 0
            while count < waiting.count, inFlight.count < options.inFlight, !socket.isCongested {
                append(waiting[count], to: socket, options, at: now)
                count += 1
            }
            waiting.removeFirst(count)
            if count > 0 { lastSent = now }
        } else if isOpen, now - lastSent > 60_000_000_000 {
            socket.append(MQTTPacket.ping.bytes)
            lastSent = now
        }
        socket.flush()
        if socket.hasFailed { leave(at: now) }
    }

    private func append(_ fix: Fix, to socket: FleetSocket, _ options: FleetOptions, at now: Int64) {
        let message = MQTTMessage(
            device.topic, fix.payload, quality: options.isAcknowledged ? .atLeastOnce : .atMostOnce,
            isRetained: options.isRetained)
        _ = sent.insert(fix.sequence)
        if options.isAcknowledged {
            lastNumber = lastNumber == .max ? 1 : lastNumber + 1
            inFlight.append((lastNumber, fix, now))
        }
        socket.append(MQTTPacket.publish(message, number: options.isAcknowledged ? lastNumber : nil).bytes)
    }

    /// Ends a connection that does not answer.
    func checkSilence(at now: Int64) {
        let limit: Int64 = 30_000_000_000
        let since: Int64? =
            switch phase {
            case .connecting(let since): since
            case .open: inFlight.first?.sent
            case .away: nil
            }
        if let since, now - since > limit { leave(at: now) }
    }

    /// Ends the connection with a goodbye.
    func close() {
        socket?.append(MQTTPacket.disconnect().bytes)
        socket?.flush()
        socket = nil
    }
}
