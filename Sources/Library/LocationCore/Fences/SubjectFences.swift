import LocwatchSupport

/// The monitors of a session's fences, one for each subject.
///
/// Like `FenceMonitor` it has no clock. An update takes a time that depends on the number of fences, but not on the number
/// of subjects.
package struct SubjectFences: Hashable, Sendable {
    private var template: FenceMonitor
    private var monitors = PerDevice<FenceMonitor>()
    private var deadlines = DeadlineHeap()
    /// The records with which devices of a fleet begin.
    private var records = PerDevice<[FenceRecord]>()

    /// Creates the monitors; each subject begins with the given one.
    package init(_ monitor: FenceMonitor) { template = monitor }

    package var fences: [Fence] { template.fences }

    /// Whether the last position has corrected the place of an anchor of its subject.
    private(set) var hasCorrectedAnchor = false

    /// Returns the monitor of a subject, which any receiver of a machine without a name stands for; before its first position
    /// that with which it begins.
    package func monitor(of device: String?) -> FenceMonitor { monitors[device] ?? monitors[nil] ?? template }

    /// Adds a fence for every subject, or replaces the one of the same name; subjects with a record begin with its state.
    package mutating func add(_ fence: Fence, as beginning: [FenceRecord] = []) {
        template.add(fence)
        for place in 0..<monitors.count { monitors[place: place].add(fence) }
        for record in beginning {
            if let device = record.device {
                records[device, default: []].append(record)
                if let place = monitors.index(of: device) { monitors[place: place].assume(record) }
            } else {
                template.assume(record)
                for place in 0..<monitors.count { monitors[place: place].assume(record) }
            }
        }
    }

    /// Returns the monitor with which a subject begins.
    private func beginning(of subject: String?) -> FenceMonitor {
        var monitor = template
        for record in subject.flatMap({ records[$0] }) ?? [] { monitor.assume(record) }
        return monitor
    }

    /// Removes the fence of this name for every subject; no event reports it.
    package mutating func remove(_ name: String) {
        template.remove(name)
        for place in 0..<monitors.count { monitors[place: place].remove(name) }
    }

    /// Processes a position of a subject and returns the events: first those that were due before, then those of the subject.
    package mutating func update(
        _ location: Location, at moment: Moment, of subject: String? = nil
    ) -> [FenceEvent] {
        var events = expire(at: moment)
        var place = monitors.index(of: subject)
        if place == nil {
            let monitor = beginning(of: subject)
            place = monitors.place(of: subject, default: monitor)
        }
        guard let place else { return events }
        // Not an argument of `append`, which would hold a copy of all monitors while one of them changes.
        let new = monitors[place: place].update(location, at: moment)
        append(new, of: place, to: &events)
        deadlines.set(monitors[place: place].deadline, of: place)
        hasCorrectedAnchor = monitors[place: place].hasCorrectedAnchor
        return events
    }

    /// A moment that is not later than the next dwell, at which `expire` must be called if no position arrives before.
    package var deadline: Moment? { deadlines.first }

    /// Returns the events that are due without a new position, in the order in which they became due.
    package mutating func expire(at moment: Moment) -> [FenceEvent] {
        var events: [FenceEvent] = []
        while let (place, due) = deadlines.pop(until: moment, deadline: { monitors[place: $0].deadline }) {
            let new = monitors[place: place].expire(at: due)
            append(new, of: place, to: &events)
            deadlines.set(monitors[place: place].deadline, of: place)
        }
        return events
    }

    /// Stops the clocks of a subject's stays until its next position, because its position is lost; returns the events that
    /// are due.
    package mutating func pause(_ subject: String?, at moment: Moment) -> [FenceEvent] {
        var events = expire(at: moment)
        guard let place = monitors.index(of: subject) else { return events }
        let new = monitors[place: place].pause(at: moment)
        append(new, of: place, to: &events)
        return events
    }

    private func append(_ new: [FenceEvent], of place: Int, to events: inout [FenceEvent]) {
        for var event in new {
            event.device = monitors.device(at: place)
            events.append(event)
        }
    }
}
