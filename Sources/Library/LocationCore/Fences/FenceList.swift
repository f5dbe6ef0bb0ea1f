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

    /// The fences, in the order in which they were added.
    public var fences: [Fence] { content.value }

    /// Adds a fence, or replaces the one of the same name.
    public func add(_ fence: Fence) {
        content.change { fences in
            fences.removeAll { $0.name == fence.name }
            fences.append(fence)
        }
    }

    /// Removes the fence of this name, if any.
    public func remove(_ name: String) {
        content.change { $0.removeAll { $0.name == name } }
    }

    /// Adds to `monitors` what is new and removes from it what is gone, if there was a change since `version`.
    func apply(to monitors: inout SubjectFences?, since version: inout Int) {
        guard let fences = content.value(since: &version), let watched = monitors?.fences else { return }
        let names = Set(fences.map(\.name))
        for fence in watched where !names.contains(fence.name) { monitors?.remove(fence.name) }
        for fence in fences { monitors?.add(fence) }
    }
}
