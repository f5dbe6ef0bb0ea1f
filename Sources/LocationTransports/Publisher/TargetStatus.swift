public import LocationPublishing

/// The state of the delivery to a target.
public struct TargetStatus: Hashable, Sendable {
    /// The target.
    public let target: TargetWord
    /// The state of its delivery.
    public internal(set) var delivery: DeliveryStatus
}
