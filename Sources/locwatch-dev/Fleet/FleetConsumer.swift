import BrokerSimulation
import LocationPublishing
import LocationTesting
import LocwatchPlatform

/// One subscriber of a fleet, which acknowledges what it receives.
final class FleetConsumer {
    /// Whether the consumer reads; one that was killed does not until it returns.
    var isWanted = true
    private(set) var socket: FleetSocket?
    private(set) var isReady = false
    private let client: BrokerClient
    private let filter: MQTTPacket.Filter
    private var retry: Int64 = 0
    private var lastSign: Int64 = 0

    init(_ number: Int, _ options: FleetOptions) {
        var client = BrokerClient(clientID: "fleet-consumer-\(number)")
        client.isCleanSession = !options.keepsSessions
        self.client = client
        let prefix = options.group.map { "$share/\($0)/" } ?? ""
        filter = MQTTPacket.Filter(text: prefix + FleetDevice.filter, quality: options.isAcknowledged ? 1 : 0)
    }

    /// Connects if that is due; returns the new connection, if any.
    func connect(_ broker: BrokerSocketAddress, at now: Int64) -> FleetSocket? {
        guard isWanted, socket == nil, now >= retry else { return nil }
        retry = now + 500_000_000
        socket = try? FleetSocket(to: broker)
        socket?.append(MQTTPacket.connect(client).bytes)
        lastSign = now
        return socket
    }

    /// Processes what has come, and calls `count` with each message before it is acknowledged.
    func receive(into buffer: UnsafeMutableRawBufferPointer, _ count: (String, [UInt8]) -> Void) {
        guard let socket else { return }
        socket.receive(into: buffer) { packet in
            switch packet {
            case .connectionAcknowledgement(code: 0, _): socket.append(MQTTPacket.subscribe(1, [filter]).bytes)
            case .subscriptionAcknowledgement: isReady = true
            case .publish(let message, let number):
                // A retained message is from an earlier run.
                if !message.isRetained { count(message.topic, message.payload) }
                if let number { socket.append(MQTTPacket.acknowledgement(number).bytes) }
            default: break
            }
        }
    }

    /// Sends acknowledgements and signs of life; returns false if the connection has ended.
    func send(at now: Int64) -> Bool {
        guard let socket else { return true }
        if now - lastSign > 20_000_000_000 {
            socket.append(MQTTPacket.ping.bytes)
            lastSign = now
        }
        socket.flush()
        return !socket.hasFailed
    }

    /// Drops the connection without a goodbye.
    func leave() {
        socket?.reset()
        socket = nil
        isReady = false
    }
}
