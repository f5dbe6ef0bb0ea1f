package import LocationCore
import LocwatchSupport

/// The devices of a fleet that have changed since they were shown.
package struct FleetChanges {
    private var names: Set<String> = []

    package init() {}

    /// Notes the device that an update of the session changes.
    package mutating func process(_ update: TrackedUpdate) {
        switch update {
        case .transition, .handover, .fence, .integrity, .failureEnded: break
        case .deviceTransition(let transition): note(transition.device)
        case .update(let update, _):
            switch update.event {
            case .location, .device: note(update.event.device)
            case .notice: note(update.event.knownLocation?.device)
            case .searching, .failure, .satellites, .attitude, .receiver, .clock, .authorization, .line, .other: break
            }
        }
    }

    private mutating func note(_ device: String?) { if let device { names.insert(device) } }

    /// Returns the devices that have changed since the last call, in the order of their names.
    package mutating func take(from view: SessionView) -> [FleetDevice] {
        defer { names.removeAll(keepingCapacity: true) }
        return names.sorted().compactMap { FleetDevice($0, in: view) }
    }
}

/// A device of a fleet with its state and its last known position.
package struct FleetDevice {
    package let name: String
    let state: LocationState
    /// The last position, current or not.
    let location: Location?
    /// The charge of the battery in percent.
    let battery: Int?

    fileprivate init?(_ name: String, in view: SessionView) {
        guard let receiver = view.receivers[name] else { return nil }
        self.name = name
        // After the end of a session, too, a list shows what was known.
        state = view.subjects.state(of: name) ?? .searching(.starting)
        location = receiver.knownLocation
        battery = receiver.status?.battery
    }

    /// Returns all devices, in the order of their names.
    package static func all(in view: SessionView) -> [FleetDevice] {
        view.devices.compactMap(\.self).sorted().compactMap { FleetDevice($0, in: view) }
    }

    var time: Timestamp? { location.flatMap { $0.timestamp ?? $0.received } }

    /// Whether the device has a current position.
    package var isFound: Bool { state.location != nil }

    var word: String {
        switch state {
        case .found: StateWord.found
        case .error: StateWord.error
        case .searching(let reason): StateWord.searching(reason, hasPosition: location != nil)
        }
    }

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
