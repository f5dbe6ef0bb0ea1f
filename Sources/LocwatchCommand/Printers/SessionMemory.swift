import LocationCore

/// What a printer remembers of a session, to say more about a position than its own report does.
struct SessionMemory: Sendable {
    private struct Receiver {
        var used: Int?
        var seen: Int?
        var status: DeviceStatus?
    }

    private var receivers = PerDevice<Receiver>()

    /// The number of receivers that were heard of.
    var receiverCount: Int { receivers.count }

    mutating func note(_ event: LocationEvent) {
        switch event {
        case .satellites(let sky):
            let place = receivers.place(of: sky.device, default: Receiver())
            // A report without a list and without counts says nothing about them.
            if let used = sky.used { receivers[place: place].used = used }
            if let seen = sky.seen { receivers[place: place].seen = seen }
        case .device(let status): receivers[status.path, default: Receiver()].status = status
        case .location: _ = receivers.place(of: event.device, default: Receiver())
        case .searching, .failure, .receiver, .authorization, .line, .notice: break
        }
    }

    func reported(_ location: Location, at moment: Moment) -> ReportedLocation {
        let receiver = receivers[location.device]
        return ReportedLocation(
            location: location, received: location.received ?? moment.wall, used: receiver?.used, seen: receiver?.seen)
    }

    func status(of device: String) -> DeviceStatus? { receivers[device]?.status }
}
