/// The state of the delivery to one target.
public struct DeliveryStatus: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
        /// No connection was tried yet.
        case idle
        case connecting
        /// Records can be sent, and the target has not answered yet.
        case ready
        /// The target has accepted the client or a record.
        case connected
        /// The connection failed, and is tried again at a time of the caller's clock.
        case waiting(cause: String, until: Duration)
        /// The target refused the client or a record, and is tried again at a time of the caller's clock.
        case held(cause: String, until: Duration)
        case closing
        /// The connection has ended for good.
        case closed
    }

    package internal(set) var phase = Phase.idle
    /// The number of records that are queued and neither taken nor omitted.
    public package(set) var queued = 0
    /// The number of records that were taken.
    public internal(set) var taken: UInt64 = 0
    /// The number of records for which the target needs no message.
    public internal(set) var omitted: UInt64 = 0
    /// The number of records that the target does not take because they are old, or that the queue has lost.
    public internal(set) var dropped: UInt64 = 0
    /// The number of dropped records that the target does not take because they are old, and that nothing has lost.
    public package(set) var outdated: UInt64 = 0
    /// The number of records that were set aside because the target refused them as such.
    public internal(set) var rejected: UInt64 = 0
    /// The time of the last acknowledgement on the caller's clock.
    package internal(set) var lastTaken: Duration?
    /// The reason of the last failure, until records are taken again; it stays after the delivery has ended.
    public internal(set) var lastObstacle: String?

    package init() {}

    /// The number of records that the queue has lost.
    package var lost: UInt64 { dropped - min(outdated, dropped) }

    /// Whether the target has everything.
    public var isComplete: Bool { queued == 0 }

    /// The reason for which nothing is sent at the moment, if any.
    public var obstacle: String? {
        switch phase {
        case .waiting(let cause, _), .held(let cause, _): cause
        default: nil
        }
    }
}
