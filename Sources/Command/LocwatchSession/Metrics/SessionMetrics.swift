package import LocationCore
package import LocationPublishing
import LocwatchPrinting
import LocwatchSupport
import LocwatchTerminal

/// The metrics of a session: a value that is fed by its updates and encoded as Prometheus' text.
package struct SessionMetrics: Sendable {
    /// The number of devices with series of their own, because each series costs a Prometheus server memory for long.
    static let deviceLimit = 2000
    /// The number of receivers whose satellites have series.
    static let skyLimit = 16
    /// The longest name of a device in bytes.
    private static let longestName = 256

    /// The labels of a fence.
    struct FenceLabels: Hashable, Sendable {
        var fence: String
        var device: String?
        var sortable: (String, String) { (fence, device ?? "") }
    }

    /// The state of the session, or `nil` after its end.
    private(set) var state: LocationState? = .searching(.starting)
    private(set) var devices = PerDevice<DeviceMetrics>()
    private(set) var skies = PerDevice<SkyView>()
    /// The reports of devices without series of their own.
    private(set) var unlistedReports = 0
    /// The changes of state by the state before, the state after, and the reason.
    private(set) var changes: [[String]: Int] = [:]
    private(set) var handovers = 0
    /// The distance in metres that the session has covered, if it is measured.
    private(set) var distance: Double?
    private(set) var failures: [String: Int] = [:]
    private(set) var fences: [FenceLabels: Bool] = [:]
    /// The state of the corrections, if the receiver gets any.
    private(set) var corrections: CorrectionsStatus?
    /// The decisions of the fences at the last position of each device, in their order.
    private var decisions = PerDevice<[Bool?]>()
    /// The deliveries of positions, each with the word of its target.
    package var deliveries: [(target: String, status: DeliveryStatus)] = []

    package init() {}

    package mutating func process(_ update: TrackedUpdate, _ view: SessionView) {
        distance = view.distance
        switch update {
        case .transition(let transition):
            state = transition.to
            changes[[transition.from.code, transition.to.code, transition.reason.code], default: 0] += 1
        case .deviceTransition(let transition):
            if let place = place(of: transition.device) { devices[place: place].note(transition) }
            // A receiver that is gone does not report that it sees nothing.
            if case .searching(.deviceLost) = transition.to { forgetSky(of: transition.device) }
        case .handover: handovers += 1
        case .integrity(let change):
            if let place = place(of: change.device) { devices[place: place].note(change) }
        case .fence, .failureEnded: break
        case .update(let update, let standing):
            process(update)
            if standing == .current, update.location != nil { noteFences(of: update.subject, view) }
        }
    }

    private mutating func process(_ update: LocationUpdate) {
        switch update.event {
        case .location(let location):
            if let place = place(of: location.device) { devices[place: place].note(location) }
            // The last satellites are too old to belong to it.
            if update.sky == nil { forgetSky(of: location.device) }
        case .satellites(let sky):
            guard let name = name(sky.device), skies[name] != nil || skies.count < Self.skyLimit else { return }
            skies.set(update.sky ?? sky, for: name)
        case .failure(let error, _): failures[error.code, default: 0] += 1
        case .clock(let sample):
            if let place = place(of: sample.device) { devices[place: place].note(sample) }
        case .notice(let notice): if case .corrections(let status) = notice.content { corrections = status }
        case .searching, .attitude, .device, .receiver, .authorization, .line, .other: break
        }
    }

    private mutating func forgetSky(of device: String?) {
        guard let name = name(device), skies[name] != nil else { return }
        skies.set(SkyView(satellites: nil), for: name)
    }

    /// Notes inside which fences the position of a machine is, if that is known and has changed: each series is found by two names.
    private mutating func noteFences(of device: String?, _ view: SessionView) {
        let (known, new) = (decisions[device], view.fenceDecisions(for: device))
        guard known != new, known != nil || decisions.count < Self.deviceLimit, new.contains(where: { $0 != nil })
        else { return }
        decisions.set(new, for: device)
        for (fence, isInside) in zip(view.fenceNames, new) { note(fence, isInside: isInside, device: device) }
    }

    mutating func note(_ fence: String, isInside: Bool?, device: String?) {
        guard let isInside, let name = name(device) else { return }
        let place = FenceLabels(fence: fence.printable, device: name)
        guard fences[place] != nil || fences.count < Self.deviceLimit else { return }
        fences[place] = isInside
    }

    /// Notes the end of the session, after which no position is current.
    mutating func end() { state = nil }

    /// Returns the name of a device as a label, or `nil` if it is too long for one; a device without a name has no label.
    ///
    /// Names that are printed the same are the same series, and so are no name and an empty one.
    private func name(_ device: String?) -> String?? {
        guard let device, !device.isEmpty else { return .some(nil) }
        let name = device.printable
        return name.utf8.count <= Self.longestName ? .some(name) : nil
    }

    private mutating func place(of device: String?) -> Int? {
        if let name = name(device), devices[name] != nil || devices.count < Self.deviceLimit {
            return devices.place(of: name, default: DeviceMetrics())
        }
        unlistedReports += 1
        return nil
    }
}
