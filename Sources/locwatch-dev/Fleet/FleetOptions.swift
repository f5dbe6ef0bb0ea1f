import GPSDSimulation

/// The options of a simulated fleet.
struct FleetOptions: Hashable, Sendable {
    /// The number of devices, each with a connection of its own.
    var devices = 100
    /// The number of fixes of each device in a second.
    var rate = 1.0
    /// The duration of the load in seconds.
    var seconds = 10.0
    /// The seed from which every device gets its own.
    var seed: UInt64 = 1
    /// The receiver that the devices simulate.
    var scenario = ReceiverScenario.drive
    /// Whether the broker acknowledges every message.
    var isAcknowledged = true
    /// Whether the broker keeps the last position of each device.
    var isRetained = true
    /// The number of messages of a device that may wait for their acknowledgement.
    var inFlight = 20
    /// The number of consumers; 0 leaves the counting to another program.
    var consumers = 1
    /// The name of the group of consumers that share the messages, or `nil` if each consumer receives all.
    var group: String?
    /// Whether the broker keeps the messages of a consumer that is away.
    var keepsSessions = false
    /// The time at which the first consumer ends as a killed program does, in seconds since the start of the load.
    var endOfConsumer: Double?
    /// The time at which that consumer returns.
    var returnOfConsumer: Double?
    /// The time at which all devices lose their connections and connect again at once.
    var reconnection: Double?
    /// The longest wait for what is queued after the end of the load, in seconds.
    var drainTimeout = 60.0
    /// The brokers; the devices are spread over them, and turn to the next one if theirs fails.
    var brokers: [BrokerName] = []
    /// The broker of the consumers, by default the first one.
    var consumerBroker: BrokerName?
    /// The processes whose processor time and memory are reported.
    var processes: [Int32] = []
    /// The file that receives the acknowledged messages, each as the device and the sequence number.
    var acknowledgements: String?
    /// Whether the report is an object of JSON.
    var isJSON = false

    /// Reads a command line, or returns `nil` if it is malformed.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            switch name {
            case "--json": isJSON = true
            case "--keep-sessions": keepsSessions = true
            case "--no-retain": isRetained = false
            case _ where name.hasPrefix("--"):
                guard let value = rest.popFirst(), set(name, value) else { return nil }
            default:
                guard let broker = BrokerName(name) else { return nil }
                brokers.append(broker)
            }
        }
        if brokers.isEmpty { return nil }
    }

    private mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "--devices": set(\.devices, Int(value), 1...1_000_000)
        case "--rate": set(\.rate, Double(value), 0.001...100)
        case "--seconds": set(\.seconds, Double(value), 0.1...1_000_000)
        case "--seed": set(\.seed, UInt64(value), 0...UInt64.max)
        case "--scenario": set(\.scenario, ReceiverScenario.named(value))
        case "--qos": set(\.isAcknowledged, ["0": false, "1": true][value])
        case "--in-flight": set(\.inFlight, Int(value), 1...65_535)
        case "--consumers": set(\.consumers, Int(value), 0...1000)
        case "--share": set(\.group, value)
        case "--end-consumer": set(\.endOfConsumer, Double(value))
        case "--return-consumer": set(\.returnOfConsumer, Double(value))
        case "--reconnect": set(\.reconnection, Double(value))
        case "--drain-timeout": set(\.drainTimeout, Double(value), 0...1_000_000)
        case "--consumer": set(\.consumerBroker, BrokerName(value))
        case "--pid": add(Int32(value))
        case "--acknowledged": set(\.acknowledgements, value)
        default: false
        }
    }

    private mutating func set<Value: Comparable>(
        _ option: WritableKeyPath<Self, Value>, _ value: Value?, _ range: ClosedRange<Value>
    ) -> Bool {
        guard let value, range.contains(value) else { return false }
        self[keyPath: option] = value
        return true
    }

    private mutating func set<Value>(_ option: WritableKeyPath<Self, Value>, _ value: Value?) -> Bool {
        guard let value else { return false }
        self[keyPath: option] = value
        return true
    }

    private mutating func set<Value>(_ option: WritableKeyPath<Self, Value?>, _ value: Value?) -> Bool {
        guard let value else { return false }
        self[keyPath: option] = value
        return true
    }

    private mutating func add(_ process: Int32?) -> Bool {
        guard let process, process > 0 else { return false }
        processes.append(process)
        return true
    }
}
