import LocationCore

/// The count of the messages that consumers received, by device and sequence number.
struct FleetTally: Sendable {
    /// The messages of one device.
    private struct Device: Sendable {
        var received = SequenceSet()
        var highest = -1
    }

    private var devices: [Device]
    /// The number of different messages.
    private(set) var received = 0
    /// The number of messages that had come before.
    private(set) var duplicated = 0
    /// The number of messages that came for the first time, after a later one of their device.
    private(set) var outOfOrder = 0
    /// The number of messages that are not from the fleet.
    private(set) var foreign = 0
    /// The time from the due time of each message to its arrival, in microseconds.
    private var latencies: [UInt32] = []

    /// Creates the tally of a number of devices.
    init(devices count: Int) { devices = Array(repeating: Device(), count: count) }

    /// Counts a message that arrived at a time, in nanoseconds since the machine started.
    mutating func count(_ topic: String, _ payload: [UInt8], at now: Int64) {
        guard let device = FleetDevice.number(of: topic), devices.indices.contains(device),
            let stamp = FleetStamp(payload)
        else {
            foreign += 1
            return
        }
        guard devices[device].received.insert(stamp.sequence) else {
            duplicated += 1
            return
        }
        received += 1
        if stamp.sequence < devices[device].highest { outOfOrder += 1 }
        devices[device].highest = max(devices[device].highest, stamp.sequence)
        latencies.append(UInt32(clamping: (now - stamp.due) / 1000))
    }

    /// Returns the messages of a device that did not arrive.
    func missing(_ device: Int, of sent: SequenceSet) -> [Int] { sent.subtracting(devices[device].received) }

    /// Returns the latencies in milliseconds at ranks from 0 to 1, or an empty list if nothing arrived.
    func latencies(at ranks: [Double]) -> [Double] {
        let sorted = latencies.sorted()
        guard !sorted.isEmpty else { return [] }
        return ranks.map { Double(sorted[Int(clamping: (Double(sorted.count - 1) * $0).rounded())]) / 1000 }
    }
}
