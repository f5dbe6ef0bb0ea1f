import LocationCore
import LocwatchPrinting

/// The known receivers of a session and their activity.
struct DeviceList: Hashable, Sendable {
    /// The receivers, in the order in which they were first reported.
    private(set) var devices: [DeviceStatus] = []
    /// Whether the daemon has sent its list, even an empty one.
    private(set) var hasList = false
    private var heard: Set<String> = []
    /// Whether the session goes on now; in a recording the times of the reports count, and not those of gpsd's lists.
    private let isLive: Bool

    init(isLive: Bool) { self.isLive = isLive }

    /// Whether the list is complete, so that waiting would add nothing soon.
    var isSettled: Bool {
        hasList
            && devices.allSatisfy { status in
                switch status.activity {
                case .reporting: heard.contains(status.path)
                case let activity: activity.isTrouble
                }
            }
    }

    /// Processes an event and returns the receiver that it changed, if any.
    mutating func note(_ update: LocationUpdate) -> DeviceStatus? {
        switch update.event {
        case .device(let status):
            hasList = true
            return replace(status)
        case .searching(.noDevice, _):
            hasList = true
            return nil
        case .searching(.deviceLost, let path):
            guard var status = devices.first(where: { $0.path == path }), status.activity != .gone else { return nil }
            status.activity = .gone
            return replace(status)
        default:
            // Only listings contain the time of the last byte, but a report proves that bytes arrived.
            guard update.event.isReport, let path = update.event.device,
                let index = devices.firstIndex(where: { $0.path == path })
            else { return nil }
            heard.insert(path)
            let (time, listed) = (update.moment.wall, devices[index].lastHeard)
            devices[index].lastHeard = isLive ? max(listed ?? time, time) : time
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
        if heard.contains(status.path), let before = old.lastHeard {
            status.lastHeard = isLive ? max(before, status.lastHeard ?? before) : before
        }
        devices[index] = status
        if status.activity != .reporting { heard.remove(status.path) }
        var comparable = status
        comparable.lastHeard = old.lastHeard
        return comparable == old ? nil : status
    }
}

extension LocationEvent {
    /// Whether the event originates from a receiver rather than from the daemon.
    fileprivate var isReport: Bool {
        switch self {
        case .location, .satellites, .attitude, .receiver, .clock, .searching(.noFix, _): true
        case .searching, .failure, .device, .authorization, .line, .notice, .other: false
        }
    }
}
