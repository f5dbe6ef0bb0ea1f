package import LocationCore

/// The records that a target can take after an outage.
package enum BacklogOrder: Hashable, Sendable {
    /// The newest position first, once, and then all records from the oldest on, marked as old up to that position.
    case newestFirst
    /// All records from the oldest on.
    case ordered
    /// Only the newest record; an older position would be mistaken for the current one.
    case none
}

/// The meaning of a target's answer for the records that were sent.
package enum DeliveryVerdict: Hashable, Sendable {
    /// The target has taken the records.
    case taken
    /// The target needs no message for the records, so that nothing was sent.
    case omitted
    /// The target may take the records later, not before `after` if it says so.
    case tryAgain(cause: String, after: Duration?)
    /// The target takes no records at present; `cause` says why, and what to do if that is known.
    case refused(cause: String)
    /// The target does not take these records, whatever it does with others.
    case rejected(cause: String)
}

/// An encoder of records for a broker: it says what is published, and decides nothing about connections.
///
/// An encoder is a value that may remember what it has encoded. The same record gives its messages again if it is the last
/// one, or after `greeting()`.
package protocol MQTTTarget: Sendable {
    /// The records that subscribers can take after an outage.
    var backlog: BacklogOrder { get }
    /// The message that the broker publishes if the connection ends without a goodbye.
    var will: MQTTMessage? { get }
    /// Messages that subscribers ignore, with which access to the target's topics is tested; they are not retained.
    var probes: [MQTTMessage] { get }
    /// The topic filters to subscribe to after each connection.
    var subscriptions: [String] { get }
    /// Prepares for a connection that begins at a time, before `will` is read.
    mutating func willConnect(at time: Timestamp)
    /// Returns the messages to publish after each connection, before any record.
    mutating func greeting() -> [MQTTMessage]
    /// Returns the messages to publish before the connection ends.
    func farewell() -> [MQTTMessage]
    /// Returns the messages for a record; a record without a message is omitted.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - isOld: Whether a newer record was already published, so that the message must not be retained.
    mutating func messages(for record: PublishRecord, isOld: Bool) -> [MQTTMessage]
    /// Returns the messages that answer a received one.
    func response(to message: MQTTMessage) -> [MQTTMessage]
}

extension MQTTTarget {
    package var will: MQTTMessage? { nil }
    package var probes: [MQTTMessage] { [] }
    package var subscriptions: [String] { [] }
    package func willConnect(at time: Timestamp) {}
    package func greeting() -> [MQTTMessage] { [] }
    package func farewell() -> [MQTTMessage] { [] }
    package func response(to message: MQTTMessage) -> [MQTTMessage] { [] }
}

/// An encoder of records for readers that acknowledge nothing.
package protocol StreamTarget: Sendable {
    /// Whether the encoder uses the dilutions of precision and the list of satellites of a record.
    var needsSky: Bool { get }
    /// Returns the bytes of each datagram for a record; over a stream they follow each other.
    func datagrams(for record: PublishRecord) -> [[UInt8]]
}

extension StreamTarget {
    package var needsSky: Bool { false }
}
