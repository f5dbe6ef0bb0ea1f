/// The state of the delivery to a target.
public struct TargetStatus: Hashable, Sendable {
    package let word: TargetWord
    /// The target, without a query, which can hold a token.
    public var target: String { word.description }
    /// The state of its delivery.
    public internal(set) var delivery: DeliveryStatus
}
