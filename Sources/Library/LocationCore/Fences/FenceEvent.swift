/// An event at a fence.
public struct FenceEvent: Hashable, Sendable {
    /// The kind of an event at a fence.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The first fix that is accurate enough for the fence is inside.
        case inside
        /// The first fix that is accurate enough for the fence is outside.
        case outside
        /// A fix is inside after fixes outside.
        case enter
        /// The fixes are outside by more than their accuracy explains.
        case exit
        /// Positions, none of them stale, have stayed inside for the configured time.
        case dwell
        /// For 30 seconds all fixes were too inaccurate for the fence, before any has decided; of an anchor also later.
        ///
        /// Unless the fixes improve, it has no other event but the exit of an anchor.
        case undecided

        /// Whether the event is the beginning, the length or the end of a stay.
        package var isOfStay: Bool { self != .outside && self != .undecided }
    }

    /// The name of the fence.
    public let fence: String
    /// The device of a fleet that caused the event, or `nil` in a session with one position.
    public var device: String?
    /// The kind of the event.
    public let kind: Kind
    /// The moment of the fix or, for a dwell, the moment at which the stay became one.
    public let moment: Moment
    /// The coordinate of the fix or, for a dwell, of the last fix before it that was accurate enough for the fence.
    public let coordinate: Coordinate

    /// Creates an event, for instance to compare with in a test.
    public init(fence: String, device: String? = nil, kind: Kind, moment: Moment, coordinate: Coordinate) {
        self.fence = fence
        self.device = device
        self.kind = kind
        self.moment = moment
        self.coordinate = coordinate
    }
}
