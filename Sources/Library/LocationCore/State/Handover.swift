/// A change of the current receiver while the session has a position.
public struct Handover: Hashable, Sendable {
    /// The previous current receiver.
    public var from: String?
    /// The new current receiver.
    public var to: String?
    /// The reason for the change.
    public var reason: Reason
    /// The time of the change.
    public var moment: Moment

    /// Creates a change of the current receiver.
    public init(from: String?, to: String?, reason: Reason, at moment: Moment) {
        self.from = from
        self.to = to
        self.reason = reason
        self.moment = moment
    }

    /// The reason for a change of the current receiver.
    public enum Reason: Hashable, Sendable {
        /// The current receiver has lost its position.
        case lost(SearchReason)
        /// The other receiver has been clearly better for a while.
        case better

        /// A short, stable identifier for programs.
        public var code: String {
            switch self {
            case .lost(let reason): reason.code
            case .better: "better"
            }
        }
    }
}
