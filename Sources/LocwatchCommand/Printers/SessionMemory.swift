import LocationCore

/// What a printer remembers of a session, to say more about a position than its own report does.
struct SessionMemory: Sendable {
    private struct Receiver {
        var device: String?
        var used: Int?
        var seen: Int?
        var status: DeviceStatus?
    }

    // Nearly always one or two: walking over them is faster than hashing a path.
    private var receivers: [Receiver] = []

    /// How many receivers have told something.
    var receiverCount: Int { receivers.count }

    mutating func note(_ event: LocationEvent) {
        switch event {
        case .satellites(let sky):
            let index = index(of: sky.device)
            // A report without a list and without counts says nothing about them.
            if let used = sky.used { receivers[index].used = used }
            if let seen = sky.seen { receivers[index].seen = seen }
        case .device(let status):
            receivers[index(of: status.path)].status = status
        case .location:
            _ = index(of: event.device)
        case .searching, .failure, .authorization, .notice: break
        }
    }

    func reported(_ location: Location, at moment: Moment) -> ReportedLocation {
        let index = receivers.firstIndex { $0.device == location.device }
        return ReportedLocation(
            location: location, received: location.received ?? moment.wall,
            used: index.flatMap { receivers[$0].used }, seen: index.flatMap { receivers[$0].seen })
    }

    func status(of device: String) -> DeviceStatus? {
        receivers.first { $0.device == device }?.status
    }

    private mutating func index(of device: String?) -> Int {
        if let index = receivers.firstIndex(where: { $0.device == device }) { return index }
        receivers.append(Receiver(device: device))
        return receivers.count - 1
    }
}
