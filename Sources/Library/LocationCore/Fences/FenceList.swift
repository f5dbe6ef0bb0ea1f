import LocwatchSupport

/// A list of fences, with the rules for their events, that can be changed while sessions watch it.
///
/// ```swift
/// let fences = FenceList([home], dwellAfter: .seconds(300))
/// for try await event in provider.fenceEvents(for: fences) { … }
/// // elsewhere, while the loop runs:
/// fences.add(office)
/// ```
///
/// A session applies a change with its next position. See <doc:MonitoringFences> for the rules.
public final class FenceList: Sendable {
    private let content = LiveValue<[Fence]>([])
    private let memory = Lock(FenceMemory())
    /// The monitor with which each device begins.
    let monitor: FenceMonitor

    /// Creates a list; of several fences with one name the last counts.
    ///
    /// - Parameters:
    ///   - fences: The fences.
    ///   - dwellAfter: The time after which a stay in a fence without a time of its own is a `dwell` event, or `nil` for no such
    ///     events.
    ///   - minimumMargin: The distance in metres outside a fence that an exit needs at least.
    ///   - assumedAccuracy: The accuracy in metres that is assumed for positions without one.
    public init(
        _ fences: [Fence] = [], dwellAfter: Duration? = nil, minimumMargin: Double = 10, assumedAccuracy: Double = 25
    ) {
        monitor = FenceMonitor(
            fences: [], dwellAfter: dwellAfter, minimumMargin: minimumMargin, assumedAccuracy: assumedAccuracy)
        for fence in fences { add(fence) }
    }

    /// Creates a list of the fences of records, whose sessions begin with the states that the records have.
    ///
    /// A session then reports what has changed since: `enter` and `exit`, and not what the records say already. Each later session of the
    /// list begins where the one before has ended. The clock of a stay begins again, unless it was a `dwell` before. Of several records of
    /// one fence and device the last counts. The other parameters are those of the other initializer.
    public convenience init(
        restoring records: [FenceRecord], dwellAfter: Duration? = nil, minimumMargin: Double = 10,
        assumedAccuracy: Double = 25
    ) {
        self.init(
            records.map(\.fence), dwellAfter: dwellAfter, minimumMargin: minimumMargin,
            assumedAccuracy: assumedAccuracy)
        memory.withLock { $0.restore(records) }
    }

    /// The records of the fences: for each its state and its last event, and in a fleet one for each device that had an event.
    ///
    /// Store them to continue after a restart; see `init(restoring:dwellAfter:minimumMargin:assumedAccuracy:)`.
    public var records: [FenceRecord] {
        let fences = fences
        return memory.withLock { $0.records(of: fences) }
    }

    /// Returns the record of a fence, or `nil` if the list has no such fence.
    ///
    /// - Parameters:
    ///   - name: The name of the fence.
    ///   - device: The device of a fleet; `nil` in a session with one position.
    public func record(for name: String, device: String? = nil) -> FenceRecord? {
        guard let fence = fences.first(where: { $0.name == name }) else { return nil }
        return memory.withLock { $0.record(name, device: device) } ?? FenceRecord(fence, device: device)
    }

    /// The number of events that changed the records, which tells when to store them again.
    package var eventCount: Int { memory.withLock { $0.eventCount } }

    /// The fences, in the order in which they were added.
    public var fences: [Fence] { content.value }

    /// Adds a fence, or replaces the one of the same name; what the list remembers of the same fence stays.
    public func add(_ fence: Fence) { add(fence, state: nil) }

    /// Adds a fence in an assumed state, or replaces the one of the same name.
    ///
    /// With ``FenceRecord/State/satisfied`` the first event is an `exit`, and with ``FenceRecord/State/unsatisfied`` an `enter`; with
    /// ``FenceRecord/State/unknown`` the first position decides. Sessions that begin later begin where the ones before have ended.
    public func add(_ fence: Fence, assuming state: FenceRecord.State) { add(fence, state: state) }

    private func add(_ fence: Fence, state: FenceRecord.State?) {
        memory.withLock { $0.add(fence, assuming: state) }
        content.change { fences in
            fences.removeAll { $0.name == fence.name }
            fences.append(fence)
        }
    }

    /// Removes the fence of this name, if any.
    public func remove(_ name: String) {
        memory.withLock { $0.remove(name) }
        content.change { $0.removeAll { $0.name == name } }
    }

    /// Adds to `monitors` what is new and removes from it what is gone, if there was a change since `version`.
    func apply(to monitors: inout SubjectFences?, since version: inout Int) {
        guard let fences = content.value(since: &version), let watched = monitors?.fences else { return }
        let names = Set(fences.map(\.name))
        for fence in watched where !names.contains(fence.name) { monitors?.remove(fence.name) }
        for fence in fences where !watched.contains(fence) {
            monitors?.add(fence, as: memory.withLock { $0.beginning(of: fence) })
        }
    }

    /// Notes the places of the anchors of a device, of which one was corrected.
    func noteAnchors(of device: String?, by monitors: SubjectFences) {
        let placed = monitors.monitor(of: device).placed
        memory.withLock { memory in for fence in placed { memory.note(fence, of: device) } }
    }

    /// Notes an event of a session, with the monitors of its fences.
    func note(_ event: FenceEvent, by monitors: SubjectFences?) {
        guard let fence = fences.first(where: { $0.name == event.fence }) else { return }
        let placed = monitors?.monitor(of: event.device).placed.first { $0.name == event.fence }
        memory.withLock { $0.note(event, at: fence, placed: placed) }
    }
}
