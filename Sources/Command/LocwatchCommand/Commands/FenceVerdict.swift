import LocationCore

/// The answer to whether a single position is in any of some fences.
///
/// A position that is too coarse for a fence does not count for it, as in a `FenceMonitor`.
struct FenceVerdict {
    /// The events of the fences around the position, in the order of the fences.
    let events: [FenceEvent]
    /// The fences after the position.
    let fences: SubjectFences
    /// Whether the position is in any fence, or `nil` if it is too coarse to tell.
    let isInside: Bool?

    init(_ fences: [Fence], of location: Location, at moment: Moment, subject: String?) {
        var judged = SubjectFences(FenceMonitor(fences: fences))
        events = judged.update(location, at: moment, of: subject).filter(\.kind.isOfStay)
        self.fences = judged
        let isUndecided = fences.contains { judged.isInside($0.name, device: location.device) == nil }
        isInside = events.isEmpty && isUndecided ? nil : !events.isEmpty
    }
}
