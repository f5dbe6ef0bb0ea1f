/// A record with its number in the queue.
package struct QueuedRecord: Hashable, Sendable {
    /// The number, which increases by one with each record of the queue.
    package var number: UInt64
    package var record: PublishRecord

    package init(_ number: UInt64, _ record: PublishRecord) {
        self.number = number
        self.record = record
    }
}

/// Something that a transport reports.
package enum DeliveryEvent: Hashable, Sendable {
    /// Records can be sent.
    ///
    /// - Parameter isAccepted: Whether the target has answered and accepted the client; otherwise it is known to be there once
    ///   it has taken a record.
    case opened(isAccepted: Bool)
    /// The target has decided about records.
    case decided(DeliveryVerdict, numbers: [UInt64])
    /// Nothing of the records without a verdict has left this machine; a failure follows.
    case unsent
    /// The connection could not be established, or ended; records without a verdict have to be sent again.
    ///
    /// - Parameter isRefusal: Whether the target refused the client, which another attempt soon will not change.
    case failed(cause: String, isRefusal: Bool)
    /// The connection has ended after `close()`, and what was in flight is decided.
    case closed
}

/// A connection through which the records of one target are sent.
///
/// A transport is used on one thread. No function waits; the caller polls the descriptor until the deadline, and then
/// calls `step`.
package protocol DeliveryTransport: AnyObject {
    /// The number of records that can be handed over now; 0 without a connection.
    var room: Int { get }
    /// Begins to connect; ``DeliveryEvent/opened(isAccepted:)`` or a failure follows.
    func open(at now: Duration)
    /// Sends records, of which there are at most `room`; a verdict on each follows, or a failure.
    ///
    /// - Parameters:
    ///   - records: The records, from the oldest on.
    ///   - isOld: Whether a newer record was already sent.
    ///   - now: The time of the caller's clock.
    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration)
    /// Begins to end the connection with a goodbye; ``DeliveryEvent/closed`` follows.
    func close(at now: Duration)
    /// The descriptor to poll, or −1, and the events to poll it for, as in `poll(2)`.
    var poll: (descriptor: Int32, events: Int16) { get }
    /// The time at which `step` is called if the descriptor is not ready before.
    var deadline: Duration? { get }
    /// Performs the work that is possible now, and emits what has happened.
    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void)
}
