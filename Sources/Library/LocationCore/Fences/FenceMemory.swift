import LocwatchSupport

/// The records of the fences of a list, for each device.
struct FenceMemory: Sendable {
    /// Whether new sessions begin with what the records say.
    private(set) var restores = false
    /// The number of events and of corrections that were noted.
    private(set) var eventCount = 0
    private var records: [String: PerDevice<FenceRecord>] = [:]

    /// Returns the records of fences in their order, and for one fence in the order in which devices came.
    func records(of fences: [Fence]) -> [FenceRecord] {
        fences.flatMap { fence in
            records[fence.name].map { Array($0.values) } ?? [FenceRecord(fence)]
        }
    }

    /// Returns the record of a device, or else that of all devices.
    func record(_ name: String, device: String?) -> FenceRecord? {
        records[name].flatMap { $0[device] ?? $0[nil] }
    }

    /// Notes a fence of the list; what is known of the same fence stays.
    mutating func add(_ fence: Fence, assuming state: FenceRecord.State?) {
        if records[fence.name]?.values.first(where: { _ in true })?.fence != fence { records[fence.name] = nil }
        if let state {
            restores = true
            var assumed = PerDevice<FenceRecord>()
            assumed.set(FenceRecord(fence, state: state), for: nil)
            records[fence.name] = assumed
        }
    }

    mutating func remove(_ name: String) { records[name] = nil }

    mutating func restore(_ restored: [FenceRecord]) {
        restores = true
        // A record of a fence of which nothing is known would stay beside those of the devices of a fleet.
        for record in restored where record != FenceRecord(record.fence) {
            records[record.fence.name, default: PerDevice()].set(record, for: record.device)
        }
    }

    /// Notes an event at a fence of the list.
    mutating func note(_ event: FenceEvent, at fence: Fence, placed: Fence?) {
        eventCount &+= 1
        let before = records[fence.name]?[event.device] ?? FenceRecord(fence, device: event.device)
        records[fence.name, default: PerDevice()].set(before.after(event, placed: placed), for: event.device)
    }

    /// Notes that the anchor of a device has another place.
    mutating func note(_ placed: Fence, of device: String?) {
        guard let record = records[placed.name]?[device], record.placed != nil, record.placed != placed else { return }
        eventCount &+= 1
        records[placed.name]?.set(record.moved(to: placed), for: device)
    }

    /// Returns the records with which a session begins to watch a fence.
    func beginning(of fence: Fence) -> [FenceRecord] {
        guard restores, let known = records[fence.name] else { return [] }
        return known.values.filter { $0.fence == fence && $0.state != .unknown }
    }
}
