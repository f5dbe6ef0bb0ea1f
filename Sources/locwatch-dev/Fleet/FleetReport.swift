import LocationCore

/// The figures of a run of a fleet.
struct FleetReport {
    /// The counts and measurements, by the names that they have in JSON.
    struct Line {
        var name: String
        var text: String
        var value: Double?
        var decimals = 0
    }

    var devices = 0
    /// The number of connections that the brokers accepted.
    var connections = 0
    /// The number of different messages that were sent.
    var sent = 0
    /// The number of messages that were sent again because their connection ended.
    var resent = 0
    var acknowledged = 0
    /// The number of messages that were not sent or not acknowledged at the end.
    var queued = 0
    /// The number of moments at which a device had no fix.
    var withoutFix = 0
    /// The number of different messages that the consumers received.
    var received: Int?
    /// The number of messages that were acknowledged, or sent if they are not acknowledged, and did not arrive.
    var lost: Int?
    var duplicated: Int?
    var outOfOrder: Int?
    /// The median, the 99th percentile and the maximum of the latency in milliseconds.
    var latencies: [Double] = []
    /// The time at which a consumer was killed.
    var endOfConsumer: Int64?
    /// The due times of what was lost, in seconds relative to the end of the consumer.
    var lossesAroundEnd: ClosedRange<Double>?
    var secondsToConnect = 0.0
    /// The time until half of the devices had connected again, and until all had, in seconds.
    var secondsToReconnectHalf: Double?
    var secondsToReconnect: Double?
    /// The processor time of the brokers during the load, in per cent of a core.
    var brokerCPU: Double?
    /// The processor time of the brokers while the devices connected, in seconds.
    var brokerSecondsToConnect: Double?
    /// The memory of the brokers in bytes before the connections, with them, and after the load.
    var brokerMemory: [Int] = []
    /// The processor time of this process during the load, in per cent of a core.
    var ownCPU = 0.0
    /// The greatest delay in milliseconds with which a fix was made: whether this process was fast enough.
    var greatestDelay = 0.0

    /// Adds the count of the consumers.
    mutating func count(_ tally: FleetTally, _ links: [FleetLink], _ options: FleetOptions) {
        received = tally.received
        duplicated = tally.duplicated
        outOfOrder = tally.outOfOrder
        latencies = tally.latencies(at: [0.5, 0.99, 1])
        var lost: [Int64] = []
        for link in links {
            let missing = tally.missing(link.number, of: options.isAcknowledged ? link.acknowledged : link.sent)
            lost += missing.map { link.due[$0] }
        }
        self.lost = lost.count
        if let end = endOfConsumer, let first = lost.min(), let last = lost.max() {
            lossesAroundEnd = Double(first - end) / 1e9...Double(last - end) / 1e9
        }
    }

    private var lines: [Line] {
        func count(_ name: String, _ text: String, _ value: Int?) -> Line {
            Line(name: name, text: text, value: value.map(Double.init))
        }
        func latency(_ index: Int) -> Double? { latencies.indices.contains(index) ? latencies[index] : nil }
        func memory(_ index: Int) -> Double? {
            brokerMemory.indices.contains(index) ? Double(brokerMemory[index]) / 1e6 : nil
        }
        return [
            count("devices", "devices", devices), count("connections", "connections", connections),
            count("sent", "sent", sent), count("resent", "sent again", resent),
            count("acknowledged", "acknowledged", acknowledged), count("received", "received", received),
            count("lost", "lost", lost), count("duplicated", "duplicated", duplicated),
            count("out_of_order", "out of order", outOfOrder), count("queued", "still queued", queued),
            count("without_fix", "moments without a fix", withoutFix),
            Line(name: "latency_p50_ms", text: "latency p50 in ms", value: latency(0), decimals: 2),
            Line(name: "latency_p99_ms", text: "latency p99 in ms", value: latency(1), decimals: 2),
            Line(name: "latency_max_ms", text: "latency max in ms", value: latency(2), decimals: 2),
            Line(name: "connect_s", text: "time to connect in s", value: secondsToConnect, decimals: 2),
            Line(
                name: "reconnect_half_s", text: "half reconnected after s", value: secondsToReconnectHalf, decimals: 2),
            Line(name: "reconnect_s", text: "all reconnected after s", value: secondsToReconnect, decimals: 2),
            Line(
                name: "loss_begin_s", text: "first loss, s from the end", value: lossesAroundEnd?.lowerBound,
                decimals: 3),
            Line(
                name: "loss_end_s", text: "last loss, s from the end", value: lossesAroundEnd?.upperBound, decimals: 3),
            Line(name: "broker_cpu_percent", text: "broker's CPU in %", value: brokerCPU, decimals: 1),
            Line(
                name: "broker_connect_cpu_s", text: "broker's CPU to connect in s", value: brokerSecondsToConnect,
                decimals: 2),
            Line(name: "broker_empty_mb", text: "broker's memory, empty, in MB", value: memory(0), decimals: 1),
            Line(name: "broker_connected_mb", text: "broker's memory, connected, in MB", value: memory(1), decimals: 1),
            Line(
                name: "broker_loaded_mb", text: "broker's memory, after the load, in MB", value: memory(2), decimals: 1),
            Line(name: "own_cpu_percent", text: "CPU of this process in %", value: ownCPU, decimals: 1),
            Line(name: "own_delay_ms", text: "greatest delay of a fix in ms", value: greatestDelay, decimals: 1),
        ]
    }

    /// The figures that are known, as an object of JSON.
    var json: String {
        let members = lines.compactMap { line in
            line.value.map { "\"\(line.name)\":\(Self.digits($0, line.decimals))" }
        }
        return "{\(members.joined(separator: ","))}\n"
    }

    /// The figures that are known, one on each line.
    var text: String {
        let known = lines.filter { $0.value != nil }
        let width = known.map(\.text.count).max() ?? 0
        return known.map { line in
            let gap = String(repeating: " ", count: width - line.text.count + 2)
            return "\(line.text)\(gap)\(Self.digits(line.value ?? 0, line.decimals))\n"
        }.joined()
    }

    private static func digits(_ value: Double, _ decimals: Int) -> String {
        TextBuffer.text { $0.put(fixed: value, decimals: decimals) }
    }
}
