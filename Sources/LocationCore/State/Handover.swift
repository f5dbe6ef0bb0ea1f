/// A change of the current receiver while there is a position: another receiver's position is the current one from now on.
public struct Handover: Hashable, Sendable, Codable {
    /// The receiver that was the current one.
    public var from: String?
    /// The receiver that is the current one now.
    public var to: String?
    /// The reason for the change.
    public var reason: Reason
    /// The time of the change.
    public var moment: Moment

    /// A change of the current receiver.
    public init(from: String?, to: String?, reason: Reason, at moment: Moment) {
        self.from = from
        self.to = to
        self.reason = reason
        self.moment = moment
    }

    /// Why another receiver became the current one.
    public enum Reason: Hashable, Sendable, Codable {
        /// The current receiver has no position any more.
        case lost(SearchReason)
        /// The other receiver has been clearly better for a while.
        case better

        /// A short stable word for programs.
        public var code: String {
            switch self {
            case .lost(let reason): reason.kind.rawValue
            case .better: "better"
            }
        }
    }
}
