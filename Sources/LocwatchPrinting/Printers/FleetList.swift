package import LocationCore
import LocwatchSupport

/// The devices of a fleet with their last known positions.
package struct FleetList {
    /// A device with its state and its last position.
    package struct Device {
        /// The state of the device.
        var state = LocationState.searching(.starting)
        /// The last position, current or not.
        var location: Location?
        /// The charge of the battery in percent.
        var battery: Int?

        /// The time of the last position.
        var time: Timestamp? { location.flatMap { $0.timestamp ?? $0.received } }
    }

    private var devices = PerDevice<Device>()
    /// The places of the devices that have changed since the last call of `takeChanges`.
    private var changes: Set<Int> = []
    /// Whether the broker has accepted the subscription, or anything has come.
    package private(set) var isConnected = false

    /// The number of devices.
    package var count: Int { devices.count }

    /// The number of devices with a current position.
    package private(set) var foundCount = 0

    package init() {}

    /// Processes an update of the session.
    package mutating func process(_ update: TrackedUpdate) {
        switch update {
        case .transition, .handover, .settled, .fence, .integrity, .failureEnded: break
        case .deviceTransition(let transition):
            guard let device = transition.device else { return }
            if transition.from.location != nil { foundCount -= 1 }
            if transition.to.location != nil { foundCount += 1 }
            change(device) { $0.state = transition.to }
        case .update(let update, let standing):
            switch update.event {
            case .location(let location): note(location, isCurrent: standing != .late)
            case .notice(.lastKnown(let location)): note(location, isCurrent: false)
            case .device(let status):
                guard let battery = status.battery else { return }
                change(status.path) { $0.battery = battery }
            case .searching(.connected, nil): isConnected = true
            case .searching, .failure, .satellites, .receiver, .clock, .authorization, .line, .notice, .other: break
            }
        }
    }

    /// Returns the devices that have changed since the last call, in the order of their names.
    package mutating func takeChanges() -> [(name: String, device: Device)] {
        defer { changes.removeAll(keepingCapacity: true) }
        return sorted(Array(changes))
    }

    /// All devices, in the order of their names.
    package var all: [(name: String, device: Device)] { sorted(Array(0..<devices.count)) }

    private func sorted(_ places: [Int]) -> [(name: String, device: Device)] {
        places.map { (devices.device(at: $0) ?? "", devices[place: $0]) }.sorted { $0.name < $1.name }
    }

    private mutating func note(_ location: Location, isCurrent: Bool) {
        guard let device = location.device, !location.isLate else { return }
        isConnected = true
        change(device) { known in
            // A position that the broker has kept can be older than one that has arrived.
            if !isCurrent, let time = known.time, let other = location.timestamp, other <= time { return }
            known.location = location
            if !isCurrent { known.location?.received = nil }
        }
    }

    private mutating func change(_ name: String, _ change: (inout Device) -> Void) {
        let place = devices.place(of: name, default: Device())
        change(&devices[place: place])
        changes.insert(place)
    }
}

extension FleetList.Device {
    /// The state as a word for people.
    var word: String {
        switch state {
        case .found: "found"
        case .error: "error"
        case .searching(let reason):
            switch reason {
            case .deviceLost: "offline"
            case .silent: "silent"
            case .noFix: "no fix"
            case .starting, .connecting, .connected, .noDevice, .unsuitable, .deviceUnopenable, .deviceSilent,
                .deviceBabbling:
                location == nil ? "no position" : "last known"
            }
        }
    }

    /// The activity that corresponds to the state.
    var activity: DeviceStatus.Activity {
        switch state {
        case .found: .reporting
        case .searching(.deviceLost): .gone
        case .searching(.silent): .silent
        case .searching(.noFix): .reporting
        case .searching, .error: .unknown
        }
    }
}
