import LocationCore

/// What is known of the receivers of a session.
struct DeviceList: Hashable, Sendable {
    /// In the order in which they were told of.
    private(set) var devices: [DeviceStatus] = []
    /// Whether the daemon has listed them, were it none.
    private(set) var hasList = false
    private var heard: Set<String> = []

    /// Whether nothing more is to be learnt of any of them soon.
    var isSettled: Bool {
        hasList
            && devices.allSatisfy { status in
                switch status.activity {
                case .reporting: heard.contains(status.path)
                case .silent, .babbling, .unopenable, .gone: true
                case .unknown, .idle: false
                }
            }
    }

    /// Takes note of an event; the answer is the receiver that it has changed.
    mutating func note(_ update: LocationUpdate) -> DeviceStatus? {
        switch update.event {
        case .device(let status):
            hasList = true
            return replace(status)
        case .searching(.noDevice, _):
            hasList = true
            return nil
        case .searching(.deviceLost(let path), _):
            guard var status = devices.first(where: { $0.path == path }), status.activity != .gone else { return nil }
            status.activity = .gone
            return replace(status)
        default:
            // Only listings carry the time of the last byte; a report is one, too.
            guard update.event.isReport, let path = update.event.device,
                let index = devices.firstIndex(where: { $0.path == path })
            else { return nil }
            heard.insert(path)
            devices[index].lastHeard = max(devices[index].lastHeard ?? update.moment.wall, update.moment.wall)
            return nil
        }
    }

    private mutating func replace(_ status: DeviceStatus) -> DeviceStatus? {
        guard let index = devices.firstIndex(where: { $0.path == status.path }) else {
            devices.append(status)
            return status
        }
        var status = status
        let old = devices[index]
        if let before = old.lastHeard { status.lastHeard = max(before, status.lastHeard ?? before) }
        devices[index] = status
        if status.activity != .reporting { heard.remove(status.path) }
        var comparable = status
        comparable.lastHeard = old.lastHeard
        return comparable == old ? nil : status
    }
}

extension LocationEvent {
    /// Whether it came from a receiver, and not only from the daemon.
    fileprivate var isReport: Bool {
        switch self {
        case .location, .satellites, .receiver, .searching(.noFix, _): true
        case .searching, .failure, .device, .authorization, .line, .notice: false
        }
    }
}
