/// A fault of a scripted broker during one connection.
package enum BrokerFault: Hashable, Sendable {
    case silent
    /// The broker refuses the client with a code, such as 5, or 0x87 in MQTT 5, for a client that is not authorized.
    case refuses(code: UInt8)
    /// The broker speaks MQTT 3.1.1 only, and refuses a client that speaks MQTT 5.
    case refusesVersion5
    /// The broker sends these bytes in the place of its first answer.
    case garbage([UInt8])
    /// The broker acknowledges messages this long after they have arrived.
    case acknowledgesLate(Duration)
    /// The broker does not acknowledge the message with this number, counted from 1.
    case losesAcknowledgement(of: Int)
    case acknowledgesTwice
    /// The broker acknowledges a message that was never sent, together with each other one.
    case acknowledgesUnsent
    /// The broker ends the connection after it has sent this many bytes.
    case cutsAnswers(after: Int)
    /// The broker sends one byte after each such time.
    case trickles(Duration)
    /// The broker ends the connection when the packet with this number has arrived, counted from 1, and does not answer it.
    case closes(atPacket: Int)
    /// The broker drops every message, but acknowledges it, as brokers do for a topic that is forbidden.
    case dropsMessages
    /// The broker refuses messages to a topic with a reason of MQTT 5; over MQTT 3.1.1 it acknowledges and drops them.
    case refusesMessages(to: String, reason: UInt8)
    /// The broker ends the connection at a message to a topic, with a reason if the client speaks MQTT 5.
    case disconnects(atMessageTo: String, reason: UInt8)
    /// The broker refuses every subscription, in MQTT 5 because the client is not authorized.
    case refusesSubscriptions
}
